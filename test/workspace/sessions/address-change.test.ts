import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { deriveSignInCodes, deriveSignInTokens } from '../../../src/http/sign-in-token'
import { ROLE_SCOPES, type UserRole } from '../../../src/roles'
import { call, send } from '../../client'
import { createWorkspace, type Workspace } from '../../factories'
import { openBoard } from '../../portal/visitors'
import { createUniqueId } from '../../unique'
import { fileForm } from '../../world'
import { importFile } from '../imports/scenario'
import { ADDRESS_DOORS, type AddressDoor } from './address-writers'

const address = () => `${createUniqueId()}@example.com`
const USERS = '/api/v2/users'
const MEMBERS = '/api/v2/idea-manager/members'

interface Change {
  id: number
  /** The new address, unless the door frees the address. */
  to: string
}

interface Door {
  /** Roles of the person whose address the door changes. */
  roles: readonly UserRole[]
  /** Creates the person with the address. Returns the id and the change. */
  open(space: Workspace, email: string, role: UserRole): Promise<{ id: number; change(to: string): Promise<void> }>
}

async function succeed<D>(answer: Promise<{ status: number; body: { data: D; message?: string } }>): Promise<D> {
  const { status, body } = await answer
  expect(status, body.message).toBeLessThan(300)
  return body.data
}

const createPerson = async ({ client }: Workspace, email: string, role: UserRole) =>
  (await succeed(client<{ id: number }>('POST', USERS, { json: { email, role } }))).id

const identify = ({ client }: Workspace, id: number) =>
  succeed(client<object>('PUT', `${MEMBERS}/${id}`, { json: { source: 'crm', externalId: String(id) } }))

const importPeople = (space: Workspace, rows: string, onConflict = 'update') => {
  const file = new File([`email,role,externalId,externalSource\n${rows}\n`], 'people.csv', { type: 'text/csv' })
  return importFile(space, 'people', file, `onConflict=${onConflict}`)
}

const undo = ({ client }: Workspace, { id }: { id: number }) =>
  succeed(client<object>('POST', `/api/v2/imports/${id}/undo`))

const idOf = async ({ client }: Workspace, email: string) =>
  (await succeed(client<{ id: number }[]>('GET', `${USERS}?email=${email}`)))[0]?.id ?? 0

const createDoor = (
  roles: readonly UserRole[],
  change: (space: Workspace, given: Change) => Promise<unknown>,
): Door => ({
  roles,
  async open(space, email, role) {
    const id = await createPerson(space, email, role)
    return { id, change: async (to) => void (await change(space, { id, to })) }
  },
})

const BOTH = ['viewer', 'idm_member'] as const

const DOORS: Readonly<Record<AddressDoor, Door>> = {
  modifyUser: createDoor(BOTH, ({ client }, { id, to }) =>
    succeed(client<object>('PUT', `${USERS}/${id}`, { json: { email: to } })),
  ),
  patchUser: createDoor(BOTH, ({ client }, { id, to }) =>
    succeed(client<object>('PATCH', `${USERS}/${id}`, { json: { email: to } })),
  ),
  modifyMember: createDoor(BOTH, ({ client }, { id, to }) =>
    succeed(client<object>('PUT', `${MEMBERS}/${id}`, { json: { email: to } })),
  ),
  upsertMember: createDoor(BOTH, async (space, { id, to }) => {
    await identify(space, id)
    await succeed(space.client<object>('PUT', `${MEMBERS}/external/crm/${id}`, { json: { email: to } }))
  }),
  // An import changes no address of the team.
  importPeople: createDoor(['idm_member'], async (space, { id, to }) => {
    await identify(space, id)
    expect((await importPeople(space, `${to},,${id},crm`)).totals).toMatchObject({ updated: 1 })
  }),
  undoChangedPerson: {
    roles: ['idm_member'],
    async open(space, email) {
      const id = await createPerson(space, address(), 'idm_member')
      await identify(space, id)
      const run = await importPeople(space, `${email},,${id},crm`)
      return { id, change: async () => void (await undo(space, run)) }
    },
  },
  undoCreatedPerson: {
    roles: BOTH,
    async open(space, email, role) {
      const run = await importPeople(space, `${email},${role},,`)
      return { id: await idOf(space, email), change: async () => void (await undo(space, run)) }
    },
  },
  undoIdeaImport: {
    roles: ['idm_member'],
    async open(space, email) {
      const file = new File([`title,description,author\nDark mode,At night,${email}\n`], 'ideas.csv', {
        type: 'text/csv',
      })
      const run = await importFile(space, 'feedback', file)
      return { id: await idOf(space, email), change: async () => void (await undo(space, run)) }
    },
  },
  eraseMember: createDoor(BOTH, ({ client }, { id }) =>
    succeed(client<object>('DELETE', `${MEMBERS}/${id}/permanent`)),
  ),
}

async function readMail({ subscriptionId }: Workspace) {
  const nonce = await env.DB.prepare('SELECT nonce FROM sign_ins WHERE subscription_id = ? ORDER BY sent_since DESC')
    .bind(subscriptionId)
    .first<string>('nonce')
  const [[code = ''], [token = '']] = await Promise.all([
    deriveSignInCodes(env.SIGNING_SECRETS, nonce ?? ''),
    deriveSignInTokens(env.SIGNING_SECRETS, nonce ?? ''),
  ])
  return { code, token }
}

const countSessions = () =>
  env.DB.prepare("SELECT count(*) FROM api_keys WHERE kind = 'session'").first<number>('count(*)')

const ask = async (email: string, rest: object = {}) =>
  expect((await call('POST', '/api/v2/sign-in', { json: { email, ...rest } })).status).toBe(200)
const tryCode = (email: string, code: string, rest: object = {}) =>
  call<{ signedIn: boolean; workspaces: object[] }>('POST', '/api/v2/sign-in/code', { json: { email, code, ...rest } })
const tryLink = async (token: string, workspaceId?: number) => {
  const raw = new URLSearchParams({ next: '/', ...(workspaceId !== undefined && { workspaceId: String(workspaceId) }) })
  const headers = { 'sec-fetch-site': 'same-origin', origin: 'null' }
  return (await send('POST', `/sign-in/${token}`, { raw, headers })).response.status
}
const openLink = async (token: string) => {
  const { response } = await send('GET', `/sign-in/${token}`)
  return { status: response.status, text: await response.text() }
}

/** Workspace A of the victim. The victim owns it, and has an address that the attacker cannot read mail of. */
async function createVictim() {
  const space = await createWorkspace()
  const email = address()
  await createPerson(space, email, 'owner')
  return { space, email }
}

const casesOf = (isOfTeam: boolean) =>
  ADDRESS_DOORS.flatMap((name) =>
    DOORS[name].roles.filter((role) => (role !== 'idm_member') === isOfTeam).map((role) => ({ name, role })),
  )

test.each(casesOf(true))('an open sign-in of the team ends when $name changes the address', async ({ name, role }) => {
  const [victim, here, mine] = [await createVictim(), await createWorkspace(), address()]
  const person = await DOORS[name].open(here, mine, role)
  await ask(mine)
  const { code, token } = await readMail(here)
  expect((await openLink(token)).text).toContain(`Sign in as ${mine}?`)
  await person.change(victim.email)
  const sessions = await countSessions()
  const opened = await openLink(token)
  expect([opened.status, opened.text.includes(victim.email)]).toEqual([410, false])
  expect(await tryLink(token)).toBe(410)
  expect(await tryLink(token, victim.space.subscriptionId)).toBe(410)
  for (const email of [mine, victim.email])
    for (const rest of [{}, { workspaceId: victim.space.subscriptionId }, { workspaceId: here.subscriptionId }])
      expect((await tryCode(email, code, rest)).status).toBe(401)
  expect(await countSessions()).toBe(sessions)
})

test.each(casesOf(false))('an open sign-in of a portal ends when $name changes the address', async ({ name, role }) => {
  const [victim, mine] = [await createVictim(), address()]
  const [board, other] = [await openBoard(), await openBoard()]
  await createPerson(other, victim.email, 'idm_member')
  const person = await DOORS[name].open(board, mine, role)
  await ask(mine, { portal: board.slug })
  const { code, token } = await readMail(board)
  await person.change(victim.email)
  const sessions = await countSessions()
  expect(await tryLink(token)).toBe(410)
  for (const email of [mine, victim.email])
    for (const rest of [
      {},
      { portal: board.slug },
      { portal: other.slug },
      { workspaceId: victim.space.subscriptionId },
    ])
      expect((await tryCode(email, code, rest)).status).toBe(401)
  expect(await countSessions()).toBe(sessions)
  // The next mail proves the address again.
  if (name === 'modifyUser') {
    await ask(victim.email, { portal: board.slug })
    const mail = await readMail(board)
    expect((await tryCode(victim.email, mail.code, { portal: board.slug })).status).toBe(200)
  }
})

test('the code of a portal is no link of the team', async () => {
  const [board, mine] = [await openBoard(), address()]
  await createPerson(board, mine, 'member')
  await ask(mine, { portal: board.slug })
  const { token } = await readMail(board)
  expect(await tryLink(token)).toBe(410)
})

test('a link proves the address of its mail, whatever row has the id of the person by now', async () => {
  const [victim, here, mine] = [await createVictim(), await createWorkspace(), address()]
  const id = await createPerson(here, mine, 'member')
  await ask(mine)
  const { token } = await readMail(here)
  // The trigger of the address does not see a row that comes in place of another.
  await env.DB.batch([
    env.DB.prepare('DELETE FROM users WHERE id = ?').bind(id),
    env.DB.prepare(
      "INSERT INTO users (id, subscription_id, email, role, created_at, updated_at) VALUES (?, ?, ?, 'member', 0, 0)",
    ).bind(id, here.subscriptionId, victim.email),
  ])
  expect(await tryLink(token, victim.space.subscriptionId)).toBe(410)
})

test('an address in other letters is the same address, and a person of several workspaces loses only the changed one', async () => {
  const [first, second, mine] = [await createWorkspace(), await createWorkspace(), address()]
  await createPerson(first, mine, 'member')
  const id = await createPerson(second, mine, 'admin')
  await ask(mine.toUpperCase())
  const { code, token } = await readMail(first)
  await succeed(
    first.client<object>('PUT', `${USERS}/${await idOf(first, mine)}`, { json: { email: ` ${mine.toUpperCase()}` } }),
  )
  expect((await openLink(token)).status).toBe(200)
  await succeed(second.client<object>('PUT', `${USERS}/${id}`, { json: { email: address() } }))
  const answer = await tryCode(` ${mine.toUpperCase()} `, code)
  expect(answer.body.data.workspaces).toMatchObject([{ id: first.subscriptionId, role: 'member' }])
})

test('a change of the address leaves the number of mails of an hour', async () => {
  const [here, mine] = [await createWorkspace(), address()]
  const id = await createPerson(here, mine, 'member')
  const statuses: number[] = []
  for (let n = 0; n < 6; n++) {
    statuses.push((await call('POST', '/api/v2/sign-in', { json: { email: mine } })).status)
    for (const email of [address(), mine])
      await succeed(here.client<object>('PUT', `${USERS}/${id}`, { json: { email } }))
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
})

test('nobody reaches the workspace of another person by the own row', async () => {
  const victim = await createVictim()
  for (const role of ['admin', 'member', 'viewer'] as const) {
    const [here, mine] = [await createWorkspace(), address()]
    const id = await createPerson(here, mine, role)
    await identify(here, id)
    const { headers } = await here.session({ userId: id, scopes: ROLE_SCOPES[role] })
    await ask(mine)
    const { token } = await readMail(here)
    const json = { email: victim.email }
    const changes = [
      await call('PUT', `${MEMBERS}/external/crm/${id}`, { headers, json }),
      await call('PUT', `${MEMBERS}/${id}`, { headers, json }),
      await call('PUT', `${USERS}/${id}`, { headers, json }),
    ]
    const isAllowed = role === 'admin'
    expect([role, ...changes.map(({ status }) => status < 300)]).toEqual([role, isAllowed, isAllowed, isAllowed])
    expect(await tryLink(token, victim.space.subscriptionId)).toBe(410)
    if (isAllowed) expect(await tryLink(token)).toBe(410)
  }
})

test.each(['the id', 'an external id'])(
  'a colleague gets a new address by %s only from callers who may change users',
  async (name) => {
    const pathOf = (id: number) => (name === 'the id' ? `${MEMBERS}/${id}` : `${MEMBERS}/external/crm/${id}`)
    const here = await createWorkspace()
    const members = await here.key({ scopes: ['segments:write', 'segments:read', 'products:read'] })
    const change = (id: number, options: object) => call('PUT', pathOf(id), { ...options, json: { email: address() } })
    const session = async (role: UserRole) => {
      const userId = await createPerson(here, address(), role)
      return { headers: (await here.session({ userId, scopes: ROLE_SCOPES[role] })).headers }
    }
    const callers = { key: { apiKey: members }, member: await session('member'), admin: await session('admin') }
    for (const [role, expected] of [
      ['owner', { key: 403, member: 403, admin: 403 }],
      ['admin', { key: 403, member: 403, admin: 200 }],
      ['member', { key: 403, member: 403, admin: 200 }],
      ['viewer', { key: 403, member: 403, admin: 200 }],
      ['idm_member', { key: 200, member: 200, admin: 200 }],
    ] as const) {
      const id = await createPerson(here, address(), role)
      await identify(here, id)
      for (const name of ['key', 'member', 'admin'] as const) {
        const before = await succeed(here.client<{ email: string }>('GET', `${USERS}/${id}`))
        const { status, body } = await change(id, callers[name])
        expect([role, name, status]).toEqual([role, name, expected[name]])
        if (status === 200) continue
        expect(body.error?.code).toBe('insufficient_scope')
        expect(await succeed(here.client<object>('GET', `${USERS}/${id}`))).toEqual(before)
        // The other fields are open to the members' doors.
        const json = { email: before.email, lastName: `By ${name}` }
        expect((await call('PUT', pathOf(id), { ...callers[name], json })).status).toBe(200)
      }
    }
    const viewer = await createPerson(here, address(), 'viewer')
    await identify(here, viewer)
    expect((await change(viewer, callers.member)).body.message).toContain('products:write')
  },
)

test("the members' doors without an id of the person change no address", async () => {
  const here = await createWorkspace()
  const mine = address()
  const id = await createPerson(here, mine, 'viewer')
  await identify(here, id)
  const given = { email: address(), externalId: String(id), source: 'crm' }
  await here.client('POST', `${MEMBERS}?invite=false`, { json: given })
  await here.client('POST', `${MEMBERS}/bulk-create?invite=false`, { json: [given] })
  const raw = fileForm('users', `email,externalId,externalSource\n${given.email},${id},crm\n`, 'people.csv', 'text/csv')
  await here.client('POST', `${MEMBERS}/import-users?onConflict=update`, { raw })
  expect(await succeed(here.client<object>('GET', `${USERS}/${id}`))).toMatchObject({ email: mine })
})

test('a workspace that gives its people the address of somebody who has signed in elsewhere ends no sign-in', async () => {
  const [here, other] = [await createWorkspace(), await createWorkspace()]
  const email = address()
  const [copied, changed] = [await createPerson(here, email, 'member'), await createPerson(other, address(), 'member')]
  await other.session({ userId: changed })
  await succeed(other.client<object>('PUT', `${USERS}/${changed}`, { json: { email } }))
  const space = await createWorkspace()
  const victim = await createPerson(space, email, 'owner')
  await ask(email)
  const first = await readMail(here)
  // The first mail comes from any of the workspaces, and nobody there cancels it.
  const [mail] = (await here.client<{ id: number }[]>('GET', '/api/v2/emails')).body.data
  const canceled = await here.client('POST', `/api/v2/emails/${mail?.id}/cancel`)
  expect([canceled.status, canceled.body.message]).toEqual([
    409,
    'A mail with a sign-in code cannot be canceled. The code ends after ten minutes.',
  ])
  expect((await tryCode(email, first.code, { workspaceId: space.subscriptionId })).status).toBe(200)
  await ask(email)
  const { code } = await readMail(space)
  for (const [workspace, id] of [
    [here, copied],
    [other, changed],
  ] as const)
    await succeed(workspace.client<object>('PUT', `${USERS}/${id}`, { json: { email: address() } }))
  expect((await tryCode(email, code)).body.data.workspaces).toMatchObject([{ id: space.subscriptionId }])
  expect(victim).toBeGreaterThan(changed)
})
