// A proxy in front of the service that breaks one thing.
import { once } from 'node:events'
import { createServer, type IncomingMessage, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ProxiedAnswer {
  status: number
  headers: NodeJS.Dict<string | string[]>
  body: Buffer
}

export interface Fault {
  /** The check that must fail. */
  check: string
  breaks: string
  matches(route: string, answer: ProxiedAnswer): boolean
  change(answer: ProxiedAnswer): ProxiedAnswer
}

export const textOf = ({ body }: ProxiedAnswer) => body.toString()

export const withJson = (answer: ProxiedAnswer, json: object): ProxiedAnswer => ({
  ...answer,
  body: Buffer.from(JSON.stringify(json)),
})

export async function startFaultyProxy(target: string, fault: Fault) {
  const server = createServer(async (request, response) => {
    const body = await readBytes(request)
    const answer = await forward(target, request, body)
    const isFaulty = fault.matches(`${request.method} ${request.url}`, answer)
    const { status, headers, body: answered } = isFaulty ? fault.change(answer) : answer
    const { 'transfer-encoding': _chunked, ...kept } = headers
    response.writeHead(status, { ...kept, 'content-length': answered.length }).end(answered)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function forward(target: string, request: IncomingMessage, body: Buffer): Promise<ProxiedAnswer> {
  const { host: _host, 'transfer-encoding': _chunked, ...headers } = request.headers
  const { method } = request
  const changed = { ...headers, 'content-length': body.length, 'accept-encoding': 'identity' }
  const sent = sendRequest(target + request.url, { method, headers: changed })
  sent.end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await readBytes(answer) }
}

async function readBytes(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}
