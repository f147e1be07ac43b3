import type { AnyOperation } from '../http/operation'

/** What an assistant may do only if the URL of the server allows it. */
export const ALLOWANCES = ['mail', 'removals', 'keys'] as const
export type Allowance = (typeof ALLOWANCES)[number]

/** Unknown names are ignored: they allow nothing. */
export const parseAllowances = (sent: string | undefined): ReadonlySet<Allowance> =>
  new Set(ALLOWANCES.filter((name) => sent?.split(',').includes(name)))

/** These mail people, although their scope is of another area. */
const MAILING_IDS = new Set(['reinviteMembers', 'requestSegmentConfirmations'])
/** These remove records, although their method is not DELETE. */
const REMOVING_IDS = new Set(['undoImport', 'mergeTag', 'mergeFeedbackItem', 'mergeFeedbackCategory'])

/** What the operation needs; undefined if every assistant may call the operation. */
export function findNeededAllowance({ id, method, scope }: AnyOperation): Allowance | undefined {
  if (method === 'get') return undefined
  if (scope === 'keys:write' || scope === 'webhooks:write') return 'keys'
  if (method === 'delete' || REMOVING_IDS.has(id)) return 'removals'
  return scope === 'mail:write' || MAILING_IDS.has(id) ? 'mail' : undefined
}

/** Names of changes in a body that remove something. */
const REMOVING_WORDS = new Set(['remove', 'delete', 'merge'])

// The items of a bulk operation stand in the body, or in a member of the body.
const MAX_DEPTH_OF_ITEMS = 4

/** Whether an item of a bulk operation, or the action of a body, removes something. */
export function removesRecords(body: unknown, depth = 0): boolean {
  if (body === null || typeof body !== 'object' || depth > MAX_DEPTH_OF_ITEMS) return false
  if (Array.isArray(body)) return body.some((item) => removesRecords(item, depth + 1))
  return Object.entries(body).some(
    ([name, value]) =>
      ((name === 'op' || name === 'action') && REMOVING_WORDS.has(String(value))) || removesRecords(value, depth + 1),
  )
}

/** A file cannot pass through a conversation. */
export const needsFile = ({ upload, streamedTypes, data, method }: AnyOperation): boolean =>
  (upload !== undefined && upload.json === undefined) ||
  streamedTypes !== undefined ||
  (data === undefined && method !== 'delete')
