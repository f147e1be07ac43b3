// Holds recorded traffic against the document with Prism's validating proxy, which is given each recorded answer
// where it would ask the service.
import { Buffer } from 'node:buffer'
import { createInstance, getHttpOperationsFromSpec } from '@stoplight/prism-http'

const quiet = { trace() {}, debug() {}, info() {}, success() {}, warn() {}, error() {}, fatal() {}, child: () => quiet }

/** What Prism finds, as sentences. `entries` are those of a HAR file. */
export async function findings(document, entries) {
  const operations = await getHttpOperationsFromSpec(document)
  const found = []
  for (const entry of entries) {
    const { request, response } = entry
    const url = new URL(request.url)
    const prism = createInstance(
      {
        isProxy: true,
        checkSecurity: false,
        validateRequest: true,
        validateResponse: true,
        mock: false,
        errors: false,
        upstream: new URL(url.origin),
      },
      { logger: quiet, forward: () => () => async () => ({ _tag: 'Right', right: answerOf(response) }) },
    )
    const input = {
      method: request.method.toLowerCase(),
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
    // What the service refuses need not be valid; what it takes must be.
    const heeded = response.status < 400 ? [...validations.input, ...validations.output] : validations.output
    for (const { message, path = [] } of heeded) found.push(`${about}: ${path.join('.')} ${message}`)
  }
  return [...new Set(found)]
}

function namesAndValues(headers) {
  return Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]))
}

function bodyOf({ postData }) {
  if (!postData) return undefined
  return postData.mimeType.startsWith('application/json') ? parsed(contentOf(postData)) : contentOf(postData)
}

function answerOf({ status, headers, content }) {
  const named = namesAndValues(headers)
  const json = named['content-type'] === 'application/json'
  return { statusCode: status, headers: named, body: json ? parsed(contentOf(content)) : contentOf(content) }
}

function contentOf({ text, encoding }) {
  return encoding === 'base64' ? Buffer.from(text, 'base64').toString('latin1') : text
}

function parsed(json) {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}
