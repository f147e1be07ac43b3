import type { Json } from './schemas'

const header = (description: string, example: string, { always = true } = {}) => ({
  description,
  required: always,
  schema: { type: 'string' },
  example,
})

/** Response headers. A documented header is always sent, unless `always` is false. */
export const HEADERS = {
  'x-request-id': header(
    'Names this answer; the one you sent, when it was sane.',
    'b0f5ae0e-6d43-4c0a-8f4e-1f5b0d1b7a56',
  ),
  'x-d1-bookmark': header(
    'Send it back to read your own writes from any replica.',
    '00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683',
    { always: false },
  ),
  'Server-Timing': header('Time spent in the database, and the round trips.', 'd1;dur=3;desc="1"'),
  'RateLimit-Policy': header(
    'How many units (`q`) the key and the workspace may use in how many seconds (`w`); with bulk operations and imports also how many of those the key may make, and on paths without a key how many requests one address may make.',
    '"key";q=1000;w=60, "workspace";q=5000;w=60, "bulk";q=60;w=60',
  ),
  'Cache-Control': header('Answers are private to the key, and asked for again each time.', 'private, no-cache'),
  'X-Content-Type-Options': header('The Content-Type is what it says.', 'nosniff'),
  Link: header(
    'The next page, with `rel="next"`; the last page has none.',
    '<https://api.example.com/api/initiatives?cursor=abc>; rel="next"',
    { always: false },
  ),
  Location: header('The path of what was made, where it has one.', '/api/initiatives/GW-DEMO/epics/EP-1', {
    always: false,
  }),
  ETag: header('The version of the record.', '"v3"'),
  'Accept-Ranges': header('Ranges of the file can be asked for.', 'bytes'),
  'Content-Disposition': header(
    'The name of the file, and whether it may be shown.',
    'attachment; filename="plan.pdf"; filename*=UTF-8\'\'plan.pdf',
  ),
  'Content-Security-Policy': header('A file that is shown runs nothing.', "default-src 'none'; sandbox"),
  'Content-Range': header('Which bytes of the file these are, or how many it has.', 'bytes 0-99/1234'),
  'Idempotent-Replayed': header('`true` when this is the answer of an earlier request.', 'true', { always: false }),
  'WWW-Authenticate': header('What kind of key is asked for.', 'Bearer realm="groundwork", error="invalid_token"'),
  Allow: header('The methods of the path.', 'GET, HEAD'),
  'Retry-After': header('Seconds to wait.', '60'),
} as const

export type HeaderName = keyof typeof HEADERS

export function references(...names: HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

export function onEveryAnswer(): Json {
  return references(
    'x-request-id',
    'x-d1-bookmark',
    'Server-Timing',
    'RateLimit-Policy',
    'Cache-Control',
    'X-Content-Type-Options',
  )
}
