import type * as z from 'zod'
import { TemplateVariableKey } from '../../../discovery/docs-hub/templates/schema'
import { removePlaceholdersInTags } from '../../../discovery/docs-hub/templates/variables'
import { BrowserOrigin, line } from '../../../http/schemas'
import type { SealedSecret } from '../../../http/sealed-secret'
import { IdeaUrl } from '../../../people/mail/digest/schema'
import { PortalSlug } from '../../../portal/settings/schema'
import { toHex } from '../../../text/sha256'
import { toUnprovenType } from '../../assets/mime'
import { makeSafeFileName } from '../../assets/name'
import { makeObjectKey } from '../../objects/fields'
import { type Cell, type FileRow, type Numbering, parseList, renumberId, renumberRow } from './renumber'

export interface ErasedPeople {
  /** Ids in the file of people who were erased after the export. */
  ids: ReadonlySet<number>
  /** Addresses in the file of these people. */
  addresses: Set<string>
}

export interface PrepareContext {
  subscriptionId: number
  now: number
  numbering: Numbering
  erased: ErasedPeople
  /** A webhook needs a secret to be active. Nobody knows this secret, and the user rotates it. */
  sealedSecret: SealedSecret
}

type RowChange = (row: FileRow, at: PrepareContext) => Record<string, Cell>

const TOKEN_BYTES = 32
const makeToken = () => toHex(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)).buffer)

/** A person can write a value by hand that no request accepts. */
const keepValid = (schema: z.ZodType, cell: Cell = null): Cell => (schema.safeParse(cell).success ? cell : null)

const WorkspaceName = line(200)
const hasVariableKey = (variable: unknown): boolean =>
  TemplateVariableKey.safeParse((variable as { key?: unknown } | null)?.key).success

/** Columns whose values in the file do not hold in another workspace. */
const CHANGES_BY_TABLE: Readonly<Record<string, RowChange>> = {
  // Sign-in pages list the name beside the other workspaces of a person.
  subscriptions: ({ name }) => ({ name: keepValid(WorkspaceName, name) }),
  // The address of an erased person is the id.
  users: ({ id, email = '' }, { numbering }) => ({
    email: email === `#${id}` ? `#${renumberId(numbering, 'users', Number(id))}` : email,
  }),
  settings: ({ cors, ideaUrl }) => ({
    cors: JSON.stringify(parseList(String(cors)).filter((origin) => BrowserOrigin.safeParse(origin).success)),
    ideaUrl: keepValid(IdeaUrl, ideaUrl),
  }),
  portals: ({ slug }) => ({ slug: keepValid(PortalSlug, slug) }),
  // The database fills in the variables, and nothing sanitizes the document after that.
  document_templates: ({ content, variables }) => ({
    content: removePlaceholdersInTags(String(content)),
    variables: JSON.stringify(parseList(String(variables)).filter(hasVariableKey)),
  }),
  // A person can write the name and the type by hand. The bytes, which come later, decide the type.
  assets: ({ name, mime }, { subscriptionId }) => ({
    objectKey: makeObjectKey('asset', subscriptionId),
    name: makeSafeFileName(String(name)),
    mime: toUnprovenType(String(mime)),
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
  // A copy of a workspace mails nobody on its own.
  changelog_entries: ({ status = null, publishAt = null }) =>
    status === 'scheduled' ? { status: 'draft', publishAt: null } : { publishAt },
  segment_confirmations: () => ({ dueAt: null }),
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

function changeRow(table: string, row: FileRow, at: PrepareContext): FileRow {
  const renumbered = { ...renumberRow(at.numbering, table, row), ...CHANGES_BY_TABLE[table]?.(row, at) }
  const isOfErasedPerson = at.erased.ids.has(Number(table === 'users' ? row.id : row.userId))
  return isOfErasedPerson ? { ...renumbered, ...ERASED_CHANGES_BY_TABLE[table]?.(renumbered) } : renumbered
}

/** The slug of a tag is unique in its product, and not in its workspace. A tag without its product is removed, and keeps its id. */
const removeTagWithoutProduct = (table: string, row: FileRow, now: number): FileRow =>
  table === 'tags' && Number(row.productId) < 1 ? { ...row, deletedAt: row.deletedAt ?? now } : row

/**
 * The row of the workspace; undefined if the row belongs to an erased person. Each row with an id of its own comes back:
 * another workspace could take a free id, and other rows of the file may name the id.
 */
export function prepareRow(table: string, row: FileRow, at: PrepareContext): FileRow | undefined {
  if (isLeftOut(table, row, at.erased)) return undefined
  return removeTagWithoutProduct(table, changeRow(table, row, at), at.now)
}

/**
 * A row that reserves its id: without parents, which do not exist yet, and without a slug that is taken. The row returns in its turn, as the file
 * has the row.
 */
export function preparePlaceholder(table: string, row: FileRow, at: PrepareContext): FileRow {
  const changed = changeRow(table, row, at)
  if (table === 'tags') return { ...changed, deletedAt: at.now }
  return table === 'work_items' ? { ...changed, epicId: null, featureId: null } : changed
}
