import type { JsonObject } from './schemas'

const defineResponseHeader = (description: string, example: string, { always = true } = {}) => ({
  description,
  required: always,
  schema: { type: 'string' },
  example,
})

/** Response headers. A documented header is always sent, unless `always` is false. */
export const RESPONSE_HEADERS = {
  'x-request-id': defineResponseHeader(
    'Id of the request; your own id, if you sent a valid id.',
    'b0f5ae0e-6d43-4c0a-8f4e-1f5b0d1b7a56',
  ),
  'x-d1-bookmark': defineResponseHeader(
    'State of the database. Send the bookmark back to read your own writes from any replica.',
    '00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683',
    { always: false },
  ),
  'Server-Timing': defineResponseHeader('Milliseconds in the database, and the round trips.', 'd1;dur=3;desc="1"'),
  'RateLimit-Policy': defineResponseHeader(
    'Units (`q`) that the key and the workspace can use in a number of seconds (`w`). Bulk operations and imports add the number of bulk requests per key; paths without a key show the requests per address instead.',
    '"key";q=1000;w=60, "workspace";q=5000;w=60, "bulk";q=60;w=60',
  ),
  'Cache-Control': defineResponseHeader(
    'Responses are private to the key; caches must revalidate each time.',
    'private, no-cache',
  ),
  Vary: defineResponseHeader(
    'Request headers that decide the response of a portal.',
    'Cookie, Authorization, x-api-key, x-end-user',
    { always: false },
  ),
  'Set-Cookie': defineResponseHeader(
    'The cookie of the session, or its end.',
    '__Host-groundwork-session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
    { always: false },
  ),
  'X-Content-Type-Options': defineResponseHeader('Browsers must not guess the content type.', 'nosniff'),
  'x-ignored-members': defineResponseHeader(
    'JSON pointers of the members of the body that were ignored: the first 50, separated by commas.',
    '/createdAt, /color',
    { always: false },
  ),
  Link: defineResponseHeader(
    'URL of the next page, with `rel="next"`; the last page has no link.',
    '<https://api.example.com/api/initiatives?cursor=abc>; rel="next"',
    { always: false },
  ),
  HelpLink: defineResponseHeader(
    'Page of the `code`, with `rel="help"`.',
    '</docs/errors/validation_failed>; rel="help"',
  ),
  'x-next-cursor': defineResponseHeader(
    'Value of the query parameter `cursor` for the next page; the last page has no cursor.',
    'eyJhdCI6MX0',
    { always: false },
  ),
  'X-Total-Count': defineResponseHeader(
    'Number of records of all pages, if the query has `count=true`; `10000+` above 10,000 records.',
    '137',
    { always: false },
  ),
  Location: defineResponseHeader(
    'Path of the new record, if the record has a path.',
    '/api/initiatives/GW-DEMO/epics/EP-1',
    {
      always: false,
    },
  ),
  ETag: defineResponseHeader('The version of the record.', '"v3"'),
  'Accept-Ranges': defineResponseHeader('You can request ranges of the file.', 'bytes'),
  'Content-Disposition': defineResponseHeader(
    'Name of the file, and whether browsers may display the file.',
    'attachment; filename="plan.pdf"; filename*=UTF-8\'\'plan.pdf',
  ),
  'Content-Security-Policy': defineResponseHeader(
    'A displayed file cannot run scripts.',
    "default-src 'none'; sandbox",
  ),
  'Cross-Origin-Resource-Policy': defineResponseHeader(
    '`cross-origin` lets other sites show the picture of a public portal.',
    'same-origin',
  ),
  'Content-Range': defineResponseHeader('Range of the sent bytes, or the size of the file.', 'bytes 0-99/1234'),
  'Idempotent-Replayed': defineResponseHeader('`true` for the stored response of an earlier request.', 'true', {
    always: false,
  }),
  'WWW-Authenticate': defineResponseHeader(
    'Kind of key that the operation needs.',
    'Bearer realm="groundwork", error="invalid_token"',
  ),
  Allow: defineResponseHeader('The methods of the path.', 'GET, HEAD'),
  'Retry-After': defineResponseHeader('Seconds to wait.', '60'),
} as const

export type HeaderName = keyof typeof RESPONSE_HEADERS

export function referenceHeaders(...names: HeaderName[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

export function referenceCommonHeaders(): JsonObject {
  return referenceHeaders(
    'x-request-id',
    'x-d1-bookmark',
    'Server-Timing',
    'RateLimit-Policy',
    'Cache-Control',
    'X-Content-Type-Options',
  )
}
