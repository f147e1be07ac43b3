import type { SealedSecret } from '../../../http/sealed-secret'
import { toHex } from '../../../text/sha256'
import { makeSafeFileName } from '../../assets/name'
import { makeObjectKey } from '../../objects/fields'
import { type Cell, type FileRow, renumberId, renumberRow } from './renumber'
import type { RestoreState } from './state'

export interface ErasedPeople {
  /** Ids in the file of people who were erased after the export. */
  ids: ReadonlySet<number>
  /** Addresses in the file of these people. */
  addresses: Set<string>
}

export interface PrepareContext {
  subscriptionId: number
  now: number
  state: RestoreState
  erased: ErasedPeople
  /** A webhook needs a secret to be active. Nobody knows this secret, and the user rotates it. */
  sealedSecret: SealedSecret
}

const MEDIA_TYPE_PATTERN = /^[a-z]+\/[a-z\d.+-]{1,100}$/

type RowChange = (row: FileRow, at: PrepareContext) => Record<string, Cell>

const TOKEN_BYTES = 32
const makeToken = () => toHex(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)).buffer)

/** Columns whose values in the file do not hold in another workspace. */
const CHANGES_BY_TABLE: Readonly<Record<string, RowChange>> = {
  // The address of an erased person is the id.
  users: ({ id, email = '' }, { state }) => ({
    email: email === `#${id}` ? `#${renumberId(state, 'users', Number(id))}` : email,
  }),
  // A person can write the name and the type by hand.
  assets: ({ name, mime }, { subscriptionId }) => ({
    objectKey: makeObjectKey('asset', subscriptionId),
    name: makeSafeFileName(String(name)),
    mime: MEDIA_TYPE_PATTERN.test(String(mime)) ? String(mime) : 'application/octet-stream',
  }),
  webhooks: (_, { sealedSecret: { secret, sealer } }) => ({
    ...{ status: 'paused', keyId: 0, firstKeyId: null, position: 0, secret, sealedBy: sealer },
    ...{ dueAt: null, failures: 0, failingSince: null, lastError: null },
  }),
  // Nobody knows the token of the hash: the user rotates the token.
  incoming_webhooks: () => ({ tokenHash: makeToken(), keyId: 0, firstKeyId: null }),
  // The work of sending is not part of an export.
  emails: ({ status, canceledAt = null }, { now }) => ({
    canceledAt: status === 'completed' ? canceledAt : (canceledAt ?? now),
  }),
  // The provider reports to the workspace that has sent the mail.
  email_recipients: ({ status = null }) => ({
    ...{ providerId: null, byId: null, status: status === 'sending' ? 'queued' : status },
  }),
}

// A purge deletes the row of an erased person with its links.
const LONG_AGO = 1

const ERASED_CHANGES_BY_TABLE: Readonly<Record<string, (row: FileRow) => Record<string, Cell>>> = {
  users: ({ id = null }) => ({
    ...{ email: `#${id}`, firstName: '', lastName: '', attributes: '{}', role: 'member' },
    ...{ source: null, externalId: null, deletedAt: LONG_AGO },
  }),
  feedback_items: () => ({ userId: 0 }),
  feedback_comments: () => ({ userId: 0 }),
  work_item_comments: () => ({ userId: 0 }),
  feedback_status_updates: () => ({ userId: 0 }),
  email_recipients: () => ({ email: '', variables: null, reason: null }),
}

const TABLES_WITHOUT_ERASED = new Set([
  ...['team_members', 'segment_confirmations', 'segment_members', 'invitations', 'feedback_subscriptions'],
  ...['mail_preferences', 'changelog_followers'],
])

/** True for rows that say nothing without the erased person. */
export function isLeftOut(table: string, row: FileRow, { ids, addresses }: ErasedPeople): boolean {
  if (table === 'suppressions') return addresses.has(String(row.email))
  if (table === 'detachments') return row.kind === 'segment_member' && ids.has(Number(row.removedId))
  return TABLES_WITHOUT_ERASED.has(table) && ids.has(Number(row.userId))
}

/** The row of the workspace; undefined if the row belongs to an erased person. */
export function prepareRow(table: string, row: FileRow, at: PrepareContext): FileRow | undefined {
  if (isLeftOut(table, row, at.erased)) return undefined
  const renumbered = { ...renumberRow(at.state, table, row), ...CHANGES_BY_TABLE[table]?.(row, at) }
  const isOfErasedPerson = at.erased.ids.has(Number(table === 'users' ? row.id : row.userId))
  return isOfErasedPerson ? { ...renumbered, ...ERASED_CHANGES_BY_TABLE[table]?.(renumbered) } : renumbered
}

/**
 * A row that reserves its id: without parents, because these do not exist yet. The row returns in its turn, as the file
 * has the row.
 */
export function preparePlaceholder(table: string, row: FileRow, at: PrepareContext): FileRow | undefined {
  const prepared = prepareRow(table, row, at)
  return table === 'work_items' && prepared ? { ...prepared, epicId: null, featureId: null } : prepared
}
