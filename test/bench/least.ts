// The second floor: a handwritten minimal SQL statement per operation, in a worker without a framework. The difference
// to the service is the price of keys, refusals, numbers, events and JSON.

interface Database {
  prepare(sql: string): { bind(...values: (string | number)[]): { all(): Promise<{ results: object[] }> } }
}

interface Env {
  DB: Database
  /** JSON with the length of the service's response for each operation. */
  BYTES: string
}

interface Route {
  method: string
  path: RegExp
  sql: string
  bind(asked: { request: Request; key: string; limit: number }): Promise<(string | number)[]>
}

const P = '/api/initiatives/BENCH-1'
const PAGE = 50

const EPIC = `id, external_key, type, product_id, coalesce(epic_id, 0) AS epic_id, coalesce(feature_id, 0) AS feature_id,
  summary, status, color, progress,
  coalesce((SELECT round(iif(r.points > 0, r.weighted * 1.0 / r.points, r.percent * 1.0 / r.leaves)) FROM work_item_rollups r
    WHERE r.subscription_id = 1 AND r.work_item_id = work_items.id AND r.leaves > 0), progress_percentage) AS progress_percentage,
  first_child, backlog, description, business_goal, personas, team_id, user_ids, start_date, end_date, tags, urls,
  attributes, jira_id, jira_key, external_progress, estimate, business_value, story_point, remaining_time, score, scoring,
  version, created_at, updated_at`

const IDEA = `f.id, f.type, f.slug, f.external_key, f.title, f.target_audience, f.value_proposition, f.long_description,
  f.attributes, f.cover_photo_url, f.cover_photos, f.visibility_level, f.is_voting_open, f.voting_start_time,
  f.voting_end_time, f.product_id, f.is_pinned, f.is_anonymous, f.status_id, s.name AS status, f.user_id, f.vote,
  f.comment, f.collections, f.version, f.created_at, f.updated_at, u.first_name, u.last_name, u.email,
  i.id AS work_item_id, i.external_key AS work_item_key, i.type AS work_item_type,
  c.id AS category_id, c.name AS category_name, c.slug AS category_slug, c.description AS category_description,
  EXISTS (SELECT 1 FROM feedback_votes
    WHERE subscription_id = 1 AND feedback_id = f.id AND user_id = 1) AS voted,
  (SELECT json_group_array(user_id) FROM (SELECT user_id FROM feedback_votes
    WHERE subscription_id = 1 AND feedback_id = f.id AND type = 'up' ORDER BY created_at DESC, user_id DESC LIMIT 50)) AS votes,
  (SELECT json_group_array(text) FROM (SELECT text FROM feedback_comments
    WHERE subscription_id = 1 AND feedback_id = f.id AND is_private = 0 AND deleted_at IS NULL
    ORDER BY created_at DESC, id DESC LIMIT 50)) AS comments,
  (SELECT json_group_array(json_array(t.id, t.name, t.slug)) FROM feedback_tags l JOIN tags t ON t.id = l.tag_id
    WHERE l.subscription_id = 1 AND l.feedback_id = f.id) AS tags
  FROM feedback_items f LEFT JOIN users u ON u.id = f.user_id LEFT JOIN feedback_categories c ON c.id = f.category_id
    LEFT JOIN feedback_statuses s ON s.id = f.status_id LEFT JOIN work_items i ON i.id = f.work_item_id
  WHERE f.subscription_id = 1 AND f.deleted_at IS NULL AND f.merged_into IS NULL`

const ROUTES: Record<string, Route> = {
  getEpic: {
    method: 'GET',
    path: new RegExp(`^${P}/epics/(EP-\\d+)$`),
    sql: `SELECT ${EPIC} FROM work_items
      WHERE subscription_id = 1 AND external_key = ?1 AND type = 'epic' AND deleted_at IS NULL`,
    bind: async ({ key }) => [key],
  },
  listEpics: {
    method: 'GET',
    path: new RegExp(`^${P}/epics(?:\\?|$)`),
    sql: `SELECT ${EPIC} FROM work_items WHERE product_id = 1 AND type = 'epic' AND deleted_at IS NULL
      ORDER BY created_at DESC, id DESC LIMIT ?1`,
    bind: async ({ limit }) => [limit],
  },
  createEpic: {
    method: 'POST',
    path: new RegExp(`^${P}/epics$`),
    sql: `INSERT INTO work_items (subscription_id, product_id, type, external_key, rank, summary, color, description,
        business_goal, start_date, tags, urls, jira_key, estimate, business_value, score, created_at, updated_at)
      VALUES (1, 1, 'epic', 'EP-' || (SELECT max(id) + 1 FROM work_items), '', ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,
        ?11, ?12, ?12) RETURNING id, external_key, summary`,
    async bind({ request }) {
      const body = await request.json<Record<string, string> & { urls: object[]; score: number }>()
      return [
        ...[body.summary, body.color, body.description, body.businessGoal, Date.parse(body.startDate ?? '')],
        ...[body.tags, JSON.stringify(body.urls), body.jiraKey, body.estimate, body.businessValue],
        ...[Math.round(body.score * 100), Date.now()],
      ].map((value) => value ?? '')
    },
  },
  modifyEpic: {
    method: 'PUT',
    path: new RegExp(`^${P}/epics/(EP-\\d+)$`),
    sql: `UPDATE work_items SET summary = ?2, progress = ?3, business_value = ?4, score = ?5, version = version + 1,
        updated_at = ?6
      WHERE subscription_id = 1 AND external_key = ?1 AND type = 'epic' AND deleted_at IS NULL
      RETURNING id, external_key, summary`,
    async bind({ request, key }) {
      const body = await request.json<{ summary: string; progress: string; businessValue: string; score: number }>()
      return [key, body.summary, body.progress, body.businessValue, Math.round(body.score * 100), Date.now()]
    },
  },
  listKpis: {
    method: 'GET',
    path: new RegExp(`^${P}/kpis(?:\\?|$)`),
    sql: `SELECT k.id, k.title, k.external_key, k.benchmark, k.benchmark_unit, k.benchmark_type, k.product_id, k.due_date,
        k.statement, k.created_at, k.visualization, k.dashboard_visualization, k."order", k.version,
        (SELECT json_group_array(json_array(id, value, created_at)) FROM (SELECT id, value, created_at FROM kpi_records
          WHERE subscription_id = 1 AND kpi_id = k.id ORDER BY created_at DESC, id DESC LIMIT 100)) AS revisions
      FROM kpis k WHERE k.product_id = 1 AND k.linked = 0 AND k.deleted_at IS NULL ORDER BY k."order", k.id LIMIT ?1`,
    bind: async ({ limit }) => [limit],
  },
  listFeedback: {
    method: 'GET',
    path: /^\/api\/feedback-items(?:\?limit|$)/,
    sql: `SELECT ${IDEA} ORDER BY f.created_at DESC, f.id DESC LIMIT ?1`,
    bind: async ({ limit }) => [limit],
  },
  getFeedback: {
    method: 'GET',
    path: /^\/api\/feedback-items\?slug=([a-z0-9-]+)$/,
    sql: `SELECT ${IDEA} AND f.slug = ?1`,
    bind: async ({ key }) => [key],
  },
  createOpportunity: {
    method: 'POST',
    path: /^\/api\/v2\/persona\/PE-1\/summaries\/(1)\/opportunities$/,
    sql: `INSERT INTO opportunities (subscription_id, product_id, persona_id, summary_id, external_key, summary, "order",
        plan_order, created_at, updated_at)
      SELECT 1, 1, 1, ?1, 'OP-' || n, ?2, n, n, ?3, ?3 FROM (SELECT max(id) + 1 AS n FROM opportunities) RETURNING *`,
    async bind({ request, key }) {
      const { valuePropositionName } = await request.json<{ valuePropositionName: string }>()
      return [Number(key), valuePropositionName, Date.now()]
    },
  },
}

export const least = Object.keys(ROUTES)

let bytes: Record<string, number> | undefined

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const lengths: Record<string, number> = bytes ?? JSON.parse(env.BYTES)
    bytes = lengths
    const path = request.url.slice(request.url.indexOf('/', 8))
    for (const id in ROUTES) {
      const route = ROUTES[id]
      if (route?.method !== request.method) continue
      const match = route.path.exec(path)
      if (!match) continue
      const limit = Number(/[?&]limit=(\d+)/.exec(path)?.[1] ?? (id === 'listFeedback' ? 2 * PAGE : PAGE))
      const bound = await route.bind({ request, key: match[1] ?? '', limit })
      const { results } = await env.DB.prepare(route.sql)
        .bind(...bound)
        .all()
      if (!results.length) break
      const body = `{"success":true,"data":${JSON.stringify(results)},"padding":"`
      const padding = ' '.repeat(Math.max(0, (lengths[id] ?? 0) - body.length - 2))
      return new Response(`${body}${padding}"}`, { headers: { 'content-type': 'application/json' } })
    }
    return new Response('Not found', { status: 404 })
  },
}
