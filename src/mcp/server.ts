import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import { type Assistant, callTool, listTools } from './tools'

// Only the first call of an isolate evaluates this file and its library (src/mcp/routes.ts).

const MAX_BODY_BYTES = 1024 * 1024

const INSTRUCTIONS = `Groundwork is a product-management service: products with a backlog (epics, features, user stories), ideas with votes and comments, segments of people, KPIs, personas and experiments.
Records have keys such as EP-7, IDEA-12 or KPI-3, and products keys such as GW-DEMO; listProducts lists the products. searchRecords finds records by words. Texts are HTML. Lists have 20 records unless you send limit, and nextCursor is the cursor of the next page. find_operation and call_operation reach all other operations.`

function createServer(assistant: Assistant): Server {
  const server = new Server(
    { name: 'groundwork', title: 'Groundwork', version: '1.0.0' },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  )
  server.setRequestHandler('tools/list', () => ({ tools: listTools(assistant) as never }))
  server.setRequestHandler('tools/call', async ({ params }) => callTool(params, assistant))
  return server
}

/** Stateless: each request has a server of its own, and no stream stays open. */
export const answerMcpRequest = (request: Request, assistant: Assistant): Promise<Response> =>
  createMcpHandler(() => createServer(assistant), {
    responseMode: 'json',
    maxRequestBodySize: MAX_BODY_BYTES,
    maxSubscriptions: 0,
    keepAliveMs: 0,
  }).fetch(request)
