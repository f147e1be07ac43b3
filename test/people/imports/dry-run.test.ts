import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { createImportScenario, createUsersCsv } from '../../workspace/imports/scenario'

describe('a dry run', () => {
  const KNOWN = 'email,first name,plan\nada@example.com,Ada,pro\n'
  const FILE =
    'email,first name,seats\nada@example.com,Augusta,3\nnobody,No,\nbob@example.com,=Bob,\nBOB@example.com,Again,\n'
  const json = (email: string, firstName: string, attributes: object) => ({
    ...{ email, firstName, lastName: '', role: 'idm_member', attributes, source: null, externalId: null },
  })

  test('reports the result of an import and stores nothing', async () => {
    const { run, people, client, subscriptionId, segment } = await createImportScenario()
    const path = `/api/v2/segments/${await segment()}/import-users`
    await run(KNOWN)
    const before = await people()
    const stored = () =>
      env.DB.prepare('SELECT count(*) AS n FROM log WHERE subscription_id = ?').bind(subscriptionId).first()
    const events = await stored()
    const dry = await run(FILE, { path, query: '?dryRun=true&onConflict=update' })
    expect([dry.status, dry.headers.get('location'), dry.cost.rowsWritten]).toEqual([200, null, 0])
    expect(dry.body).toMatchObject({
      message: 'Nothing is imported yet: 1 would be created, 1 updated, 1 skipped, 1 rejected',
      data: {
        id: 0,
        status: 'partial',
        totals: { rows: 4, created: 1, updated: 1, skipped: 1, rejected: 1 },
        rejected: [{ row: 2, field: 'email' }],
        preview: [json('ada@example.com', 'Augusta', { plan: 'pro', seats: '3' }), json('bob@example.com', '=Bob', {})],
      },
    })
    expect(await people()).toEqual(before)
    expect(await stored()).toEqual(events)
    expect((await client<object[]>('GET', '/api/v2/imports')).body.data.length).toBe(1)
    const real = await run(FILE, { path, query: '?onConflict=update' })
    const { totals, mapping, rejected } = real.body.data as never
    expect(dry.body.data).toMatchObject({ totals, mapping, rejected })
    const nowhere = await run(FILE, { path: '/api/v2/segments/999999/import-users', query: '?dryRun=true' })
    expect(nowhere.body.error?.code).toBe('segment_not_found')
  })

  test('shows a key without segments:read only the content of its file', async () => {
    const { run, key } = await createImportScenario()
    await run(KNOWN)
    const apiKey = await key({ scopes: ['segments:write'] })
    const dry = await run(FILE, { query: '?dryRun=true&onConflict=update', apiKey })
    const { preview } = dry.body.data as { preview?: object[] }
    expect(preview).toEqual([json('ada@example.com', 'Augusta', { seats: '3' }), json('bob@example.com', '=Bob', {})])
  })

  test('counts all rows of a large file and keeps no file', async () => {
    const { run, people, subscriptionId } = await createImportScenario()
    await run(createUsersCsv(10))
    const dry = await run(`${createUsersCsv(6_000)}nobody,No,\n`, { query: '?dryRun=true' })
    expect(dry.body.data).toMatchObject({
      totals: { rows: 6_001, created: 5_990, updated: 0, skipped: 10, rejected: 1 },
      rejected: [{ row: 6_001 }],
    })
    expect((dry.body.data as { preview?: object[] }).preview?.length).toBe(40)
    expect((await people()).length).toBe(10)
    expect((await env.FILES.list({ prefix: `${subscriptionId}/imports/` })).objects).toEqual([])
  })
})
