// The data of a database before a measurement, inserted with SQL: the same rows with the same ids in each run.

import { TREE } from './operations.ts'

const DAY = 86_400_000
const START = Date.UTC(2024, 0, 1)

/** Rows of a table. `values` are SQL by column, with `n` counting from 1. */
export interface Rows {
  table: string
  /** A single row by default. */
  count?: number
  values: Record<string, string | number>
}

export interface Seed {
  size: number
  mailed: number
  jti: string
}

export function listSeedRows({ size, mailed, jti }: Seed): Rows[] {
  const now = Date.now()
  const kpis = Math.max(100, size / 10)
  const people = Math.max(size, mailed)
  const tenant = { subscription_id: 1 }
  const product = { subscription_id: 1, product_id: 1 }
  const stamped = { created_at: now, updated_at: now }
  const at = `${START} + n * 1000`
  const spread = { created_at: at, updated_at: at }
  const number = (prefix: string, value: number): Rows => ({
    table: 'counters',
    values: { ...tenant, prefix: `'${prefix}'`, value },
  })
  // The second product starts after the ids and keys of the first product.
  const BEYOND = 1_000_000_000
  const inTree = (type: string, prefix: string, from: number, count: number, values: Rows['values']): Rows => ({
    table: 'work_items',
    count,
    values: {
      ...{ id: `${BEYOND + from} + n`, subscription_id: 1, product_id: 2, type: `'${type}'` },
      ...{
        external_key: `'${prefix}-' || (${BEYOND} + n)`,
        rank: `printf('%012d', n)`,
        summary: `'Pay by card ' || n`,
      },
      ...values,
      ...spread,
    },
  })
  const epicOf = `${BEYOND + 1} + (n - 1) % ${TREE.epics}`
  const voter = (user_id: number): Rows => ({
    table: 'feedback_votes',
    count: size,
    values: { ...tenant, feedback_id: 'n', user_id, created_at: at },
  })
  return [
    { table: 'subscriptions', values: { id: 1, name: `'Bench'`, created_at: now } },
    {
      table: 'users',
      values: {
        id: 1,
        ...tenant,
        email: `'owner@example.com'`,
        first_name: `'Olga'`,
        last_name: `'Owner'`,
        role: `'owner'`,
        ...stamped,
      },
    },
    {
      table: 'products',
      values: {
        id: 1,
        ...tenant,
        external_key: `'BENCH-1'`,
        name: `'Bench'`,
        ...stamped,
      },
    },
    {
      table: 'api_keys',
      values: {
        id: 1,
        ...tenant,
        jti: `'${jti}'`,
        user_id: 1,
        name: `'bench'`,
        scopes: `'["*"]'`,
        created_at: now,
        expires_at: now + DAY,
        last_used_at: now,
      },
    },
    number('EP', size),
    number('FE', size),
    number('KPI', kpis),
    number('kpi_record', kpis * 12),
    number('IDEA', size),
    number('PE', 1),
    number('OP', size),
    {
      table: 'log',
      count: size,
      values: {
        ...product,
        place: '(1 << 32) + n',
        type: `'epic.created'`,
        actor_user_id: 1,
        resource_key: `'EP-' || n`,
        data: `'{"summary":"Epic"}'`,
        created_at: at,
      },
    },
    {
      table: 'work_items',
      count: size,
      values: {
        id: 'n',
        ...product,
        type: `'epic'`,
        external_key: `'EP-' || n`,
        rank: `printf('%012d', n)`,
        summary: `'Checkout without an account, part ' || n`,
        color: `'#2f6fed'`,
        description: `'<p>Let guests buy in <strong>under a minute</strong>, and ask for an account afterwards.</p>'`,
        business_goal: `'Fewer abandoned carts'`,
        tags: `'["checkout","mobile"]'`,
        urls: `'[{"url":"https://example.com/research/' || n || '"}]'`,
        jira_key: `'SHOP-' || n`,
        estimate: `'21'`,
        business_value: `'34'`,
        score: 8250,
        ...spread,
      },
    },
    {
      table: 'work_items',
      count: size,
      values: {
        ...product,
        type: `'feature'`,
        external_key: `'FE-' || n`,
        epic_id: 'n',
        rank: `printf('%012d', n)`,
        summary: `'Pay by card ' || n`,
        ...spread,
      },
    },
    {
      table: 'products',
      values: { id: 2, ...tenant, external_key: `'BENCH-2'`, name: `'Tree'`, ...stamped },
    },
    inTree('epic', 'EP', 0, TREE.epics, {}),
    inTree('feature', 'FE', TREE.epics, TREE.features, { epic_id: epicOf, estimate: `'8'` }),
    // The n-th feature belongs to the n-th epic, and the count starts again after the last epic.
    inTree('userstory', 'US', TREE.epics + TREE.features, TREE.stories, {
      epic_id: epicOf,
      feature_id: `${BEYOND + TREE.epics + 1} + (n - 1) % ${TREE.features}`,
      story_point: `'5'`,
      progress_percentage: 'n % 100',
    }),
    {
      table: 'kpis',
      count: kpis,
      values: {
        id: 'n',
        ...product,
        external_key: `'KPI-' || n`,
        title: `'Conversion ' || n`,
        benchmark: 450,
        benchmark_unit: `'%'`,
        benchmark_type: `'MORE'`,
        order: 'n',
        ...spread,
      },
    },
    {
      table: 'kpi_records',
      count: kpis * 12,
      values: {
        id: 'n',
        ...tenant,
        kpi_id: '(n - 1) / 12 + 1',
        value: 'n % 1000',
        created_at: `${START} + ((n - 1) % 12) * 30 * ${DAY}`,
      },
    },
    {
      table: 'kpi_days',
      count: kpis * 12,
      values: {
        ...tenant,
        kpi_id: '(n - 1) / 12 + 1',
        day: `${START} / ${DAY} + ((n - 1) % 12) * 30`,
        records: 1,
        sum_high: 0,
        sum_low: 'n % 1000',
        least: 'n % 1000',
        greatest: 'n % 1000',
        last_at: `${START} + ((n - 1) % 12) * 30 * ${DAY}`,
        last_value: 'n % 1000',
      },
    },
    {
      table: 'feedback_categories',
      values: {
        id: 1,
        ...tenant,
        name: `'Product'`,
        slug: `'product'`,
        ...stamped,
      },
    },
    {
      table: 'tags',
      values: {
        id: 1,
        ...product,
        name: `'ux'`,
        slug: `'ux'`,
        ...stamped,
      },
    },
    {
      table: 'feedback_items',
      count: size,
      values: {
        id: 'n',
        ...product,
        external_key: `'IDEA-' || n`,
        slug: `'idea-' || n`,
        title: `'Idea ' || n`,
        target_audience: `'Night owls'`,
        value_proposition: `'Easier on the eyes'`,
        category_id: 1,
        long_description: `'<p>Easier on the eyes after sunset.</p>'`,
        user_id: 1,
        ...spread,
      },
    },
    voter(1),
    voter(2),
    {
      table: 'feedback_comments',
      count: size,
      values: {
        ...tenant,
        feedback_id: 'n',
        user_id: 2,
        text: `'Yes, please.'`,
        ...spread,
      },
    },
    { table: 'feedback_tags', count: size, values: { ...tenant, feedback_id: 'n', tag_id: 1 } },
    {
      table: 'personas',
      values: {
        id: 1,
        ...product,
        external_key: `'PE-1'`,
        name: `'Paula Planner'`,
        ...stamped,
      },
    },
    {
      table: 'persona_summaries',
      values: {
        id: 1,
        ...tenant,
        persona_id: 1,
        type: `'gain'`,
        text: `'Shows the board one page it trusts'`,
        ...stamped,
      },
    },
    {
      table: 'opportunities',
      count: size,
      values: {
        ...product,
        persona_id: 1,
        summary_id: 1,
        external_key: `'OP-' || n`,
        summary: `'One page ' || n`,
        order: 'n',
        plan_order: 'n',
        ...spread,
      },
    },
    {
      table: 'users',
      count: people,
      values: {
        id: 'n + 1',
        ...tenant,
        email: `'member-' || n || '@example.com'`,
        first_name: `'Member'`,
        role: `'idm_member'`,
        ...spread,
      },
    },
    {
      table: 'segments',
      values: {
        id: 1,
        ...tenant,
        name: `'Testers'`,
        user_count: size,
        ...stamped,
      },
    },
    {
      table: 'segments',
      values: {
        id: 2,
        ...tenant,
        name: `'Everyone'`,
        user_count: mailed,
        ...stamped,
      },
    },
    {
      table: 'segment_members',
      count: size,
      values: { ...tenant, segment_id: 1, user_id: 'n + 1', created_at: at },
    },
    {
      table: 'segment_members',
      count: mailed,
      values: { ...tenant, segment_id: 2, user_id: 'n + 1', created_at: at },
    },
  ]
}
