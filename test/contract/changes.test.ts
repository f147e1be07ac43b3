import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import * as z from 'zod'
import type { AnyOperation } from '../../src/http/operation'
import { call } from '../client'
import { copyNewestRow, readLayout } from './copy-rows'
import { createFilledList, type FilledList } from './filled-lists'
import { type Item, itemIdentity, listAllPages, type Query, sortQueriesOf } from './pages'
import { eachOperation, isList, queryParametersOf, UNLIMITED } from './table'

const changeOf = (item: Item) => String(item.updatedAt ?? item.updated_at)

function showsChange(op: AnyOperation): boolean {
  const { element } = op.data as z.ZodArray
  return element instanceof z.ZodObject && ['updatedAt', 'updated_at'].some((name) => name in element.shape)
}

// Lists of links, and the recipients of a mailing, which change many times while the mailing is sent.
const WITHOUT_ORDER = ['listPersonaExperiments', 'listSegmentUsers', 'listEmailRecipients']

/** Tables of links, with the table of the listed records. */
const LINKED_TABLES: Record<string, string> = { segment_members: 'users', experiment_personas: 'experiments' }

const START = Date.parse('2026-01-31T09:00:00.000Z')

/** Gives the records three times, so that many records have the same time. */
async function spreadChanges({ table, here }: FilledList) {
  const changed = LINKED_TABLES[table] ?? table
  const { id } = await readLayout(changed)
  await env.DB.prepare(`UPDATE ${changed} SET updated_at = ?2 + ${id} % 3 * 1000 WHERE subscription_id = ?1`)
    .bind(here.subscriptionId, START)
    .run()
}

test.each(eachOperation((op) => isList(op) && showsChange(op)))(
  '%s returns exactly the records changed since a time, in each order',
  async (_, op) => {
    expect(Object.keys(queryParametersOf(op))).toContain('updatedSince')
    const sorts = sortQueriesOf(op)
    const hasOrder = ['updatedAt', '-updatedAt'].every((name) => sorts.some(({ sort }) => sort === name))
    expect({ hasOrder }).toEqual({ hasOrder: !WITHOUT_ORDER.includes(op.id) })
    const filled = await createFilledList(op)
    await spreadChanges(filled)
    const { path, unlimited, limited } = filled
    for (const apiKey of [unlimited, limited]) {
      const list = (query: string) => call<Item[]>('GET', `${path}${query}`, { apiKey, env: UNLIMITED })
      // First, because a list keeps the text of its statements.
      await list('?count=true&limit=1')
      const whole = await list('')
      const all = await listAllPages({ path, query: {}, apiKey }, 100)
      expect(whole.body.data.map(itemIdentity)).toEqual(all.map(itemIdentity))
      if (apiKey === unlimited) expect(new Set(all.map(changeOf)).size).toBe(3)
      for (const since of [START, START + 1_000, START + 1_001, START + 2_001]) {
        const updatedSince = new Date(since).toISOString()
        const expected = all.filter((item) => Date.parse(changeOf(item)) >= since).map(itemIdentity)
        const queries: Query[] = [{}, ...(hasOrder ? [{ sort: 'updatedAt' }, { sort: '-updatedAt' }] : [])]
        for (const order of queries) {
          const query = { ...order, updatedSince }
          const found = await listAllPages({ path, query, apiKey }, 2)
          expect({ query, found: found.map(itemIdentity).toSorted() }).toEqual({ query, found: expected.toSorted() })
          const times = found.map(changeOf)
          if (order.sort === 'updatedAt') expect(times).toEqual(times.toSorted())
          if (order.sort === '-updatedAt') expect(times).toEqual(times.toSorted().toReversed())
        }
      }
    }
  },
)

/** Filters that the index of another order serves, with a value for the copies that differs from the asked value. */
const CREATION_FILTERS: Record<string, { filter: string; asked?: string; column: string; other: string }> = {
  listTemplates: { filter: 'category', asked: 'Rare', column: 'category', other: "'Common'" },
  listExperiments: { filter: 'status', asked: 'stopped', column: 'status', other: "'draft'" },
  listPersonas: { filter: 'boardSegmentId', column: 'board_segment_id', other: 'NULL' },
  listSegments: { filter: 'type', asked: 'dynamic', column: 'type', other: "'manual'" },
  listSegmentsWithUsers: { filter: 'type', asked: 'dynamic', column: 'type', other: "'manual'" },
  listEmails: { filter: 'segmentId', column: 'segment_id', other: 'NULL' },
}

// Each of 10,000 records is an entry of the index and a row, and the end of the scan counts the entries again.
const MAX_SCAN_ROWS = 30_100

test.each(eachOperation((op) => op.id in CREATION_FILTERS))(
  '%s looks at 10,000 records for a filter in the order of changes',
  async (_, op) => {
    const { filter = '', asked, column = '', other = '' } = CREATION_FILTERS[op.id] ?? {}
    const { here, table, path, known, unlimited } = await createFilledList(op)
    await copyNewestRow(table, here.subscriptionId, 20_000, { [column]: other })
    for (const sort of ['updatedAt', '-updatedAt']) {
      const query = new URLSearchParams({ [filter]: asked ?? known[filter] ?? '', sort, limit: '100' })
      const { status, cost } = await call('GET', `${path}?${query}`, { apiKey: unlimited, env: UNLIMITED })
      expect({ sort, status, rows: Math.min(cost.rowsRead, MAX_SCAN_ROWS) }).toEqual({
        sort,
        status: 200,
        rows: cost.rowsRead,
      })
    }
  },
)
