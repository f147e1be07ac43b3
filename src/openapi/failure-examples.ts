import { ApiError, type ErrorCode, type Issue, notFoundError } from '../text/errors'

/** Answers of the service; test/contract/failure-examples.test.ts compares them with real answers. */
const unknownPersona =
  'No such persona, or this API key does not cover its product. Use the id of a persona of this workspace.'
const unknownItem = 'Must be the external key of an item of this type in this product.'

const EXAMPLES: Record<Exclude<ErrorCode, `${string}_not_found`>, readonly [message: string, issues?: Issue[]]> = {
  validation_failed: [
    '/summary: Must not be empty',
    [{ path: '/summary', code: 'too_small', message: 'Must not be empty' }],
  ],
  malformed_json: ['The body is empty. Send JSON.'],
  unknown_reference: [
    `/persona/0/personaId: ${unknownPersona}`,
    [{ path: '/persona/0/personaId', code: 'unknown_reference', message: unknownPersona }],
  ],
  bulk_rejected: [
    `Nothing was stored: 1 of 2 operations failed (/1/externalKey: ${unknownItem})`,
    [{ path: '/1/externalKey', code: 'unknown_reference', message: unknownItem }],
  ],
  read_only: [
    '/externalKey: The service sets this member. Leave it out, or send the present value.',
    [
      {
        path: '/externalKey',
        code: 'read_only',
        message: 'The service sets this member. Leave it out, or send the present value.',
      },
    ],
  ],
  unauthorized: ['No API key. Send it in the header x-api-key: Bearer <API_KEY>.'],
  insufficient_scope: ['This API key lacks the scope backlog:write. Use a key with this scope.'],
  origin_not_allowed: [
    'Pages of https://app.example.com may not call this workspace. Add the origin to the member cors of PUT /api/v2/settings, or call the service from a server.',
  ],
  method_not_allowed: ['PUT is not possible here. Use GET, HEAD.'],
  request_timeout: ['The body stopped before its end. Send the request again.'],
  conflict: ['Another product has this externalKey. Choose another key.'],
  already_done: [
    'The request was done, but the response was lost (EP-1). Read the current data; do not repeat the request.',
  ],
  in_use: ['Feedback items are in this category. Send the id of another category for the items in moveTo.'],
  unfinished_items: [
    '1 item of the version is not done: EP-1. Finish the open items, take them out of the version, or send {"force": true}.',
    [{ path: '/items/0', code: 'unfinished_item', message: 'EP-1 is not done: its progress is "to-do".' }],
  ],
  erase_scheduled: [
    'The workspace is to be erased at 2027-01-31T09:00:00.000Z. You can read; POST /api/v2/workspace/restore cancels the erasure.',
  ],
  workspace_not_empty: ['The workspace is not empty. Restore the export into a new workspace.'],
  gone: [
    'Events before 1201 are neither in the log nor in the archive. Continue with after=1200, and read the records that you follow again.',
  ],
  precondition_failed: [
    'The record has changed since you read it. Read the record again, and repeat the change with the new ETag in If-Match.',
  ],
  payload_too_large: ['The body is larger than 10 MiB. Send less at once.'],
  unsupported_media_type: ['This operation takes application/json, not text/plain. Set the Content-Type header.'],
  range_not_satisfiable: ['The file has 10 bytes. Request a range within the file.'],
  idempotency_key_reused: ['This Idempotency-Key was used with another body. Use a new key for a new request.'],
  rate_limited: ['Too many requests with this API key. Wait a minute, then go on more slowly.'],
  internal_error: [
    'The service failed, not your request. Repeat the request, and report the requestId if the error persists.',
  ],
  temporarily_unavailable: ['The database is busy. Repeat the request in a moment.'],
  storage_full: [
    'The database of the service is full. Nothing was stored. Modify or remove records, or repeat the request later.',
  ],
  not_configured: [
    'The service is not configured: SIGNING_SECRETS is missing or invalid. Ask the operator of the service to set it.',
  ],
}

export function failureExampleOf(code: string): ApiError {
  if (code.endsWith('_not_found') && code !== 'route_not_found') return notFoundError(code as `${string}_not_found`)
  const [message, issues = []] = EXAMPLES[code as keyof typeof EXAMPLES]
  return new ApiError(code as ErrorCode, message, { issues })
}
