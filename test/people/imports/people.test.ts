import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { ROLE_SCOPES, type UserRole } from '../../../src/roles'
import { purgeDueRecords } from '../../../src/workspace/purge/purge'
import { call } from '../../client'
import { readClock } from '../../clock'
import { createWorkspace, type Workspace } from '../../factories'
import { runtimeTest } from '../../runtime-test'
import { createUniqueId } from '../../unique'
import { createImportScenario, importFile, MEMBERS, QUEUE } from '../../workspace/imports/scenario'

test('imports people from a CSV in the response and reports the rejected rows', async () => {
  const { run, people, client } = await createImportScenario()
  const made = await run('Email;Name;Plan;Seats\nada@example.com;Ada;pro;3\nnobody;No;;\nADA@example.com ;Other;;\n')
  expect([made.status, made.body]).toMatchObject([
    201,
    {
      message: '1 created, 0 updated, 1 skipped, 1 rejected',
      data: {
        kind: 'people',
        status: 'partial',
        progress: 100,
        totals: { rows: 3, created: 1, updated: 0, skipped: 1, rejected: 1, kept: 0 },
        onConflict: 'skip',
        file: 'people.csv',
        mapping: { preset: null, columns: [{ column: 'Email', field: 'email' }, {}, {}, {}], constants: {} },
        rejected: [{ row: 2, field: 'email', reason: 'Must be an e-mail address, like ada@example.com.' }],
        kept: [],
      },
    },
  ])
  expect(await people()).toMatchObject([
    { email: 'ada@example.com', first_name: 'Ada', role: 'idm_member', attributes: '{"Plan":"pro","Seats":"3"}' },
  ])
  const got = await client('GET', made.headers.get('location') ?? '')
  expect(got.body.data).toEqual(made.body.data)
})

test('a known person is skipped, or updated on request, and keeps a higher role', async () => {
  const { run, people, client } = await createImportScenario()
  await run('email,first name,last name,role,plan\nada@example.com,Ada,Lovelace,member,pro\n')
  const file = 'email,first name,last name,role,seats\nada@example.com,Augusta,,idm_member,3\n'
  expect((await run(file)).body.data.totals).toMatchObject({ updated: 0, skipped: 1 })
  expect(await people()).toMatchObject([{ first_name: 'Ada', version: 1 }])

  const updated = await run(file, { query: '?onConflict=update' })
  expect(updated.body.data.totals).toMatchObject({ updated: 1, skipped: 0 })
  const attributes = '{"plan":"pro","seats":"3"}'
  const augusta = { first_name: 'Augusta', last_name: 'Lovelace', role: 'member', attributes, version: 2 }
  expect(await people()).toMatchObject([augusta])
  const same = await run(file, { query: '?onConflict=update' })
  expect(same.body.data.totals).toMatchObject({ updated: 0, skipped: 1 })
  expect(await people()).toMatchObject([augusta])

  const undone = await client('POST', `/api/v2/imports/${updated.body.data.id}/undo`)
  expect(undone.body).toMatchObject({ data: { status: 'undone', totals: { kept: 0 } } })
  const before = { first_name: 'Ada', last_name: 'Lovelace', role: 'member', attributes: '{"plan":"pro"}' }
  expect(await people()).toMatchObject([{ ...before, version: 3 }])
})

test('a removed person returns with the data of the file, and an undo removes the person again', async () => {
  const { run, people, client } = await createImportScenario()
  await run('email,role\nada@example.com,admin\n')
  const [ada] = await people()
  await client('DELETE', `/api/v2/users/${ada?.id}`)
  const made = await run('email,name\nada@example.com,Ada\n')
  expect(made.body.data.totals).toMatchObject({ created: 0, updated: 1 })
  expect(await people()).toMatchObject([{ id: ada?.id, first_name: 'Ada', role: 'idm_member' }])
  await client('POST', `/api/v2/imports/${made.body.data.id}/undo`)
  expect(await people()).toEqual([])
  expect(await people('deleted_at IS NOT NULL')).toMatchObject([{ first_name: '', role: 'admin' }])
})

test('imported people join a segment, and an undo removes unchanged people', async () => {
  const { run, people, segment, client } = await createImportScenario()
  const [beta, other] = [await segment(), await segment('Other')]
  await run('email\nada@example.com\n')
  const made = await run(
    'email,name\nada@example.com,X\nbob@example.com,Bob\neve@example.com,Eve\nkim@example.com,Kim\n',
    {
      path: `/api/v2/segments/${beta}/import-users`,
    },
  )
  expect(made.body.data.totals).toMatchObject({ created: 3, updated: 1, skipped: 0 })
  const count = async () => (await client<{ userCount: number }>('GET', `/api/v2/segments/${beta}`)).body.data.userCount
  expect(await count()).toBe(4)
  const again = await run('email\nada@example.com\n', { path: `/api/v2/segments/${beta}/import-users` })
  expect(again.body.data.totals).toMatchObject({ created: 0, updated: 0, skipped: 1 })

  const [, , eve] = await people()
  await client('PUT', `/api/v2/users/${eve?.id}`, { json: { lastName: 'Changed' } })
  await client('POST', `/api/v2/segments/${other}/create-users`, { json: [{ email: 'kim@example.com', name: 'Kim' }] })
  const path = `/api/v2/imports/${made.body.data.id}/undo`
  const undone = await client('POST', path)
  expect(undone.body).toMatchObject({
    data: {
      status: 'undone',
      totals: { created: 3, updated: 1, kept: 2 },
      kept: [
        { row: 3, reason: 'The person was changed after the import.' },
        { row: 4, reason: expect.stringContaining('segment') },
      ],
    },
  })
  expect((await people()).map(({ email }) => email)).toEqual(['ada@example.com', 'eve@example.com', 'kim@example.com'])
  expect(await count()).toBe(0)
  expect((await client('POST', path)).body.error?.code).toBe('conflict')
})

test('an undo keeps people with an API key', async () => {
  const { run, people, client, key } = await createImportScenario()
  const made = await run('email\nada@example.com\nbob@example.com\n')
  await key({ userId: (await people())[0]?.id ?? 0 })
  const undone = await client('POST', `/api/v2/imports/${made.body.data.id}/undo`)
  expect(undone.body).toMatchObject({ data: { kept: [{ row: 1, reason: expect.stringContaining('API key') }] } })
  expect((await people()).map(({ email }) => email)).toEqual(['ada@example.com'])
})

test('a run cannot be undone a month after its end', async () => {
  const { run, people, client } = await createImportScenario()
  const { id } = (await run('email\nada@example.com\n')).body.data
  await env.DB.prepare('UPDATE imports SET finished_at = finished_at - 2592000000 WHERE id = ?').bind(id).run()
  const answer = await client('POST', `/api/v2/imports/${id}/undo`)
  expect([answer.status, answer.body.message]).toEqual([409, 'The run is older than 30 days and cannot be undone.'])
  expect((await people()).length).toBe(1)
})

test('a suppression survives an import, its update and its undo', async () => {
  const { run, client, subscriptionId } = await createImportScenario()
  await env.DB.prepare(
    "INSERT INTO suppressions (subscription_id, email, segment_id, reason, created_at) VALUES (?, 'ada@example.com', 0, 'unsubscribe', 1)",
  )
    .bind(subscriptionId)
    .run()
  const suppressed = () =>
    env.DB.prepare('SELECT * FROM suppressions WHERE subscription_id = ?').bind(subscriptionId).all()
  const before = (await suppressed()).results
  await run('email,name\nada@example.com,Ada\n')
  const made = await run('email,name\nada@example.com,Augusta\n', { query: '?onConflict=update' })
  await client('POST', `/api/v2/imports/${made.body.data.id}/undo`)
  expect((await suppressed()).results).toEqual(before)
  expect(before.length).toBe(1)
})

test('attributes above the limit together with stored attributes reject only their row', async () => {
  const { run, people } = await createImportScenario()
  const long = (name: string) =>
    Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`${name}${n}`, 'x'.repeat(900)]))
  const json = (attributes: object) =>
    JSON.stringify([{ email: 'ada@example.com', attributes }, { email: 'bob@example.com' }])
  await run(json(long('a')))
  const made = await run(json(long('b')), { query: '?onConflict=update' })
  expect(made.body.data).toMatchObject({
    status: 'partial',
    totals: { updated: 0, skipped: 1, rejected: 1 },
    rejected: [{ row: 1, field: 'attributes' }],
  })
  expect(await people()).toMatchObject([{ version: 1 }, { version: 1 }])
  const many = (name: string) => Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`${name}${n}`, 1]))
  const more = await run(json(many('c')), { query: '?onConflict=update' })
  expect(more.body.data).toMatchObject({ rejected: [{ row: 1, field: 'attributes' }] })
})

describe('JSON rows', () => {
  const rows = [{ email: 'ada@example.com', plan: 'pro' }, { email: 'x' }, 7, { email: 'bob@example.com', seats: 3 }]
  const expected = {
    status: 'partial',
    totals: { rows: 4, created: 2, rejected: 2 },
    rejected: [
      { row: 2, field: 'email' },
      { row: 3, field: null },
    ],
  }

  test('are read from a file', async () => {
    const { run, people } = await createImportScenario()
    expect((await run(JSON.stringify(rows))).body.data).toMatchObject(expected)
    expect(await people()).toMatchObject([{ attributes: '{"plan":"pro"}' }, { attributes: '{"seats":3}' }])
  })

  test('are read from lines of a file', async () => {
    const { run } = await createImportScenario()
    const lines = rows.map((row) => JSON.stringify(row)).join('\n')
    expect((await run(lines, { name: 'people.ndjson' })).body.data).toMatchObject(expected)
  })

  test('are read from a JSON body', async () => {
    const { client, people } = await createImportScenario()
    const made = await client('POST', MEMBERS, { json: rows, env: { QUEUE } })
    expect([made.status, made.body.data]).toMatchObject([201, expected])
    expect((await people()).length).toBe(2)
    const none = await client('POST', MEMBERS, { json: [], env: { QUEUE } })
    expect([none.status, none.body.error?.issues]).toMatchObject([400, [{ path: '/users', code: 'invalid_file' }]])
  })
})

test('an import of another workspace is not found, and a read key imports nothing', async () => {
  const [{ run, people, key, client }, stranger] = [await createImportScenario(), await createImportScenario()]
  const { id } = (await run('email\nada@example.com\n')).body.data
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/rejected.csv'],
    ['GET', '/warnings.csv'],
    ['POST', '/undo'],
    ['POST', '/cancel'],
  ] as const) {
    const answer = await stranger.client(method, `/api/v2/imports/${id}${path}`)
    expect([answer.status, answer.body.error?.code]).toEqual([404, 'import_not_found'])
  }
  const segment = await stranger.segment()
  const into = await run('email\nbob@example.com\n', { path: `/api/v2/segments/${segment}/import-users` })
  expect(into.body.error?.code).toBe('segment_not_found')
  expect((await people()).length).toBe(1)
  const apiKey = await key({ scopes: ['segments:read'] })
  expect((await run('email\nbob@example.com\n', { apiKey })).status).toBe(403)
  expect((await call('GET', `/api/v2/imports/${id}`, { apiKey })).status).toBe(200)
  const undone = await call('POST', `/api/v2/imports/${id}/undo`, { apiKey })
  expect([undone.status, undone.body.message]).toEqual([403, expect.stringContaining('lacks the scope segments:write')])
  const other = await key({ scopes: ['backlog:read', 'backlog:write'] })
  expect((await call<object[]>('GET', '/api/v2/imports', { apiKey: other })).body.data).toEqual([])
  for (const [method, path] of [['GET', ''] as const, ['POST', '/undo'] as const]) {
    expect((await call(method, `/api/v2/imports/${id}${path}`, { apiKey: other })).status).toBe(404)
  }
  const list = await client<object[]>('GET', '/api/v2/imports')
  expect(list.body.data).toMatchObject([{ id, status: 'completed' }])
})

test('the journal of imports forgets a purged person', async () => {
  const { run, people, client, subscriptionId } = await createImportScenario()
  await run('email,name\nada@example.com,Secret\nbob@example.com,Bob\n')
  await run('email,name\nada@example.com,Ada\n', { query: '?onConflict=update' })
  const [ada] = await people()
  const remembered = async () =>
    (
      await env.DB.prepare('SELECT previous FROM import_rows WHERE subscription_id = ? AND record_id = ?')
        .bind(subscriptionId, ada?.id ?? 0)
        .all()
    ).results
  expect(JSON.stringify(await remembered())).toContain('Secret')
  await client('DELETE', `/api/v2/users/${ada?.id}`)
  await purgeDueRecords({ store: openStore(env.DB, readClock() + 31 * 86_400_000), files: env.FILES })
  expect(await remembered()).toEqual([])
})

test('people of an undone import are deleted for good, and the file can be imported again', async () => {
  const { run, people, client } = await createImportScenario()
  const file = 'email,name,plan\nada@example.com,Ada,pro\nbob@example.com,Bob,\n'
  const { id } = (await run(file)).body.data
  const [ada] = await people()
  expect((await client('POST', `/api/v2/imports/${id}/undo`)).body.data).toMatchObject({ status: 'undone' })
  expect((await client('POST', `/api/v2/users/${ada?.id}/restore`)).status).toBe(404)
  expect(JSON.stringify(await people('deleted_at IS NOT NULL'))).not.toMatch(/ada@|bob@|Ada|pro/)
  const again = await run('email,name\nada@example.com,Ada Again\nbob@example.com,Bob\n')
  expect(again.body.data.totals).toMatchObject({ created: 2, updated: 0, skipped: 0 })
  expect(await people()).toMatchObject([{ first_name: 'Ada Again', attributes: '{}' }, { first_name: 'Bob' }])
})

test('an imported removed person returns without former segments and teams', async () => {
  const { run, people, segment, client } = await createImportScenario()
  const beta = await segment()
  await run('email\nada@example.com\n', { path: `/api/v2/segments/${beta}/import-users` })
  const [ada] = await people()
  await client('DELETE', `/api/v2/users/${ada?.id}`)
  const back = await run('email\nada@example.com\n')
  expect(back.body.data.totals).toMatchObject({ created: 0, updated: 1 })
  const members = async () =>
    (await client<{ userCount: number }>('GET', `/api/v2/segments/${beta}`)).body.data.userCount
  expect(await members()).toBe(0)
  await client('DELETE', `/api/v2/users/${ada?.id}`)
  await client('POST', `/api/v2/users/${ada?.id}/restore`)
  expect([await members(), (await people()).length]).toEqual([0, 1])
})

runtimeTest('a file for a segment that accepts no people is refused before it arrives', async () => {
  const { client, segment } = await createImportScenario()
  const rules = { match: 'all', conditions: [{ attribute: 'role', operator: 'eq', value: 'owner' }] }
  const json = { name: 'Owners', type: 'dynamic', rules }
  const dynamic = (await client<{ id: number }>('POST', '/api/v2/segments', { json })).body.data.id
  const rows = new TextEncoder().encode('row,for,nobody@example.com\n'.repeat(4_000))
  const send = async (id: number, headers: Record<string, string> = {}) => {
    let pulled = 0
    const raw = new ReadableStream({
      type: 'bytes',
      pull(controller) {
        if (++pulled > 100) controller.close()
        else controller.enqueue(rows.slice())
      },
    })
    const type = 'multipart/form-data; boundary=x'
    const path = `/api/v2/segments/${id}/import-users`
    const { status, body, cost } = await client('POST', path, { raw, headers: { 'content-type': type, ...headers } })
    return { status, code: body.error?.code, pulled, trips: cost.roundTrips }
  }
  const nothing = { pulled: 0, trips: 1 }
  expect(await send(999_999)).toEqual({ status: 404, code: 'segment_not_found', ...nothing })
  expect(await send(dynamic)).toEqual({ status: 409, code: 'conflict', ...nothing })
  expect((await send(await segment())).pulled).toBeGreaterThan(0)
  // A request with an Idempotency-Key may be a retry, so the service must read the body first.
  expect((await send(dynamic, { 'idempotency-key': 'again' })).pulled).toBeGreaterThan(0)
})

const createPerson = async ({ client }: Workspace, role: UserRole) => {
  const json = { email: `${createUniqueId()}@example.com`, role }
  return (await client<{ id: number; email: string }>('POST', '/api/v2/users', { json })).body.data
}
const importRoles = (space: Workspace, rows: string) =>
  importFile(
    space,
    'people',
    new File([`email,role\n${rows}\n`], 'people.csv', { type: 'text/csv' }),
    'onConflict=update',
  )
const roleOf = async ({ client }: Workspace, email: string) =>
  (await client<{ role: string }[]>('GET', `/api/v2/users?email=${email}`)).body.data[0]?.role

test('nobody undoes an import of people whose role has scopes beyond their own', async () => {
  const space = await createWorkspace()
  const [member, admin] = await Promise.all(
    (['member', 'admin'] as const).map(async (role) => {
      const { id } = await createPerson(space, role)
      return (await space.session({ userId: id, scopes: ROLE_SCOPES[role] })).headers
    }),
  )
  const undo = (id: number, headers: Record<string, string> = {}) =>
    call('POST', `/api/v2/imports/${id}/undo`, { headers })
  const [raised, made] = [(await createPerson(space, 'member')).email, `${createUniqueId()}@example.com`]
  for (const [email, former] of [
    [raised, 'member'],
    [made, undefined],
  ] as const) {
    const { id } = await importRoles(space, `${email},admin`)
    const refused = await undo(id, member)
    expect([refused.status, refused.body.error?.code]).toEqual([403, 'insufficient_scope'])
    expect(await roleOf(space, email)).toBe('admin')
    expect((await undo(id, admin)).status).toBe(200)
    expect(await roleOf(space, email)).toBe(former)
  }
  const owner = await createPerson(space, 'owner')
  await space.client('DELETE', `/api/v2/users/${owner.id}`)
  const { id } = await importRoles(space, `${owner.email},viewer\n${raised},viewer`)
  expect((await undo(id, member)).status).toBe(200)
  expect(await roleOf(space, owner.email)).toBeUndefined()
})

test('an undo of a role ends the sessions of the person, and the keys of these sessions beyond the former role', async () => {
  const space = await createWorkspace()
  const [person, other] = [await createPerson(space, 'member'), await createPerson(space, 'admin')]
  const run = await importRoles(space, `${person.email},admin\n${other.email},member`)
  const createKey = async (userId: number, scopes: readonly string[]) => {
    const { headers } = await space.session({ userId, scopes: ROLE_SCOPES.admin })
    const { body } = await call<{ token: string }>('POST', '/api/v2/api-keys', {
      ...{ headers, json: { name: 'ci', scopes } },
    })
    return { headers, apiKey: `Bearer ${body.data.token}` }
  }
  const beyond = await createKey(person.id, ['products:write', 'products:read'])
  const within = await createKey(person.id, ['products:read'])
  const ofOther = await createKey(other.id, ['products:write', 'products:read'])
  expect((await space.client('POST', `/api/v2/imports/${run.id}/undo`)).status).toBe(200)
  const read = async (options: object) => (await call('GET', '/api/v2/users', options)).status
  expect(await read({ headers: beyond.headers })).toBe(401)
  expect(await read({ apiKey: beyond.apiKey })).toBe(401)
  expect(await read({ apiKey: within.apiKey })).toBe(200)
  expect(await read({ apiKey: ofOther.apiKey })).toBe(200)
})
