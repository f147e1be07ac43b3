import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { missingRouteError } from '../../src/http/missing-route'
import { mountRoutes } from '../../src/http/mount'
import { type AnyOperation, operation } from '../../src/http/operation'
import { type AppEnv, makeFailureResponse } from '../../src/http/response'
import { createWorkspace } from '../factories'

const echoOperation = (
  path: `/${string}`,
  params: Record<string, z.ZodString>,
  method: 'GET' | 'PUT' | 'DELETE' = 'GET',
): AnyOperation =>
  operation({
    id: `${method} ${path}`,
    route: `${method} ${path}`,
    tag: 'Service',
    summary: path,
    scope: 'backlog:read',
    params: z.object(params),
    data: z.array(z.string()),
    handle: async ({ params }) => ({ data: [path, ...Object.values(params)] }),
  })

const table = [
  echoOperation('/maps/{map}', { map: z.string() }),
  echoOperation('/maps/{map}', { map: z.string() }, 'PUT'),
  echoOperation('/maps/card', {}),
  echoOperation('/maps/card', {}, 'DELETE'),
  echoOperation('/maps/{map}/{part}', { map: z.string(), part: z.string() }),
  echoOperation('/maps/{map}/cards', { map: z.string() }),
  echoOperation('/maps/card/{card}', { card: z.string() }),
  echoOperation('/{area}/card/{card}', { area: z.string(), card: z.string() }),
]

async function mountOperations(operations: readonly AnyOperation[]) {
  const app = new Hono<AppEnv>()
  mountRoutes(app, operations)
  app.notFound((c) => makeFailureResponse(c, missingRouteError(app, c.req.method, c.req.path)))
  const apiKey = await (await createWorkspace()).key()
  return async (path: string, method = 'GET') => {
    const context = createExecutionContext()
    const response = await app.fetch(
      new Request(`https://groundwork.test${path}`, { method, headers: { 'x-api-key': apiKey } }),
      env,
      context,
    )
    await waitOnExecutionContext(context)
    return response
  }
}

const tableOrders: [string, AnyOperation[]][] = [
  ['in its order', table],
  ['in reverse order', table.toReversed()],
]

test.each(tableOrders)('a literal path segment wins over a parameter, the table %s', async (_, operations) => {
  const ask = await mountOperations(operations)
  const answered = async (path: string) => ((await (await ask(path)).json()) as { data: string[] }).data
  expect(await answered('/maps/card')).toEqual(['/maps/card'])
  expect(await answered('/maps/7')).toEqual(['/maps/{map}', '7'])
  expect(await answered('/maps/card/US-1')).toEqual(['/maps/card/{card}', 'US-1'])
  expect(await answered('/maps/7/cards')).toEqual(['/maps/{map}/cards', '7'])
  // The first segment with a difference between two paths decides.
  expect(await answered('/maps/card/cards')).toEqual(['/maps/card/{card}', 'cards'])
  expect(await answered('/maps/7/rows')).toEqual(['/maps/{map}/{part}', '7', 'rows'])
  expect(await answered('/other/card/US-1')).toEqual(['/{area}/card/{card}', 'other', 'US-1'])
})

test.each(tableOrders)(
  'a literal path answers 405 to methods of a parameter path, the table %s',
  async (_, operations) => {
    const ask = await mountOperations(operations)
    const refused = await ask('/maps/card', 'PUT')
    expect([refused.status, refused.headers.get('allow')?.split(', ').sort()]).toEqual([405, ['DELETE', 'GET', 'HEAD']])
    expect((await ask('/maps/card', 'DELETE')).status).toBe(200)
    expect((await ask('/maps/7', 'PUT')).status).toBe(200)
    expect((await ask('/maps/7', 'DELETE')).status).toBe(405)
  },
)
