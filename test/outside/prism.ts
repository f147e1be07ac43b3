// Validates recorded traffic with Prism's validating proxy. Prism gets the recorded responses instead of calling the
// service.
import { Buffer } from 'node:buffer'
import { createInstance, getHttpOperationsFromSpec, type IHttpRequest, type IHttpResponse } from '@stoplight/prism-http'
import type { Content, Document, Entry, Header } from './document.ts'

const METHODS: IHttpRequest['method'][] = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options']

const silentLogger = {
  trace() {},
  debug() {},
  info() {},
  success() {},
  warn() {},
  error() {},
  fatal() {},
  child: () => silentLogger,
}

/** Returns Prism's findings as sentences. `entries` come from a HAR file. */
export async function listFindings(document: Document, entries: Entry[]): Promise<string[]> {
  const operations = await getHttpOperationsFromSpec(document)
  const found: string[] = []
  for (const entry of entries) {
    const { request, response } = entry
    const url = new URL(request.url)
    const prism = createInstance(
      {
        isProxy: true,
        checkSecurity: false,
        validateRequest: true,
        validateResponse: true,
        mock: { dynamic: false },
        errors: false,
        upstreamProxy: undefined,
        upstream: new URL(url.origin),
      },
      { logger: silentLogger, forward: () => () => async () => ({ _tag: 'Right', right: answerOf(response) }) },
    )
    const input = {
      method: METHODS.find((known) => known === request.method.toLowerCase()) ?? 'get',
      url: { path: url.pathname, query: Object.fromEntries(url.searchParams) },
      headers: namesAndValues(request.headers),
      body: bodyOf(request),
    }
    const outcome = await prism.request(input, operations)()
    const about = `${request.method} ${url.pathname} ${response.status}`
    if (outcome._tag === 'Left') {
      found.push(`${about}: ${outcome.left.message}`)
      continue
    }
    const { validations } = outcome.right
    // A refused request may be invalid; an accepted request must be valid.
    const heeded = response.status < 400 ? [...validations.input, ...validations.output] : validations.output
    for (const { message, path = [] } of heeded) found.push(`${about}: ${path.join('.')} ${message}`)
  }
  return [...new Set(found)]
}

function namesAndValues(headers: Header[]): Record<string, string> {
  return Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]))
}

function bodyOf({ postData }: Entry['request']): unknown {
  if (!postData) return undefined
  return postData.mimeType.startsWith('application/json') ? parsed(contentOf(postData)) : contentOf(postData)
}

function answerOf({ status, headers, content }: Entry['response']): IHttpResponse {
  const named = namesAndValues(headers)
  const json = named['content-type'] === 'application/json'
  return { statusCode: status, headers: named, body: json ? parsed(contentOf(content)) : contentOf(content) }
}

function contentOf({ text = '', encoding }: Content): string {
  return encoding === 'base64' ? Buffer.from(text, 'base64').toString('latin1') : text
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}
