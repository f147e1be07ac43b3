import { env } from 'cloudflare:workers'
import { MAX_KEPT_EXPORTS } from '../../src/workspace/exports/schema'
import { MAX_INCOMING_WEBHOOKS } from '../../src/workspace/incoming-webhooks/schema'
import { MAX_REPLAYED_EVENTS } from '../../src/workspace/webhooks/queries/deliveries'
import { MAX_WEBHOOKS_PER_WORKSPACE } from '../../src/workspace/webhooks/schema'
import { readClock } from '../clock'
import type { Workspace } from '../factories'
import { MAKERS, type Records } from '../world'
import { copyNewestRow, readLayout } from './copy-rows'
import { createScenario, type Scenario } from './table'

/** Records of each kind, and links on one record. */
export const MANY = Number(env.COST_RECORDS)
/** `npm run check:costs` measures all queries and the time. `npm test` takes a sample, and counts rows and bytes. */
export const isSample = MANY < 20_000
// Work items are one table: together they are more than a page of a list walks.
const HALF = Math.ceil(MANY * 0.505)

/** Tables that hold fewer, because the service refuses more. */
const MOST: Record<string, number> = {
  webhooks: MAX_WEBHOOKS_PER_WORKSPACE - 20,
  incoming_webhooks: MAX_INCOMING_WEBHOOKS - 20,
  exports: MAX_KEPT_EXPORTS - 20,
  story_map_activities: 3_000,
  story_map_steps: 3_000,
  story_map_swimlanes: 3_000,
}

/** Attributes of a member or an item: as many as it may have. */
const ATTRIBUTES = JSON.stringify(
  Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`attribute ${n}`, `value ${n}`])),
)

/** The tables of records whose id a path parameter does not give: the column that it does give. */
const KEYED: Record<string, string> = {
  products: 'external_key',
  work_items: 'external_key',
  solution_versions: 'external_key',
  kpis: 'external_key',
  feedback_items: 'external_key',
  personas: 'external_key',
  opportunities: 'external_key',
  experiments: 'external_key',
  documents: 'external_key',
  changelog_entries: 'external_key',
}

/** Links of many records to one: `hang` makes them again, with `?1` the workspace, `?2` the one, and `?3` how many. */
interface Burden {
  /** Path parameters that name the one. */
  of: readonly string[]
  hang: readonly string[]
}

const ITEMS = ['epic_external_key', 'feature_external_key', 'card_external_key', 'item_external_key']
const newest = (table: string) => `(SELECT id FROM ${table} WHERE subscription_id = ?1 ORDER BY id DESC LIMIT ?3)`
const column = (table: string, name: string, also = '') =>
  `UPDATE OR IGNORE ${table} SET ${name} = ?2${also} WHERE id IN ${newest(table)}`
/** As many files as a record can have. */
const FILES = 1_000
/** As many links between items as one may have. */
const LINKS = 190
const stories = `(SELECT id FROM work_items WHERE subscription_id = ?1 AND type = 'userstory' AND id <> ?2
  ORDER BY id DESC LIMIT ?3)`

/** One line for each table whose rows hang on another record. */
const BURDENS: readonly Burden[] = [
  {
    of: ['epic_external_key'],
    hang: [`UPDATE OR IGNORE work_items SET epic_id = ?2, deleted_at = NULL WHERE id IN ${stories}`],
  },
  {
    of: ['feature_external_key'],
    hang: [
      `UPDATE OR IGNORE work_items SET feature_id = ?2, deleted_at = NULL,
        epic_id = (SELECT f.epic_id FROM work_items f WHERE f.id = ?2) WHERE id IN ${stories}`,
    ],
  },
  {
    of: ITEMS,
    hang: [
      `INSERT OR IGNORE INTO work_item_kpis (subscription_id, work_item_id, kpi_id) SELECT ?1, ?2, id FROM ${newest('kpis')}`,
      `INSERT OR IGNORE INTO work_item_files (subscription_id, work_item_id, asset_id)
        SELECT ?1, ?2, id FROM ${newest('assets')} LIMIT ${FILES}`,
      `INSERT OR IGNORE INTO experiment_work_items (subscription_id, experiment_id, work_item_id)
        SELECT ?1, id, ?2 FROM ${newest('experiments')}`,
      column('feedback_items', 'work_item_id'),
      column('work_item_comments', 'work_item_id', ', deleted_at = NULL, parent_id = NULL'),
      `INSERT OR IGNORE INTO work_item_links (subscription_id, product_id, from_id, to_id, type, created_at)
        SELECT ?1, w.product_id, ?2, w.id, 'relates', w.id FROM ${stories} s CROSS JOIN work_items w ON w.id = s.id
        WHERE NOT EXISTS (SELECT 1 FROM work_item_links l WHERE l.subscription_id = ?1 AND l.from_id = ?2 LIMIT 1 OFFSET 9)
        LIMIT ${LINKS}`,
      `INSERT OR IGNORE INTO work_item_keys (subscription_id, external_key, work_item_id, created_at)
        SELECT ?1, 'EP-' || (7000000 + id), ?2, 0 FROM ${newest('kpis')}`,
      `INSERT OR IGNORE INTO solution_version_items (subscription_id, solution_version_id, work_item_id, position)
        SELECT ?1, id, ?2, 0 FROM ${newest('solution_versions')}`,
    ],
  },
  {
    of: ['solution_version_external_key'],
    hang: [
      `INSERT OR IGNORE INTO solution_version_items (subscription_id, solution_version_id, work_item_id, position)
        SELECT ?1, ?2, id, id FROM (SELECT id FROM work_items WHERE subscription_id = ?1 ORDER BY id LIMIT 1000) WHERE ?3`,
      column('story_map_swimlanes', 'solution_version_id'),
    ],
  },
  {
    of: ['kpi_external_key', 'traced_external_key'],
    hang: [
      `INSERT OR IGNORE INTO work_item_kpis (subscription_id, work_item_id, kpi_id) SELECT ?1, id, ?2 FROM ${stories}`,
      column('experiments', 'kpi_id'),
    ],
  },
  {
    of: ['tagId'],
    hang: [
      `INSERT OR IGNORE INTO feedback_tags (subscription_id, feedback_id, tag_id) SELECT ?1, id, ?2 FROM ${newest('feedback_items')}`,
      `INSERT OR IGNORE INTO work_item_tags (subscription_id, product_id, slug, work_item_id)
        SELECT ?1, t.product_id, t.slug, s.id FROM tags t, ${stories} s WHERE t.id = ?2`,
    ],
  },
  {
    of: ['assetId'],
    hang: [
      `INSERT OR IGNORE INTO work_item_files (subscription_id, work_item_id, asset_id) SELECT ?1, id, ?2 FROM ${stories}`,
      column('changelog_entries', 'cover_id'),
    ],
  },
  {
    of: ['memberId', 'userId'],
    hang: [
      `INSERT OR IGNORE INTO feedback_subscriptions (subscription_id, feedback_id, user_id, reason, created_at)
        SELECT ?1, id, ?2, 'author', 0 FROM ${newest('feedback_items')}`,
      `INSERT OR IGNORE INTO feedback_votes (subscription_id, feedback_id, user_id, created_at, type)
        SELECT ?1, id, ?2, 0, 'up' FROM ${newest('feedback_items')}`,
      column('feedback_items', 'user_id'),
      column('feedback_comments', 'user_id'),
      column('work_item_comments', 'user_id'),
      column('assets', 'user_id'),
      `INSERT OR IGNORE INTO team_members (subscription_id, team_id, user_id) SELECT ?1, id, ?2 FROM ${newest('teams')}`,
    ],
  },
  {
    of: ['memberId'],
    hang: [
      `INSERT OR IGNORE INTO segment_members (subscription_id, segment_id, user_id, created_at)
        SELECT ?1, id, ?2, 0 FROM ${newest('segments')}`,
    ],
  },
  {
    of: ['teamId'],
    hang: [
      `INSERT OR IGNORE INTO team_members (subscription_id, team_id, user_id) SELECT ?1, ?2, id FROM ${newest('users')} LIMIT 1000`,
      `INSERT OR IGNORE INTO team_products (subscription_id, team_id, product_id) SELECT ?1, ?2, id FROM ${newest('products')} LIMIT 1000`,
      `UPDATE OR IGNORE work_items SET team_id = ?2 WHERE id IN ${stories}`,
      column('opportunities', 'team_id'),
    ],
  },
  {
    of: ['apiKeyId'],
    hang: [`UPDATE OR IGNORE api_keys SET issued_by = ?2 WHERE id IN ${newest('api_keys')} AND id <> ?2`],
  },
  {
    of: ['segmentId'],
    hang: [
      `INSERT OR IGNORE INTO segment_members (subscription_id, segment_id, user_id, created_at)
        SELECT ?1, ?2, id, 0 FROM ${newest('users')}`,
      column('emails', 'segment_id'),
    ],
  },
  {
    of: ['emailId'],
    hang: [
      `UPDATE OR IGNORE email_recipients SET email_id = ?2 WHERE subscription_id = ?1 AND email_id <> ?2 AND position > 0`,
    ],
  },
  {
    of: ['feedback_external_key'],
    hang: [
      `UPDATE OR IGNORE feedback_comments SET feedback_id = ?2, deleted_at = NULL WHERE id IN ${newest('feedback_comments')}`,
      `INSERT OR IGNORE INTO feedback_votes (subscription_id, feedback_id, user_id, created_at, type)
        SELECT ?1, ?2, id, 0, 'up' FROM ${newest('users')}`,
      `INSERT OR IGNORE INTO feedback_subscriptions (subscription_id, feedback_id, user_id, reason, created_at)
        SELECT ?1, ?2, id, 'voter', 0 FROM ${newest('users')}`,
    ],
  },
  { of: ['categoryId'], hang: [column('feedback_items', 'category_id')] },
  { of: ['statusId'], hang: [column('feedback_items', 'status_id')] },
  {
    of: ['persona_external_key'],
    hang: [
      column('opportunities', 'persona_id', ', deleted_at = NULL'),
      column('persona_summaries', 'persona_id', ', deleted_at = NULL'),
      `INSERT OR IGNORE INTO experiment_personas (subscription_id, experiment_id, persona_id, created_at)
        SELECT ?1, id, ?2, 0 FROM ${newest('experiments')}`,
    ],
  },
  { of: ['summaryId'], hang: [column('opportunities', 'summary_id')] },
  { of: ['opportunity_external_key'], hang: [column('experiments', 'opportunity_id')] },
  { of: ['templateId'], hang: [column('documents', 'template_id')] },
  { of: ['boardSegmentId'], hang: [column('personas', 'board_segment_id')] },
  {
    of: ['customFieldId'],
    hang: [
      `INSERT OR IGNORE INTO persona_custom_values (subscription_id, persona_id, field_id, value)
        SELECT ?1, p.id, ?2, (SELECT json_array(o.id) FROM persona_custom_options o WHERE o.subscription_id = ?1 AND o.field_id = ?2 LIMIT 1)
        FROM ${newest('personas')} p`,
    ],
  },
]

export interface Heavy extends Scenario {
  /** A product with many epics and features; that of the records has many stories. */
  second: string
  /** A range of time in which as many events happened as one replay delivers. */
  eventful: { from: string; to: string }
}

const WEEK = 7 * 24 * 60 * 60 * 1_000
const SECOND = 1_000
// A little less than a replay delivers at most.
const EVENTS = Math.min(MANY, MAX_REPLAYED_EVENTS - 100)

/** Moves the events into the last week, one a second; gives a range with many of them. */
async function spreadEvents(subscriptionId: number): Promise<Heavy['eventful']> {
  const start = readClock() - WEEK
  await run(`UPDATE log SET created_at = ?2 + id * ${SECOND} WHERE subscription_id = ?1`, subscriptionId, start)
  return { from: new Date(start).toISOString(), to: new Date(start + EVENTS * SECOND).toISOString() }
}

/** Ranks that differ: equal ones are rare, and compared one by one. */
async function ranksOf(table: string): Promise<Record<string, string>> {
  const { columns } = await readLayout(table)
  return columns.some(({ name }) => name === 'rank') ? { rank: `printf('k%012d', n)` } : {}
}

const run = (text: string, ...values: (number | string)[]) => {
  const count = Math.max(0, ...[...text.matchAll(/\?(\d+)/g)].map((match) => Number(match[1])))
  return env.DB.prepare(text)
    .bind(...values.slice(0, count))
    .run()
}

/** The id of what a path parameter names. */
async function idOf(kind: string, records: Records<Workspace>): Promise<number> {
  const value = await records.value(kind)
  const table = MAKERS[kind]?.table ?? ''
  const named = KEYED[table]
  if (!named) return Number(value)
  const { subscriptionId } = records.workspace
  const row = await env.DB.prepare(`SELECT id FROM ${table} WHERE subscription_id = ? AND ${named} = ?`)
    .bind(subscriptionId, value)
    .first<{ id: number }>()
  if (!row) throw new Error(`There is no ${kind} ${value}`)
  return row.id
}

/** Makes the record that a path parameter names the one that many others hang on. */
export async function burden(kind: string, records: Records<Workspace>): Promise<void> {
  const { subscriptionId } = records.workspace
  const hangs = BURDENS.filter(({ of }) => of.includes(kind)).flatMap(({ hang }) => hang)
  if (!hangs.length) return
  const id = await idOf(kind, records)
  for (const hang of hangs) await run(hang, subscriptionId, id, MANY)
}

/** A workspace with so many records of every kind, of which each has as many others on it. */
export async function heavyStage(): Promise<Heavy> {
  const { here, records } = await createScenario()
  const { subscriptionId, product } = here
  for (const name of Object.keys(MAKERS)) await records.value(name)
  const second = await records.withFresh('product_external_key').value('product_external_key')

  const epic = await here.client<{ epicId: number }>('POST', `/api/initiatives/${second}/epics`, {
    json: { summary: 'An epic' },
  })
  const ranks = await ranksOf('work_items')
  await copyNewestRow('work_items', subscriptionId, HALF, ranks)
  const { epicId } = epic.body.data
  await here.client('POST', `/api/initiatives/${second}/features`, { json: { summary: 'A feature', epicId } })
  await copyNewestRow('work_items', subscriptionId, HALF, ranks)
  await here.client('POST', `/api/initiatives/${product.externalKey}/storyMap/card`, { json: { summary: 'A story' } })
  await copyNewestRow('work_items', subscriptionId, MANY, ranks)

  const filled = new Set(['work_items'])
  for (const { table } of Object.values(MAKERS)) {
    if (filled.has(table)) continue
    filled.add(table)
    await copyNewestRow(table, subscriptionId, MOST[table] ?? MANY, await ranksOf(table))
  }
  await run(`UPDATE users SET attributes = ?2 WHERE subscription_id = ?1`, subscriptionId, ATTRIBUTES)
  for (const kind of Object.keys(MAKERS)) await burden(kind, records)
  return { here, records, second: String(second), eventful: await spreadEvents(subscriptionId) }
}
