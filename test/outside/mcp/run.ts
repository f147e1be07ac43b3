// Connects the official clients of the Model Context Protocol, of both generations, to the service.
// scripts/checks/contract.ts starts this file with the service's address and a key.
import process from 'node:process'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { runMain, UserProblem } from '../../../scripts/wrangler.ts'
import { readClock } from '../../clock.ts'

type CallTool = (name: string, input: Record<string, unknown>) => Promise<string>

async function useTools(generation: string, names: readonly string[], call: CallTool): Promise<void> {
  const expectText = (text: string, part: string) => {
    if (!text.includes(part)) throw new UserProblem(`${generation}: expected "${part}" in ${text.slice(0, 500)}`)
  }
  for (const name of ['searchRecords', 'createEpic', 'getTrace', 'find_operation', 'call_operation'])
    if (!names.includes(name)) throw new UserProblem(`${generation}: the tool ${name} is missing.`)
  const summary = `Assist ${generation} ${readClock()}`
  const created = await call('createEpic', { product_external_key: 'GW-DEMO', summary })
  const key = /"externalKey":"(EP-\d+)"/.exec(created)?.[1]
  if (key === undefined) throw new UserProblem(`${generation}: no epic was created: ${created}`)
  expectText(await call('searchRecords', { q: summary }), key)
  expectText(await call('getTrace', { traced_external_key: key }), summary)
  expectText(await call('find_operation', { query: 'remove an epic' }), 'removeEpic')
  const input = { product_external_key: 'GW-DEMO', epic_external_key: key }
  expectText(await call('call_operation', { operation: 'removeEpic', input }), 'allow=removals')
  console.log(`${generation}: ${names.length} tools, and ${key} was created, found and traced.`)
}

const readText = (result: object) =>
  ((Object(result) as { content?: { text?: string }[] }).content ?? []).map(({ text = '' }) => text).join('\n')

await runMain(async () => {
  const { SERVICE_URL: url, SERVICE_TOKEN: key } = process.env
  if (!url || !key) throw new UserProblem('Run `npm run check:contract -- --only mcp`.')
  const address = new URL('/mcp', url)
  const requestInit = { headers: { Authorization: `Bearer ${key}` } }
  const info = { name: 'groundwork-check', version: '1.0.0' }

  const second = new Client(info)
  await second.connect(new StreamableHTTPClientTransport(address, { requestInit }))
  const { tools } = await second.listTools()
  await useTools(
    'client 2.x',
    tools.map(({ name }) => name),
    async (name, input) => readText(await second.callTool({ name, arguments: input })),
  )
  await second.close()

  const first = new FirstClient(info)
  await first.connect(new FirstTransport(address, { requestInit }))
  const listed = await first.listTools()
  await useTools(
    'client 1.x',
    listed.tools.map(({ name }) => name),
    async (name, input) => readText(await first.callTool({ name, arguments: input })),
  )
  await first.close()
})
