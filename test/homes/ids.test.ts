import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createBackgroundDeps } from '../../src/background'
import { runCronJobs } from '../../src/cron'
import { openHome, raiseIdRange, readHomeIds, reserveIdsOfAllRows, runSqlOf } from '../../src/db/client/home'
import {
  findNextRange,
  IDS_PER_RANGE,
  isNumbered,
  NEXT_WORKSPACE_ID,
  reservedTenantOf,
  SELECT_TENANT_TABLES,
  type TenantTable,
} from '../../src/db/sql/home-ids'
import type { QueueMessage } from '../../src/messages'
import { readClock } from '../clock'
import { EU_NUMBER, openTwoHomes } from '../homes'

const { DB_EU } = await openTwoHomes()
const RESERVED = reservedTenantOf(EU_NUMBER)

const listNumberedTables = async (d1: D1Database) =>
  (await d1.prepare(SELECT_TENANT_TABLES).all<TenantTable>()).results.filter(isNumbered)

let lastWorkspace = 2_000_000_000

/** Copies the reserved row of each table without its id, in a workspace of its own, and returns the new ids. */
async function insertNextRows(d1: D1Database, tenant: number): Promise<Record<string, number>> {
  const workspace = ++lastWorkspace
  const tables = await listNumberedTables(d1)
  const results = await d1.batch<{ id: number }>(
    tables.map(({ name, columns }) => {
      const names = (JSON.parse(columns) as { name: string }[])
        .map((column) => column.name)
        .filter((column) => column !== 'id')
      // Tags are unique in a product.
      const values = names.map((column) => (/^(subscription|product)_id$/.test(column) ? workspace : `"${column}"`))
      return d1.prepare(`INSERT INTO "${name}" (${names.map((column) => `"${column}"`)}) SELECT ${values} FROM "${name}"
        WHERE subscription_id = ${tenant} RETURNING id`)
    }),
  )
  return Object.fromEntries(tables.map(({ name }, n) => [name, Number(results[n]?.results[0]?.id)]))
}

const dumpTables = async (d1: D1Database) => {
  const tables = (await d1.prepare(SELECT_TENANT_TABLES).all<TenantTable>()).results
  const rows = await d1.batch(tables.map(({ name }) => d1.prepare(`SELECT * FROM "${name}"`)))
  return tables.map(({ name }, n) => [name, rows[n]?.results])
}

test('the ranges of a home are its own', () => {
  expect(findNextRange(0, -1)).toBe(0)
  expect(findNextRange(5, 0)).toBe(5)
  expect(findNextRange(5, 5)).toBe(2_053)
  expect(findNextRange(0, 2_047)).toBe(2_048)
  expect(findNextRange(2_047, 2_048)).toBe(4_095)
  expect(() => findNextRange(1, 2 ** 21)).toThrow('Home 1 has no range of ids above 2097152.')
})

test('an opened home has a reserved row in each numbered table, and no further row of the reserved workspace', async () => {
  const tables = await listNumberedTables(DB_EU)
  expect(tables.length).toBeGreaterThan(40)
  const found = (await dumpTables(DB_EU)).flatMap(([name, rows]) =>
    (rows as { id: number; subscription_id: number }[])
      .filter(({ subscription_id }) => subscription_id === RESERVED)
      .map(({ id }) => [name, id]),
  )
  expect(found).toEqual(tables.map(({ name }) => [name, EU_NUMBER * IDS_PER_RANGE]))
})

test('the cron and a second opening leave a home with reserved rows alone', async () => {
  const before = await dumpTables(DB_EU)
  await openHome(DB_EU, EU_NUMBER)
  const sent: QueueMessage[] = []
  const settings = { ...env, DB: DB_EU, FILES: env.FILES_EU, BACKUP_DAYS: '7' }
  for (const days of [0, 1, 400]) {
    await runCronJobs({
      ...createBackgroundDeps(settings, createExecutionContext()),
      outlet: {
        sendBatch: async (messages) => void sent.push(...[...messages].map(({ body }) => body)),
      },
      now: () => readClock() + days * 86_400_000,
    })
  }
  expect(await dumpTables(DB_EU)).toEqual(before)
  expect(sent).toEqual([])
})

test('each table assigns ids of the range of its home, also after the range rises', async () => {
  for (const id of Object.values(await insertNextRows(DB_EU, RESERVED)))
    expect(Math.floor(id / IDS_PER_RANGE)).toBe(EU_NUMBER)
  await raiseIdRange(runSqlOf(DB_EU), EU_NUMBER, 0)
  expect(await readHomeIds(runSqlOf(DB_EU), EU_NUMBER)).toEqual({ number: EU_NUMBER, idRange: EU_NUMBER })
  await raiseIdRange(runSqlOf(DB_EU), EU_NUMBER, 2_048)
  expect(await readHomeIds(runSqlOf(DB_EU), EU_NUMBER)).toEqual({ number: EU_NUMBER, idRange: 2_049 })
  const ids = Object.entries(await insertNextRows(DB_EU, RESERVED))
  expect(ids.filter(([, id]) => Math.floor(id / IDS_PER_RANGE) !== 2_049)).toEqual([])
  await openHome(DB_EU, EU_NUMBER)
  expect(await readHomeIds(runSqlOf(DB_EU), EU_NUMBER)).toEqual({ number: EU_NUMBER, idRange: 2_049 })
})

test('home 0 takes ids from range 0 until its range rises', async () => {
  await env.DB.prepare(`INSERT INTO dead_letters (subscription_id, message, failed_at) VALUES (0, '{}', 1)`).run()
  await raiseIdRange(runSqlOf(env.DB), 0, 1)
  const ids = Object.entries(await insertNextRows(env.DB, reservedTenantOf(0)))
  expect(ids.filter(([, id]) => Math.floor(id / IDS_PER_RANGE) !== 2_048)).toEqual([])
  const [letter] = (await env.DB.prepare('SELECT message FROM dead_letters WHERE failed_at = 1').all()).results
  expect(letter).toEqual({ message: '{}' })
})

test.each([0, EU_NUMBER])('the rows that leave home %i take their ids with them', async (number) => {
  const d1 = number === 0 ? env.DB : DB_EU
  const tenant = reservedTenantOf(number)
  await raiseIdRange(runSqlOf(d1), number, 0)
  const left = await insertNextRows(d1, tenant)
  for (let again = 0; again < 2; again++) await reserveIdsOfAllRows(runSqlOf(d1), number)
  await d1.batch(Object.entries(left).map(([name, id]) => d1.prepare(`DELETE FROM "${name}" WHERE id = ?`).bind(id)))
  for (const [name, id] of Object.entries(await insertNextRows(d1, tenant)))
    expect([name, id]).toEqual([name, Number(left[name]) + 2])
})

test('a database does not become another home', async () => {
  await expect(openHome(DB_EU, 3)).rejects.toThrow('The database belongs to another home.')
  await env.DB.prepare('DELETE FROM home').run()
  await env.DB.prepare(`INSERT INTO subscriptions (name, created_at) VALUES ('Old', 1)`).run()
  await expect(openHome(env.DB, 3)).rejects.toThrow('The database has workspaces of another home.')
})

test('a new workspace has an id of its home that no workspace had before', async () => {
  const next = async () =>
    Number(
      (
        await DB_EU.prepare(
          `INSERT INTO subscriptions (id, name, created_at) VALUES (${NEXT_WORKSPACE_ID}, 'New', 1) RETURNING id`,
        ).first<{ id: number }>()
      )?.id,
    )
  const first = await next()
  expect(first).toBe(RESERVED + 1)
  await DB_EU.batch([
    DB_EU.prepare(`INSERT INTO subscriptions (id, name, created_at) VALUES (${5 * 2 ** 20 + 7}, 'Foreign', 1)`),
    DB_EU.prepare('DELETE FROM subscriptions WHERE id = ?').bind(first),
    DB_EU.prepare(
      `INSERT INTO workspace_moves (workspace_id, state, home, created_at, updated_at) VALUES (?, 'moved', 0, 1, 1)`,
    ).bind(first),
  ])
  expect(await next()).toBe(first + 1)
})
