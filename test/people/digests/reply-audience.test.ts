import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { Workspace } from '../../factories'
import { createColleague, createIdea, createQuietWorkspace, deliver, IDEAS, post } from './followed-ideas'

const AUTHOR = 'author@example.com'

interface Audience {
  reply: { author: { email: string } | null; nobodyBecause: string | null }
}

interface Case {
  world: Workspace
  key: string
  author: number
}

const member = async ({ client }: Workspace, email: string) =>
  (await client<{ id: number; email: string }[]>('GET', '/api/v2/idea-manager/members')).body.data.find(
    (one) => one.email === email,
  )?.id ?? 0

const CASES: Record<string, { idea?: object; before?: (it: Case) => Promise<unknown>; caller?: 'author' }> = {
  author: {},
  'author who voted against': {
    before: ({ world, key }) => post(world, `${key}/vote`, { type: 'down', email: AUTHOR }),
  },
  anonymous: { idea: { is_anonymous: true } },
  own: {
    caller: 'author',
    before: ({ world, author }) => world.client('PUT', `/api/v2/users/${author}`, { json: { role: 'member' } }),
  },
  notOfTeam: { caller: 'author' },
  removed: { before: ({ world, author }) => world.client('DELETE', `/api/v2/idea-manager/members/${author}`) },
  left: {
    before: async ({ world, key, author }) =>
      world.client('DELETE', `${IDEAS}/${key}/subscription`, {
        apiKey: await world.key({ userId: author, scopes: ['feedback:read', 'feedback:write'] }),
      }),
  },
  stopped: {
    before: async ({ world, author }) => {
      await env.DB.prepare(
        `INSERT INTO mail_preferences (subscription_id, user_id, digest, stopped_kinds, updated_at) VALUES (?, ?, 'off', '["reply"]', 0)`,
      )
        .bind(world.subscriptionId, author)
        .run()
    },
  },
  suppressed: { before: ({ world }) => world.client('POST', '/api/v2/suppressions', { json: { email: AUTHOR } }) },
}

test.each(Object.entries(CASES))(
  'a reply mails whom the audience names: %s',
  async (name, { idea, before, caller }) => {
    const world = await createQuietWorkspace()
    const cleo = await createColleague(world, 'cleo@example.com')
    const key = await createIdea(world, { user: { email: AUTHOR }, ...idea })
    const author = await member(world, AUTHOR)
    const done = (await before?.({ world, key, author })) as { status: number } | undefined
    if (done) expect(done.status).toBeLessThan(300)
    const apiKey = caller === 'author' ? await world.key({ userId: author }) : cleo.apiKey
    const audience = await world.client<Audience>('GET', `${IDEAS}/${key}/status-updates/audience`, { apiKey })
    expect([audience.status, audience.cost.roundTrips]).toEqual([200, 1])
    const { reply } = audience.body.data
    await post(world, `${key}/comments`, { text: 'Hello' }, { apiKey })
    expect(await deliver(world)).toEqual(reply.author ? [`${reply.author.email} New reply: Dark mode`] : [])
    expect(reply.nobodyBecause ?? 'author').toBe(name.split(' ')[0])
  },
)
