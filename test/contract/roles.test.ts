import { expect, test } from 'vitest'
import type { AnyOperation } from '../../src/http/operation'
import { ROLE_SCOPES, USER_ROLES, type UserRole } from '../../src/roles'
import { call } from '../client'
import { createWorkspace } from '../factories'
import { eachOperation, UNLIMITED } from './table'

const here = await createWorkspace()
const sessionByRole = new Map(
  await Promise.all(USER_ROLES.map(async (role) => [role, await here.session({ scopes: ROLE_SCOPES[role] })] as const)),
)

const CONTENT = /^(backlog|kpis|feedback|segments|personas|files):/
/** Stated apart from the table of the service, so that a change of the table fails here. */
const MAY_CALL: Record<UserRole, (scope: string | undefined) => boolean> = {
  owner: () => true,
  admin: (scope) => scope !== '*',
  member: (scope = '') => scope !== '*' && (CONTENT.test(scope) || !scope.endsWith(':write')),
  viewer: (scope = '') => scope === '' || scope === 'products:read' || (CONTENT.test(scope) && scope.endsWith(':read')),
  idm_member: () => false,
}

const OWN_OPERATIONS = ['listSessions', 'getSession', 'endSession', 'signOut']

// The rate limit comes after the check of the role, and before the database.
const UNREACHABLE = { ...UNLIMITED, KEY_RATE: { limit: async () => ({ success: false }) } }

async function isRefused(op: AnyOperation, role: UserRole): Promise<boolean> {
  const answer = await call(op.method.toUpperCase(), op.path.replace(/\{\w+\}/g, '1'), {
    headers: sessionByRole.get(role)?.headers ?? {},
    env: UNREACHABLE,
  })
  const code = answer.body.error?.code
  expect([['insufficient_scope', 'rate_limited'].includes(String(code)), answer.cost.roundTrips]).toEqual([true, 0])
  return code === 'insufficient_scope'
}

// A portal decides by itself who reads it.
test.each(eachOperation(({ access }) => access !== 'portal'))(
  '%s is called by the roles that include its scope',
  async (id, op) => {
    const called = await Promise.all(USER_ROLES.map(async (role) => [role, !(await isRefused(op, role))] as const))
    const expected = USER_ROLES.map((role) => [role, OWN_OPERATIONS.includes(id) || MAY_CALL[role](op.scope)])
    expect(Object.fromEntries(called)).toEqual(Object.fromEntries(expected))
  },
)

test('each role includes the scopes of the next', () => {
  for (const [n, role] of USER_ROLES.entries()) {
    const above = ROLE_SCOPES[USER_ROLES[n - 1] ?? 'owner']
    expect(ROLE_SCOPES[role].filter((scope) => !above.includes('*') && !above.includes(scope))).toEqual([])
  }
})
