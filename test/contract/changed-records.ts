import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import type { Workspace } from '../factories'
import type { LoggedEvent } from './log'

interface RecordTable {
  /** Prefix of the event types, as SQL. */
  resource: string
  key?: string
  /** What tells records of one key apart, as SQL. */
  id?: string
  /** Condition of the records that no list shows. */
  hidden?: string
  /** Rows of other tables that a record shows as its own, as SQL of JSON. */
  content?: string
  /** Columns that change without an event: computed values, and the state of work in progress. */
  computed?: readonly string[]
}

const of = (resource: string, more: Omit<RecordTable, 'resource'> = {}): RecordTable => ({
  resource: `'${resource}'`,
  ...more,
})
const BY_KEY = { key: 'external_key' }

const RECORD_TABLES: Record<string, RecordTable> = {
  products: of('product', BY_KEY),
  teams: of('team'),
  settings: of('settings', { key: `'settings'`, id: '0' }),
  portals: of('portal', {
    ...{ key: `'portal'`, id: '0' },
    computed: ['end_user_secret', 'previous_secret', 'previous_until', 'sealed_by'],
  }),
  sign_in_settings: of('sign_in_settings', {
    ...{ key: `'sign_in_settings'`, id: '0' },
    computed: ['client_secret', 'sealed_by'],
  }),
  api_keys: {
    resource: `iif(kind = 'session', 'session', 'api_key')`,
    computed: ['last_used_at', 'expires_at', 'revoked_at'],
  },
  webhooks: of('webhook', {
    computed: ['status', 'position', 'due_at', 'secret', 'previous_secret', 'previous_until'],
  }),
  incoming_webhooks: of('incoming_webhook', {
    computed: [
      ...['secret', 'sealed_by', 'previous_secret', 'previous_until', 'token_hash', 'previous_token_hash'],
      ...['key_id', 'first_key_id'],
    ],
  }),
  exports: of('export', { computed: ['status'] }),
  tags: of('tag', { computed: ['usage_count'] }),
  users: { resource: `'member'` },
  work_items: {
    resource: 'type',
    key: 'external_key',
    content: `(SELECT json_group_array(kpi_id) FROM work_item_kpis c WHERE c.work_item_id = r.id) ||
      (SELECT json_group_array(asset_id) FROM work_item_files c WHERE c.work_item_id = r.id) ||
      (SELECT json_group_array(id) FROM feedback_items c WHERE c.work_item_id = r.id AND c.deleted_at IS NULL)`,
  },
  work_item_comments: of('work_item_comment', { computed: ['tombstone'] }),
  work_item_links: of('work_item_link'),
  solution_versions: of('solution_version', {
    ...BY_KEY,
    content: `(SELECT json_group_array(work_item_id) FROM solution_version_items c WHERE c.solution_version_id = r.id)`,
  }),
  story_maps: of('story_map', { computed: ['part_count', 'card_count'] }),
  story_map_activities: of('story_map_activity'),
  story_map_steps: of('story_map_step'),
  story_map_swimlanes: of('story_map_swimlane'),
  feedback_items: of('feedback', {
    ...BY_KEY,
    hidden: 'deleted_at IS NOT NULL OR merged_into IS NOT NULL',
    computed: ['vote', 'down_vote', 'comment', 'comment_bytes', 'hotness', 'merged_into', 'slug', 'trending'],
    content: `(SELECT json_group_array(tag_id) FROM feedback_tags c WHERE c.feedback_id = r.id)`,
  }),
  feedback_votes: of('vote', {
    id: 'user_id',
    key: '(SELECT external_key FROM feedback_items i WHERE i.id = r.feedback_id)',
    computed: ['merged_from'],
  }),
  feedback_comments: of('comment', { computed: ['tombstone'] }),
  feedback_categories: of('category'),
  feedback_statuses: of('feedback_status'),
  segments: of('segment', { computed: ['user_count', 'counted_at'] }),
  suppressions: of('suppression'),
  changelog_entries: of('changelog_entry', {
    ...BY_KEY,
    content: `(SELECT json_array((SELECT json_group_array(feedback_id) FROM changelog_ideas c WHERE c.changelog_entry_id = r.id),
      (SELECT json_group_array(solution_version_id) FROM changelog_versions c WHERE c.changelog_entry_id = r.id)))`,
  }),
  kpis: of('kpi', BY_KEY),
  personas: of('persona', {
    ...BY_KEY,
    content: `(SELECT json_group_array(json_array(field_id, value)) FROM persona_custom_values c WHERE c.persona_id = r.id)`,
  }),
  persona_summaries: of('summary', { key: '(SELECT external_key FROM personas p WHERE p.id = r.persona_id)' }),
  opportunities: of('opportunity', BY_KEY),
  experiments: of('experiment', BY_KEY),
  documents: of('document', BY_KEY),
  document_templates: of('template'),
  persona_custom_fields: of('custom_field', {
    content: `(SELECT json_group_array(json_array(id, label)) FROM persona_custom_options c WHERE c.field_id = r.id)`,
  }),
  persona_board_segments: of('board_segment'),
  assets: of('asset'),
}

type Row = Record<string, unknown>
export type ChangedRecords = Map<string, Row>

/** The rows of all records of a workspace, without computed columns. */
export async function readRecordRows({ subscriptionId }: Workspace): Promise<ChangedRecords> {
  const tables = Object.entries(RECORD_TABLES)
  const found = await env.DB.batch<Row>(
    tables.map(([table, { resource, key = 'id', id = 'id', hidden = 'NULL', content = 'NULL' }]) =>
      env.DB.prepare(
        `SELECT *, ${resource} AS "@resource", ${key} AS "@key", ${id} AS "@id", ${hidden} AS "@hidden", ${content} AS "@content"
          FROM ${table} r WHERE subscription_id = ?`,
      ).bind(subscriptionId),
    ),
  )
  return new Map(
    tables.flatMap(([, { computed = [] }], n) =>
      (found[n]?.results ?? []).map((row): [string, Row] => {
        const left = ['version', 'updated_at', ...computed]
        const kept = Object.fromEntries(Object.entries(row).filter(([name]) => !left.includes(name)))
        return [`${row['@resource']} ${row['@key']} ${row['@id']}`, kept]
      }),
    ),
  )
}

const isLive = (row: Row | undefined) => row !== undefined && !(row['@hidden'] ?? row.deleted_at ?? false)

/** The events of the changes between two readings, such as `epic.updated EP-1`. */
export function listChangeEvents(before: ChangedRecords, after: ChangedRecords): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [was, is] = [before.get(name), after.get(name)]
    const [resource, key] = name.split(' ')
    const say = (happening: string) => [`${resource}.${happening} ${key}`]
    if (!isLive(was)) return isLive(is) ? say(was ? 'restored' : 'created') : []
    if (!isLive(is)) return say('deleted')
    return JSON.stringify(was) === JSON.stringify(is) ? [] : say('updated')
  })
}

const isOfRecord = ({ type }: LoggedEvent) => /\.(created|updated|deleted|restored)$/.test(type)

export async function readEventsAfter({ client }: Workspace, after: number): Promise<LoggedEvent[]> {
  const { body } = await client<LoggedEvent[]>('GET', `/api/v2/events?after=${after}&limit=100`)
  expect(body.success).toBe(true)
  const last = body.data.at(-1)?.id
  return last === undefined ? [] : [...body.data, ...(await readEventsAfter({ client } as Workspace, last))]
}

export const nameEvents = (events: readonly LoggedEvent[]) =>
  events.filter(isOfRecord).map(({ type, resourceKey }) => `${type.replace('user.', 'member.')} ${resourceKey}`)
