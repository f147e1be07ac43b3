import { expect, test } from 'vitest'
import { createDatabase } from '../../scripts/migrations/dump'
import {
  chooseMove,
  countRows,
  listLateWork,
  type MoveRow,
  markForReplay,
  SELECT_WORKSPACE_TABLES,
  selectTopWorkspaces,
  selectUsage,
  selectWorkspace,
} from '../../scripts/operating/statements'
import { readClock } from '../clock'

const NOW = readClock()
const HOUR = 3_600_000
const DAY = Math.floor(NOW / (24 * HOUR))

function createFilledDatabase() {
  const database = createDatabase()
  const insert = database.prepare(
    'INSERT INTO dead_letters (id, subscription_id, message, failed_at) VALUES (?, ?, ?, ?)',
  )
  insert.run(1, 4, '{}', NOW - 1_000)
  insert.run(2, 4, '{}', NOW)
  const receipt = database.prepare(`INSERT INTO incoming_receipts
    (id, subscription_id, incoming_webhook_id, delivery_id, payload, status, next_attempt_at, created_at)
    VALUES (?, 4, 1, ?, '{}', 'queued', ?, 0)`)
  receipt.run(7, 'late', NOW - HOUR)
  receipt.run(8, 'soon', NOW - 60_000)
  const confirmation = database.prepare(
    'INSERT INTO segment_confirmations (subscription_id, segment_id, user_id, due_at, created_at) VALUES (4, ?, 1, ?, 0)',
  )
  confirmation.run(3, NOW - HOUR)
  confirmation.run(4, NOW - 60_000)
  confirmation.run(5, null)
  const move = database.prepare(`INSERT INTO workspace_moves
    (workspace_id, state, home, next_attempt_at, created_at, updated_at) VALUES (?, 'moved', 1, ?, 0, 0)`)
  move.run(4, NOW - HOUR)
  move.run(5, NOW - 60_000)
  move.run(6, null)
  const usage = database.prepare('INSERT INTO written_rows (subscription_id, day, written, bytes) VALUES (?, ?, ?, ?)')
  usage.run(4, DAY, 10, 500)
  usage.run(5, DAY - 1, 90, 900)
  return {
    database,
    all: (sql: string) =>
      database
        .prepare(sql)
        .all()
        .map((row) => ({ ...row })),
  }
}

test('late work and dead letters are listed, and work that is due since a minute is not', () => {
  const { all } = createFilledDatabase()
  expect(listLateWork(NOW).flatMap(all)).toEqual([
    { kind: 'confirmation', id: 3, workspace: 4, since: NOW - HOUR },
    { kind: 'move', id: 4, workspace: 4, since: NOW - HOUR },
    { kind: 'receipt', id: 7, workspace: 4, since: NOW - HOUR },
    { kind: 'dead letter', id: 1, workspace: 4, since: NOW - 1_000 },
    { kind: 'dead letter', id: 2, workspace: 4, since: NOW },
  ])
})

test('the status shows the last unfinished move, or the newest', () => {
  const move = (state: MoveRow['state'], createdAt: number, nextAttemptAt: number | null = null): MoveRow => ({
    ...{ state, createdAt, nextAttemptAt, home: 1, step: 'done', progress: '{}', problem: null },
  })
  expect(chooseMove([])).toBeUndefined()
  expect(chooseMove([move('moved', 3), move('moved', 1, NOW), move('moved', 2)])).toEqual(move('moved', 1, NOW))
  expect(chooseMove([move('moved', 1), move('moved', 2), move('moved', 1)])).toEqual(move('moved', 2))
  expect(chooseMove([move('failed', 2), move('moved', 2)])).toEqual(move('failed', 2))
})

test('a replay marks one dead letter or all, and no marked dead letter again', () => {
  const { all } = createFilledDatabase()
  expect(all(markForReplay(NOW, 2))).toEqual([{ id: 2 }])
  expect(all(markForReplay(NOW + 1, 2))).toEqual([])
  expect(all(markForReplay(NOW + 1, undefined))).toEqual([{ id: 1 }])
  expect(all('SELECT replay_at AS at FROM dead_letters ORDER BY id')).toEqual([{ at: NOW + 1 }, { at: NOW }])
})

test('a workspace shows its rows and use, and the top lists are in order', () => {
  const { all, database } = createFilledDatabase()
  database.exec("INSERT INTO subscriptions (id, name, created_at) VALUES (4, 'Four', 0)")
  const tables = all(SELECT_WORKSPACE_TABLES).map(({ name }) => String(name))
  expect(tables).toEqual(expect.arrayContaining(['log', 'work_items', 'dead_letters', 'written_rows']))
  expect(tables.flatMap((table) => all(countRows(table, 4))).filter(({ rows }) => Number(rows) > 0)).toEqual(
    expect.arrayContaining([
      { name: 'dead_letters', rows: 2 },
      { name: 'incoming_receipts', rows: 2 },
      { name: 'segment_confirmations', rows: 3 },
      { name: 'written_rows', rows: 1 },
    ]),
  )
  expect(selectWorkspace(4).flatMap(all)).toEqual([{ id: 4, name: 'Four' }])
  expect(all(selectUsage(5, NOW))).toEqual([{ workspace: 5, writtenToday: 0, bytes: 900 }])
  const [byBytes = '', byWritten = ''] = selectTopWorkspaces(NOW)
  expect([byBytes, byWritten].map((sql) => all(sql).map(({ workspace }) => workspace))).toEqual([
    [5, 4],
    [4, 5],
  ])
})
