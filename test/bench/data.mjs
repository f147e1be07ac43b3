// What both databases hold before they are measured, written with SQL: the same rows with the same ids each time.

const DAY = 86_400_000
const START = Date.UTC(2024, 0, 1)

const rows = (count) => `WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${count})`
const at = `${START} + n * 1000`

/** The tables that a size fills, in the order of the statements. */
export function seed({ size, mailed, jti }) {
  const now = Date.now()
  const kpis = Math.max(100, size / 10)
  const people = Math.max(size, mailed)
  return [
    `INSERT INTO subscriptions (id, name, created_at) VALUES (1, 'Bench', ${now})`,
    `INSERT INTO users (id, subscription_id, email, first_name, last_name, role, created_at, updated_at)
     VALUES (1, 1, 'owner@example.com', 'Olga', 'Owner', 'owner', ${now}, ${now})`,
    `INSERT INTO products (id, subscription_id, external_key, name, created_at, updated_at)
     VALUES (1, 1, 'BENCH-1', 'Bench', ${now}, ${now})`,
    `INSERT INTO api_keys (id, subscription_id, jti, user_id, name, scopes, created_at, expires_at, last_used_at)
     VALUES (1, 1, '${jti}', 1, 'bench', '["*"]', ${now}, ${now + DAY}, ${now})`,
    `INSERT INTO counters (subscription_id, prefix, value)
     VALUES (1, 'EP', ${size}), (1, 'FE', ${size}), (1, 'KPI', ${kpis}), (1, 'IDEA', ${size}), (1, 'PE', 1), (1, 'OP', ${size})`,
    `${rows(size)} INSERT INTO events (subscription_id, id, product_id, type, actor_user_id, resource_key, data, created_at)
     SELECT 1, n, 1, 'epic.created', 1, 'EP-' || n, '{"summary":"Epic"}', ${at} FROM n`,

    `${rows(size)} INSERT INTO work_items (id, subscription_id, product_id, type, external_key, rank, summary, color,
       description, business_goal, tags, urls, jira_key, estimate, business_value, score, created_at, updated_at)
     SELECT n, 1, 1, 'epic', 'EP-' || n, printf('%012d', n), 'Checkout without an account, part ' || n, '#2f6fed',
       '<p>Let guests buy in <strong>under a minute</strong>, and ask for an account afterwards.</p>', 'Fewer abandoned carts',
       '["checkout","mobile"]', '[{"url":"https://example.com/research/' || n || '"}]', 'SHOP-' || n, '21', '34', 8250, ${at}, ${at} FROM n`,
    `${rows(size)} INSERT INTO work_items (subscription_id, product_id, type, external_key, epic_id, rank, summary, created_at, updated_at)
     SELECT 1, 1, 'feature', 'FE-' || n, n, printf('%012d', n), 'Pay by card ' || n, ${at}, ${at} FROM n`,

    `${rows(kpis)} INSERT INTO kpis (id, subscription_id, product_id, external_key, title, benchmark, benchmark_unit,
       benchmark_type, "order", created_at, updated_at)
     SELECT n, 1, 1, 'KPI-' || n, 'Conversion ' || n, 450, '%', 'MORE', n, ${at}, ${at} FROM n`,
    `${rows(kpis * 12)} INSERT INTO kpi_records (subscription_id, kpi_id, value, created_at)
     SELECT 1, (n - 1) / 12 + 1, n % 1000, ${START} + ((n - 1) % 12) * 30 * ${DAY} FROM n`,

    `INSERT INTO feedback_categories (id, subscription_id, name, slug, created_at, updated_at) VALUES (1, 1, 'Product', 'product', ${now}, ${now})`,
    `INSERT INTO tags (id, subscription_id, product_id, name, slug, created_at, updated_at) VALUES (1, 1, 1, 'ux', 'ux', ${now}, ${now})`,
    `${rows(size)} INSERT INTO feedback_items (id, subscription_id, product_id, external_key, slug, title, target_audience,
       value_proposition, category_id, long_description, user_id, created_at, updated_at)
     SELECT n, 1, 1, 'IDEA-' || n, 'idea-' || n, 'Idea ' || n, 'Night owls', 'Easier on the eyes', 1,
       '<p>Easier on the eyes after sunset.</p>', 1, ${at}, ${at} FROM n`,
    `${rows(size)} INSERT INTO feedback_votes (subscription_id, feedback_id, user_id, created_at) SELECT 1, n, 1, ${at} FROM n`,
    `${rows(size)} INSERT INTO feedback_votes (subscription_id, feedback_id, user_id, created_at) SELECT 1, n, 2, ${at} FROM n`,
    `${rows(size)} INSERT INTO feedback_comments (subscription_id, feedback_id, user_id, text, created_at, updated_at)
     SELECT 1, n, 2, 'Yes, please.', ${at}, ${at} FROM n`,
    `${rows(size)} INSERT INTO feedback_tags (subscription_id, feedback_id, tag_id) SELECT 1, n, 1 FROM n`,

    `INSERT INTO personas (id, subscription_id, product_id, external_key, name, created_at, updated_at)
     VALUES (1, 1, 1, 'PE-1', 'Paula Planner', ${now}, ${now})`,
    `INSERT INTO persona_summaries (id, subscription_id, persona_id, type, text, created_at, updated_at)
     VALUES (1, 1, 1, 'gain', 'Shows the board one page it trusts', ${now}, ${now})`,
    `${rows(size)} INSERT INTO opportunities (subscription_id, product_id, persona_id, summary_id, external_key, summary,
       "order", plan_order, created_at, updated_at)
     SELECT 1, 1, 1, 1, 'OP-' || n, 'One page ' || n, n, n, ${at}, ${at} FROM n`,

    `${rows(people)} INSERT INTO users (id, subscription_id, email, first_name, role, created_at, updated_at)
     SELECT n + 1, 1, 'member-' || n || '@example.com', 'Member', 'idm_member', ${at}, ${at} FROM n`,
    `INSERT INTO segments (id, subscription_id, name, user_count, created_at, updated_at)
     VALUES (1, 1, 'Testers', ${size}, ${now}, ${now}), (2, 1, 'Everyone', ${mailed}, ${now}, ${now})`,
    `${rows(size)} INSERT INTO segment_members (subscription_id, segment_id, user_id, created_at) SELECT 1, 1, n + 1, ${at} FROM n`,
    `${rows(mailed)} INSERT INTO segment_members (subscription_id, segment_id, user_id, created_at) SELECT 1, 2, n + 1, ${at} FROM n`,
  ]
}
