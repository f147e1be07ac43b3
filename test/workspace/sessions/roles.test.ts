import { expect, test } from 'vitest'
import { ROLE_SCOPES, USER_ROLES, type UserRole } from '../../../src/roles'
import { call } from '../../client'
import { createWorkspace, type Workspace } from '../../factories'
import { createUniqueId } from '../../unique'
import { fileForm } from '../../world'

const address = () => `${createUniqueId()}@example.com`

async function createUser({ client }: Workspace, role: UserRole) {
  const { body } = await client<{ id: number; email: string }>('POST', '/api/v2/users', {
    json: { email: address(), role },
  })
  return body.data
}

/** The requests of a person with the role. */
async function signIn(here: Workspace, role: UserRole) {
  const { id } = await createUser(here, role)
  const { headers } = await here.session({ userId: id, scopes: ROLE_SCOPES[role] })
  const request = <D = never>(method: string, path: string, json?: object) =>
    call<D>(method, path, { headers, ...(json && { json }) })
  return { id, request }
}

const codeOf = (answer: { status: number; body: { error?: { code: string } } }) =>
  answer.status < 300 ? 'done' : answer.body.error?.code

test('nobody gives a role with more scopes than the own scopes', async () => {
  const here = await createWorkspace()
  const { id: known } = await createUser(here, 'idm_member')
  const person = await signIn(here, 'admin')
  for (const role of USER_ROLES) {
    const expected = role === 'owner' ? 'insufficient_scope' : 'done'
    expect([role, codeOf(await person.request('POST', '/api/v2/users', { email: address(), role }))]).toEqual([
      role,
      expected,
    ])
    expect([role, codeOf(await person.request('PUT', `/api/v2/users/${known}`, { role }))]).toEqual([role, expected])
  }
  const member = await signIn(here, 'member')
  for (const [role, expected] of [
    ['idm_member', 'done'],
    ['viewer', 'done'],
    ['member', 'done'],
    ['admin', 'insufficient_scope'],
  ]) {
    const create = await member.request('POST', '/api/v2/idea-manager/members?invite=false', { email: address(), role })
    expect([role, codeOf(create)]).toEqual([role, expected])
    const path = `/api/v2/idea-manager/members/external/hr/${role}`
    expect([role, codeOf(await member.request('PUT', path, { email: address(), role }))]).toEqual([role, expected])
  }
})

test('nobody takes over or removes a person who can do more', async () => {
  const here = await createWorkspace()
  const admin = await signIn(here, 'admin')
  const member = await signIn(here, 'member')
  const owner = `/api/v2/users/${here.userId}`
  expect(codeOf(await admin.request('PUT', owner, { email: address() }))).toBe('insufficient_scope')
  expect(codeOf(await admin.request('PUT', owner, { role: 'viewer' }))).toBe('insufficient_scope')
  expect(codeOf(await admin.request('PUT', owner, { firstName: 'Olga' }))).toBe('done')
  expect(codeOf(await admin.request('DELETE', owner))).toBe('insufficient_scope')
  const { id } = await createUser(here, 'admin')
  for (const path of [`/api/v2/idea-manager/members/${id}`, `/api/v2/idea-manager/members/${id}/permanent`])
    expect(codeOf(await member.request('DELETE', path))).toBe('insufficient_scope')
  await here.client('PUT', `/api/v2/idea-manager/members/${id}`, { json: { source: 'hr', externalId: '7' } })
  const external = '/api/v2/idea-manager/members/external/hr/7'
  expect(codeOf(await member.request('PUT', external, { email: address() }))).toBe('insufficient_scope')
  expect(codeOf(await admin.request('DELETE', `/api/v2/users/${id}`))).toBe('done')
})

test('an import gives no role with more scopes than the own scopes, and moves no address of a person who signs in', async () => {
  const here = await createWorkspace()
  const { id } = await createUser(here, 'viewer')
  await here.client('PUT', `/api/v2/idea-manager/members/${id}`, { json: { source: 'hr', externalId: '7' } })
  const [boss, mate, moved] = [address(), address(), address()]
  const file = `email,role,externalId,externalSource\n${boss},admin,8,hr\n${mate},viewer,9,hr\n${moved},,7,hr\n`
  const apiKey = await here.key({ scopes: ROLE_SCOPES.member })
  const { body } = await call<{ warnings: object[]; rejected: object[] }>(
    'POST',
    '/api/v2/idea-manager/members/import-users?onConflict=update',
    { apiKey, raw: fileForm('users', file, 'users.csv', 'text/csv') },
  )
  expect(body.data.warnings).toMatchObject([{ field: 'role', value: 'admin', rows: 1 }])
  expect(body.data.rejected).toMatchObject([{ field: 'email', value: moved }])
  const roleOf = async (email: string) =>
    (await here.client<{ role: string }[]>('GET', `/api/v2/users?email=${email}`)).body.data[0]?.role
  expect(await Promise.all([boss, mate, moved].map(roleOf))).toEqual(['idm_member', 'viewer', undefined])
})

interface ApiKey {
  id: number
  token: string
}

test('a new role ends the keys of former sessions that exceed it, and no other key', async () => {
  const here = await createWorkspace()
  const person = await signIn(here, 'admin')
  const create = async (scopes: string[], apiKey?: string) => {
    const json = { name: scopes.join(), scopes }
    const answer = apiKey
      ? await call<ApiKey>('POST', '/api/v2/api-keys', { apiKey, json })
      : await person.request<ApiKey>('POST', '/api/v2/api-keys', json)
    return `Bearer ${answer.body.data.token}`
  }
  const [reading, sending, issuing] = [
    await create(['backlog:read']),
    await create(['mail:write']),
    await create(['keys:write', 'mail:read', 'mail:write', 'backlog:read']),
  ]
  const [issued, harmless] = [await create(['mail:write'], issuing), await create(['backlog:read'], issuing)]
  const own = await here.key({ userId: person.id })
  await person.request('POST', '/api/v2/sign-out')
  await here.client('PUT', `/api/v2/users/${person.id}`, { json: { role: 'member' } })
  const works = async (apiKey: string) => (await call('GET', '/api/v2/me', { apiKey })).status === 200
  const working = await Promise.all([reading, sending, issuing, issued, harmless, own].map(works))
  expect(working).toEqual([true, false, false, false, true, true])
  await here.client('PUT', `/api/v2/users/${person.id}`, { json: { role: 'idm_member' } })
  expect(await Promise.all([reading, harmless, own].map(works))).toEqual([false, false, true])
})

test('an admin has every scope but not the workspace', async () => {
  const here = await createWorkspace()
  const { request } = await signIn(here, 'admin')
  expect(codeOf(await request('POST', '/api/v2/exports', {}))).toBe('insufficient_scope')
  expect(codeOf(await request('DELETE', '/api/v2/workspace', { confirm: 'Test' }))).toBe('insufficient_scope')
  expect(codeOf(await request('POST', '/api/v2/api-keys', { name: 'all', scopes: ['*'] }))).toBe('insufficient_scope')
  const all = await request<ApiKey>('POST', '/api/v2/api-keys', { name: 'most', scopes: ROLE_SCOPES.admin })
  expect(codeOf(all)).toBe('done')
  const other = { name: 'other', scopes: ['backlog:read'], userId: here.userId }
  expect(codeOf(await request('POST', '/api/v2/api-keys', other))).toBe('insufficient_scope')
  const rotated = await request<ApiKey>('POST', `/api/v2/api-keys/${all.body.data.id}/rotate`, {})
  expect(codeOf(rotated)).toBe('done')
})

test('a session rotates the own keys, whichever session created them, and no key of another person', async () => {
  const here = await createWorkspace()
  const person = await signIn(here, 'admin')
  const { body } = await person.request<ApiKey>('POST', '/api/v2/api-keys', { name: 'mine', scopes: ['kpis:read'] })
  const later = await here.session({ userId: person.id, scopes: ROLE_SCOPES.admin })
  const colleague = await signIn(here, 'admin')
  const path = `/api/v2/api-keys/${body.data.id}/rotate`
  expect(codeOf(await colleague.request('POST', path, {}))).toBe('insufficient_scope')
  expect((await call('POST', path, { headers: later.headers, json: {} })).status).toBe(201)
})

test('a user without a role gets the strongest role up to a member that the key covers', async () => {
  const here = await createWorkspace()
  for (const [scopes, expected, stronger] of [
    [['*'], 'member', undefined],
    [ROLE_SCOPES.admin, 'member', 'owner'],
    [['products:write', ...ROLE_SCOPES.viewer], 'viewer', 'member'],
    [['products:read', 'products:write'], 'idm_member', 'viewer'],
  ] as const) {
    const apiKey = await here.key({ scopes: [...scopes] })
    const create = (json: object) =>
      call<{ role: string }>('POST', '/api/v2/users', { apiKey, json: { email: address(), ...json } })
    const { status, body } = await create({})
    expect([scopes, status, body.data?.role]).toEqual([scopes, 201, expected])
    if (stronger) expect([stronger, codeOf(await create({ role: stronger }))]).toEqual([stronger, 'insufficient_scope'])
  }
})
