import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { LINK_TYPES } from '../../../backlog/links/schema'
import { VERSION_STATUSES } from '../../../backlog/solution-versions/schema'
import { changelogEntries } from '../../../db/schema/changelog'
import { documents, documentTemplates } from '../../../db/schema/documents'
import { experiments } from '../../../db/schema/experiments'
import { feedbackComments, feedbackItems, feedbackVotes } from '../../../db/schema/feedback'
import { mailPreferences } from '../../../db/schema/notices'
import { personaCustomFields, personaCustomValues } from '../../../db/schema/persona-board'
import { opportunities, personaDocumentation, personaSummaries, personas } from '../../../db/schema/personas'
import { portals } from '../../../db/schema/portals'
import {
  emailRecipients,
  emails,
  invitations,
  segmentConfirmations,
  segments,
  suppressions,
} from '../../../db/schema/segments-and-mail'
import { solutionVersions } from '../../../db/schema/solution-versions'
import { feedbackStatusUpdates } from '../../../db/schema/status-updates'
import { storyMaps } from '../../../db/schema/story-maps'
import { users } from '../../../db/schema/tenancy'
import { incomingWebhooks, webhooks } from '../../../db/schema/webhooks'
import { workItemComments, workItemLinks, workItems } from '../../../db/schema/work-items'
import { makeLazy } from '../../../db/sql/statement'
import { FIELD_TYPES } from '../../../discovery/personas/custom-values/fitting-types'
import { CHANGELOG_STATUSES } from '../../../feedback/changelog/schema'
import { CONFIRMATION_STATUSES } from '../../../people/confirmations/schema'
import { MAILING_KINDS } from '../../../people/mail/schema'
import { NOTIFY_CHOICES } from '../../../people/notices/schema'
import { DIGEST_CHOICES } from '../../../people/preferences/schema'
import { SUPPRESSION_REASONS } from '../../../people/suppressions/schema'
import { LOCALES, SIGN_UPS, THEME_MODES, VISIBILITIES } from '../../../portal/settings/schema'
import { USER_ROLES } from '../../../roles'
import { WEBHOOK_ACTIONS } from '../../incoming-webhooks/fields'
import { WEBHOOK_PROVIDERS } from '../../incoming-webhooks/providers'
import type { Cell } from '../restore/renumber'
import { listExportedColumns } from './rows'
import { EXPORTED_TABLES } from './tables'

export type JsonShape = 'list' | 'object' | 'any'

/** Columns with JSON, besides the columns whose default is an empty list or object. */
const JSON_SHAPES = new Map<unknown, JsonShape>([
  [workItems.scoring, 'object'],
  [segments.rules, 'object'],
  [emails.variables, 'object'],
  [emailRecipients.variables, 'object'],
  [personaCustomValues.value, 'any'],
  [webhooks.events, 'list'],
  [webhooks.products, 'list'],
  [incomingWebhooks.target, 'object'],
  [incomingWebhooks.mapping, 'object'],
  [portals.statuses, 'list'],
  [portals.categories, 'list'],
])

const HTML_COLUMNS = new Set<unknown>([
  ...[workItems.description, workItemComments.text, workItemComments.removedText],
  ...[solutionVersions.description, storyMaps.description],
  ...[feedbackItems.longDescription, feedbackComments.text, feedbackComments.removedText],
  ...[personas.description, personaSummaries.text, personaDocumentation.content, opportunities.description],
  ...[documents.content, documentTemplates.content, changelogEntries.content],
])

const ITEM_TYPES = ['epic', 'feature', 'userstory']
const EXPERIMENT_RESULTS = ['validated', 'invalidated', 'inconclusive']

/** Columns with a fixed set of values. */
const ALLOWED_VALUES = new Map<unknown, readonly string[]>([
  [users.role, USER_ROLES],
  [workItems.type, ITEM_TYPES],
  [workItemLinks.type, LINK_TYPES],
  [solutionVersions.status, VERSION_STATUSES],
  [solutionVersions.plannedStatus, ['planned', 'in-progress']],
  [feedbackVotes.type, ['up', 'down']],
  [feedbackStatusUpdates.notify, NOTIFY_CHOICES],
  [changelogEntries.status, CHANGELOG_STATUSES],
  [changelogEntries.notify, NOTIFY_CHOICES],
  [invitations.status, ['pending', 'accepted', 'canceled']],
  [segmentConfirmations.status, CONFIRMATION_STATUSES],
  [mailPreferences.digest, DIGEST_CHOICES],
  [suppressions.reason, SUPPRESSION_REASONS],
  [emails.kind, MAILING_KINDS],
  [emails.status, ['queued', 'sending', 'completed']],
  [emailRecipients.status, ['queued', 'sending', 'sent', 'failed', 'suppressed']],
  [personaSummaries.type, ['pain', 'gain', 'job', 'note']],
  [personaCustomFields.type, FIELD_TYPES],
  [experiments.status, ['draft', 'running', 'stopped']],
  [experiments.result, EXPERIMENT_RESULTS],
  [experiments.decision, ['persevere', 'pivot', 'stop']],
  [portals.visibility, VISIBILITIES],
  [portals.signUp, SIGN_UPS],
  [portals.mode, THEME_MODES],
  [portals.locale, LOCALES],
  [incomingWebhooks.provider, WEBHOOK_PROVIDERS],
  [incomingWebhooks.action, WEBHOOK_ACTIONS],
])

export type NumberRange = readonly [min: number, max: number]

/** Columns whose products SQLite sums: a sum beyond 64 bits fails, also in a cron of all workspaces. */
const ALLOWED_RANGES = new Map<unknown, NumberRange>([[workItems.progressPercentage, [0, 100]]])

export interface CheckedColumn {
  type: string
  jsonShape: JsonShape | null
  html: 'text' | 'mail' | null
  allowedValues: readonly string[] | undefined
  allowedRange: NumberRange | undefined
  /** True for milliseconds since 1970. */
  isMoment: boolean
  isRequired: boolean
  isNullable: boolean
  /** Value in a row of an older version, which did not have the column. */
  missingCell: Cell
}

function findJsonShape(column: SQLiteColumn): JsonShape | null {
  const start = typeof column.default === 'string' ? column.default[0] : undefined
  return JSON_SHAPES.get(column) ?? (start === '[' ? 'list' : start === '{' ? 'object' : null)
}

const checkColumn = (name: string, column: SQLiteColumn): CheckedColumn => ({
  type: column.getSQLType(),
  jsonShape: findJsonShape(column),
  html: HTML_COLUMNS.has(column) ? 'text' : column === emails.html ? 'mail' : null,
  allowedValues: ALLOWED_VALUES.get(column),
  allowedRange: ALLOWED_RANGES.get(column),
  isMoment: /At$/.test(name),
  // An id is its own default for SQLite, but other rows name the id.
  isRequired: column.primary || (column.notNull && !column.hasDefault),
  isNullable: !column.notNull && !column.primary,
  missingCell: (column.default as Cell | undefined) ?? null,
})

/** The exported columns of each table, by the column name of the schema. */
export const listCheckedColumns = makeLazy(
  () =>
    new Map(
      EXPORTED_TABLES.map((exported) => {
        const columns = getTableColumns(exported.table) as Record<string, SQLiteColumn>
        const checked = listExportedColumns(exported).flatMap((name): [string, CheckedColumn][] =>
          columns[name] ? [[name, checkColumn(name, columns[name])]] : [],
        )
        return [getTableName(exported.table), new Map(checked)] as const
      }),
    ),
)
