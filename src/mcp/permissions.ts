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
const REMOVING_IDS = new Set(['undoImport', 'mergeTag', 'mergeFeedbackItem'])

/** What the operation needs; undefined if every assistant may call the operation. */
export function findNeededAllowance({ id, method, scope }: AnyOperation): Allowance | undefined {
  if (method === 'get') return undefined
  if (scope === 'keys:write' || scope === 'webhooks:write') return 'keys'
  if (method === 'delete' || REMOVING_IDS.has(id)) return 'removals'
  return scope === 'mail:write' || MAILING_IDS.has(id) ? 'mail' : undefined
}

/** Names of changes in a body that remove something. */
const REMOVING_WORDS = new Set(['remove', 'delete', 'merge'])

/** Whether an item of a bulk operation, or the action of a body, removes something. */
export function removesRecords(body: unknown): boolean {
  const items: unknown[] = Array.isArray(body) ? body : [body]
  return items.some((item) => {
    const { op, action } = Object(item) as { op?: unknown; action?: unknown }
    return REMOVING_WORDS.has(String(op)) || REMOVING_WORDS.has(String(action))
  })
}

/** A file cannot pass through a conversation. */
export const needsFile = ({ upload, streamedTypes, data, method }: AnyOperation): boolean =>
  (upload !== undefined && upload.json === undefined) ||
  streamedTypes !== undefined ||
  (data === undefined && method !== 'delete')
