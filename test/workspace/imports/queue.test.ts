import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { readClock } from '../../clock'
import { countEventsOf } from '../../people/mail/queue-simulation'
import { runtimeTest } from '../../runtime-test'
import { MINUTE, simulateImports } from './import-simulation'
import { createImportScenario, createUsersCsv } from './scenario'

const ROWS = 5_203
const WRONG_ROWS = 'nobody,Nobody,,\np5@example.com,Twice,,\n'
const ACTION_COUNT = 2 + Math.ceil(ROWS / 1_000)
const FILE =
  createUsersCsv(ROWS - 2).replaceAll(
    /^email.*$|plan-\d$/gm,
    (cells) => `${cells},${cells.startsWith('plan') ? 'boss' : 'role'}`,
  ) + WRONG_ROWS

const findObject = async (key: string | null) => (key === null ? null : await env.FILES.head(key))

async function createPendingImport(options: { segment?: boolean } = {}) {
  const space = await createImportScenario()
  const segmentId = options.segment ? await space.segment() : null
  const path = segmentId === null ? {} : { path: `/api/v2/segments/${segmentId}/import-users` }
  const made = await space.run(FILE, { ...path, query: '?onConflict=update' })
  expect([made.status, made.body.data.status, made.body.data.totals.rows]).toEqual([201, 'pending', ROWS])
  const { id } = made.body.data
  const row = () =>
    env.DB.prepare('SELECT * FROM imports WHERE id = ?')
      .bind(id)
      .first<{ object_key: string | null; next_attempt_at: number | null; done: number }>()
  const message = { kind: 'import.run' as const, subscriptionId: space.subscriptionId, importId: id }
  return { ...space, id, segmentId, row, message }
}

const COMPLETE = {
  status: 'partial',
  progress: 100,
  totals: { rows: ROWS, created: ROWS - 2, updated: 0, skipped: 1, rejected: 1, kept: 0 },
  warnings: [
    { field: 'role', column: 'role', value: 'boss', rows: ROWS - 2, became: null },
    { field: 'email', value: 'p5@example.com', rows: 1, became: null },
  ],
}

async function expectAll({ people, read, id, subscriptionId }: Awaited<ReturnType<typeof createPendingImport>>) {
  const found = await people()
  expect(new Set(found.map(({ email }) => email)).size).toBe(ROWS - 2)
  expect(found.length).toBe(ROWS - 2)
  expect(await read(id)).toMatchObject(COMPLETE)
  expect(await countEventsOf(subscriptionId, 'import.completed')).toBe(1)
}

test('an import of 5,000 rows runs in the request and of 5,001 in the queue, with the same result', async () => {
  const space = await createImportScenario()
  const small = await space.run(createUsersCsv(5_000))
  expect(small.body.data).toMatchObject({ status: 'completed', totals: { created: 5_000 } })
  expect(small.cost.roundTrips).toBe(2)

  const large = await space.run(createUsersCsv(5_001))
  expect(large.body.data).toMatchObject({ status: 'pending', progress: 0, totals: { rows: 5_001, created: 0 } })
  const it = simulateImports()
  await it.handle({ kind: 'import.run', subscriptionId: space.subscriptionId, importId: large.body.data.id })
  expect(await space.read(large.body.data.id)).toMatchObject({
    status: 'completed',
    totals: { created: 1, skipped: 5_000 },
  })
  expect((await space.people()).length).toBe(5_001)
})

runtimeTest('a waiting file is written in slices and deleted at the end', async () => {
  const space = await createPendingImport({ segment: true })
  const it = simulateImports()
  const key = (await space.row())?.object_key ?? ''
  expect(await findObject(key)).not.toBeNull()
  await it.handle(space.message)
  // A batch claims the import, a batch inserts each thousand rows, and a batch looks for the next import.
  expect(it.actionCount).toBe(ACTION_COUNT)
  // The cost per row does not grow with the rows written before.
  expect(it.cost.rowsRead).toBeLessThan(40 * ROWS)
  await expectAll(space)
  const { body } = await space.client<{ userCount: number }>('GET', `/api/v2/segments/${space.segmentId}`)
  expect(body.data.userCount).toBe(ROWS - 2)
  await it.cron()
  expect(await findObject(key)).toBeNull()
  expect(await space.row()).toMatchObject({ object_key: null })
  expect(await space.read(space.id)).toMatchObject(COMPLETE)
})

test('an import within the request writes slices of a thousand rows in one batch', async () => {
  const countStatements = async (rows: number) => {
    const { run } = await createImportScenario()
    return (await run(createUsersCsv(rows))).cost.statements
  }
  const [one, two, four] = [await countStatements(1_000), await countStatements(2_000), await countStatements(4_000)]
  expect(two).toBeGreaterThan(one)
  expect(four - two).toBe(2 * (two - one))
})

test('slices of long rows have at most a megabyte', async () => {
  const space = await createImportScenario()
  const names = Array.from({ length: 18 }, (_, n) => `field ${n}`)
  const cells = names.map(() => 'x'.repeat(1_000)).join()
  const rows = Array.from({ length: 500 }, (_, n) => `p${n}@example.com,${cells}\n`)
  const { id, status } = (await space.run(`email,${names.join()}\n${rows.join('')}`)).body.data
  expect(status).toBe('pending')
  const it = simulateImports()
  const ends: number[] = []
  it.beforeAction = async () => void ends.push((await space.read(id)).totals.created)
  await it.handle({ kind: 'import.run', subscriptionId: space.subscriptionId, importId: id })
  expect(await space.read(id)).toMatchObject({ status: 'completed', totals: { created: 500 } })
  const sizes = ends.slice(2).map((end, n) => end - (ends[n + 1] ?? 0))
  // A row has 18 kB.
  expect(Math.max(...sizes)).toBeLessThanOrEqual(1_000 / 18)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(500)
})

describe.each(Array.from({ length: ACTION_COUNT }, (_, n) => n + 1))('a process that dies at its batch %i', (at) => {
  test.each(['before', 'after'] as const)(
    'the import has every row once when the process dies %s the write',
    async (when) => {
      const space = await createPendingImport()
      const it = simulateImports()
      it.kill = { at, when }
      it.queue.push(space.message)
      await it.drain()
      expect(it.killed).toBe(true)
      await it.restartProcess()
      await expectAll(space)
    },
  )
})

test('a message that is delivered twice or in parallel is handled once', async () => {
  const space = await createPendingImport({ segment: true })
  const it = simulateImports()
  await Promise.all([it.handle(space.message), it.handle(space.message)])
  await it.handle(space.message)
  await expectAll(space)
})

test('an invocation with an expired lease writes nothing', async () => {
  const first = await createPendingImport()
  await simulateImports().handle(first.message)
  const made = await first.run(FILE.replaceAll('Person', 'Member'), { query: '?onConflict=update' })
  const { id } = made.body.data
  const space = { ...first, id, message: { ...first.message, importId: id } }
  const [slow, next] = [simulateImports(), simulateImports()]
  next.kill = { at: 3, when: 'after' }
  slow.beforeAction = async (act) => {
    if (act !== 3) return
    next.now = slow.now + 3 * MINUTE
    next.queue.push(space.message)
    await next.drain()
  }
  await slow.handle(space.message)
  expect(await space.read(space.id)).toMatchObject({ status: 'running', totals: { updated: 3_000, skipped: 0 } })
  await next.restartProcess()
  expect(await space.read(space.id)).toMatchObject({ status: 'partial', totals: { updated: ROWS - 2, rejected: 1 } })
  expect(new Set((await space.people()).map(({ version }) => version))).toEqual(new Set([2]))
})

test('a canceled run keeps its written rows, which can be undone', async () => {
  const space = await createPendingImport()
  const it = simulateImports()
  it.beforeAction = async (act) => {
    if (act === 4) await space.client('POST', `/api/v2/imports/${space.id}/cancel`)
  }
  await it.handle(space.message)
  expect(await space.read(space.id)).toMatchObject({ status: 'canceled', totals: { created: 2_000 } })
  expect((await space.people()).length).toBe(2_000)
  it.beforeAction = undefined
  await it.handle(space.message)
  expect((await space.people()).length).toBe(2_000)
  const key = (await space.row())?.object_key ?? ''
  it.now += MINUTE
  await it.cron()
  expect(await findObject(key)).toBeNull()
  const again = await space.client('POST', `/api/v2/imports/${space.id}/cancel`)
  expect(again.body.error?.code).toBe('conflict')
  await space.client('POST', `/api/v2/imports/${space.id}/undo`)
  expect(await space.people()).toEqual([])
})

test('a run fails with a reason when its segment or its file is gone', async () => {
  const space = await createPendingImport({ segment: true })
  const it = simulateImports()
  it.beforeAction = async (act) => {
    if (act === 3) await space.client('DELETE', `/api/v2/segments/${space.segmentId}`)
  }
  await it.handle(space.message)
  expect(await space.read(space.id)).toMatchObject({ status: 'failed', problem: 'The segment was removed.' })
  expect((await space.people()).length).toBe(1_000)
  expect(await countEventsOf(space.subscriptionId, 'import.failed')).toBe(1)

  const other = await createPendingImport()
  await env.FILES.delete((await other.row())?.object_key ?? '')
  await simulateImports().handle(other.message)
  expect(await other.read(other.id)).toMatchObject({
    status: 'failed',
    problem: expect.stringContaining('file is missing'),
  })
})

describe('a large undo', () => {
  const imported = async () => {
    const space = await createPendingImport({ segment: true })
    const it = simulateImports()
    await it.handle(space.message)
    // The undo must keep a member that has changed since the import.
    const [, changed] = await space.people()
    await space.client('PUT', `/api/v2/users/${changed?.id}`, { json: { firstName: 'Changed' } })
    const answer = await space.client<{ status: string }>('POST', `/api/v2/imports/${space.id}/undo`)
    expect(answer.body.data.status).toBe('undoing')
    // The undo request takes its claim by the real clock, so the simulated clock starts at the real time.
    it.now = readClock()
    return { ...space, it }
  }
  const expectUndone = async ({
    people,
    read,
    id,
    client,
    segmentId,
    subscriptionId,
  }: Awaited<ReturnType<typeof imported>>) => {
    expect((await people()).map(({ first_name }) => first_name)).toEqual(['Changed'])
    expect(await read(id)).toMatchObject({ status: 'undone', totals: { kept: 1 }, kept: [{ row: 2 }] })
    const { body } = await client<{ userCount: number }>('GET', `/api/v2/segments/${segmentId}`)
    expect(body.data.userCount).toBe(0)
    expect(await countEventsOf(subscriptionId, 'import.undone')).toBe(1)
  }

  test('continues in the queue after the response', async () => {
    const space = await imported()
    space.it.now += MINUTE
    await Promise.all([space.it.handle(space.message), space.it.handle(space.message)])
    await expectUndone(space)
  })

  test('ends once, even when an expired invocation continues', async () => {
    const space = await imported()
    const [slow, next] = [simulateImports(), simulateImports()]
    slow.now += MINUTE
    slow.beforeAction = async (act) => {
      if (act !== 2) return
      next.now = slow.now + 3 * MINUTE
      await next.handle(space.message)
    }
    await slow.handle(space.message)
    await expectUndone(space)
  })

  test.each([1, 2].flatMap((at) => [[at, 'before'] as const, [at, 'after'] as const]))(
    'ends once when its process dies at batch %i, %s the write',
    async (at, when) => {
      const space = await imported()
      space.it.actionCount = 0
      space.it.kill = { at, when }
      space.it.now += MINUTE
      space.it.queue.push(space.message)
      await space.it.drain()
      expect(space.it.killed).toBe(true)
      await space.it.restartProcess()
      await expectUndone(space)
    },
  )
})

test('the journal of a run is deleted after a month in small parts', async () => {
  const space = await createPendingImport()
  const it = simulateImports()
  await it.handle(space.message)
  await it.cron()
  const rows = async (of = '') =>
    (await env.DB.prepare(`SELECT count(*) AS n FROM import_rows ${of}`).first<{ n: number }>())?.n ?? 0
  const own = () => rows(`WHERE import_id = ${space.id}`)
  it.now += 29 * 24 * 60 * MINUTE
  await it.cron()
  expect(await own()).toBe(ROWS - 1)
  it.now += 2 * 24 * 60 * MINUTE
  const before = await rows()
  await it.cron()
  expect(await rows()).toBe(before - 5_000)
  for (let minute = 0; minute < 100 && (await own()); minute++) await it.cron()
  expect(await own()).toBe(0)
  await it.cron()
  expect(await space.row()).toMatchObject({ next_attempt_at: null })
})
