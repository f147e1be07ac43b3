// A receiver of webhook deliveries on this machine, over real HTTP. It runs on Node.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    receiver: string
  }
}

/** A request to `/box/{name}`. `GET` lists the requests. */
export interface ReceivedRequest {
  headers: Record<string, string>
  body: string
}

const requestsByBox = new Map<string, ReceivedRequest[]>()
/**
 * Responses of a box, in order; the last response repeats. `PUT` sets the responses. A box without responses answers
 * 200. A silent response never comes.
 */
const responsesByBox = new Map<
  string,
  { status: number; headers?: Record<string, string>; body?: string; isSilent?: boolean }[]
>()

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

async function handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const name = request.url?.slice('/box/'.length) ?? ''
  const body = await readBody(request)
  if (request.method === 'PUT') {
    responsesByBox.set(name, JSON.parse(body))
    response.end()
    return
  }
  if (request.method === 'GET') {
    response.end(JSON.stringify(requestsByBox.get(name) ?? []))
    return
  }
  const box = requestsByBox.get(name) ?? []
  requestsByBox.set(name, [...box, { headers: request.headers as Record<string, string>, body }])
  const [next, ...rest] = responsesByBox.get(name) ?? []
  if (rest.length) responsesByBox.set(name, rest)
  const { status = 200, headers = {}, body: text = 'ok', isSilent = false } = next ?? {}
  if (!isSilent) response.writeHead(status, headers).end(text)
}

export default async function setup(project: TestProject) {
  const server = createServer((request, response) => void handleRequest(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  project.provide('receiver', `http://127.0.0.1:${(server.address() as AddressInfo).port}/box`)
  return () => {
    server.closeAllConnections()
    server.close()
  }
}
