import { env } from 'cloudflare:workers'
import { afterEach, expect, test, vi } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { enqueueWaitingNotices } from '../../../src/people/digests/handler'
import { send } from '../../client'
import { createIdeaImports } from '../../feedback/imports/scenario'
import { fakeResend, RESEND, simulateQueue } from '../mail/queue-simulation'
import {
  createColleague,
  createIdea,
  createQuietWorkspace,
  IDEAS,
  MINUTE,
  post,
  setStatus,
  vote,
} from './followed-ideas'
import { GROUPS, type Group, type GroupName, type Mail } from './voters'

const TUESDAY = Date.parse('2026-12-01T00:00:00Z')
const HOUR = 60 * MINUTE

const everyGroup = Object.entries<Group>(GROUPS)
const nameOf = (group: string) => group.replaceAll(' ', '-').toLowerCase()
const peopleOf = (group: GroupName) =>
  Array.from({ length: GROUPS[group].size }, (_, n) => `${nameOf(group)}.${n}@example.com`)
const peopleOfAll = (...groups: GroupName[]) => groups.flatMap(peopleOf)

const byMail = (email: string) => ({ email })
const commented = (email: string) => ({ text: 'Yes', email })

/** Groups whose people choose their mail by a link of an earlier mail. */
const LINKED: GroupName[] = [
  'voter who unsubscribed from all mail',
  'voter without mail about a status',
  'voter without mail about a release',
  'voter without mail of any kind',
  'voter of both who left Alpha',
  'voter with a daily mail',
  'voter with a weekly mail',
]

afterEach(() => {
  vi.useRealTimers()
})

function summarizeNews(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const [, title, status] = /^"(.+)" is now "(.+)"\.$/.exec(line) ?? []
    if (title) return [`${title} ${status}`]
    const [, version, idea] = /^(.+) is released, and contains "(.+)"\.$/.exec(line) ?? []
    return version ? [`${version}: ${idea}`] : []
  })
}

const toDayAndHour = (time: number) =>
  `${new Date(time).toUTCString().slice(0, 3)} ${new Date(time).toISOString().slice(11, 13)}`

/** The clock of the service, and the mails that leave until a time. */
function createClock() {
  const resend = fakeResend()
  const simulation = simulateQueue(RESEND, resend.fetch)
  vi.useFakeTimers({ toFake: ['Date'] })
  const clock = {
    resend,
    sent: [] as { email: string; mail: Mail }[],
    set(time: number) {
      vi.setSystemTime(time)
      simulation.now = time
    },
    forget() {
      clock.sent = []
      resend.accepted.length = 0
    },
    /** The cron runs every twenty minutes. A message is delivered twice. */
    async runUntil(time: number, step = 20 * MINUTE) {
      while (simulation.now < time) {
        clock.set(Math.min(simulation.now + step, time))
        for (let n = 0; n < 2; n++)
          await enqueueWaitingNotices({ store: openStore(env.DB, simulation.now), outlet: simulation.outlet })
        await simulation.drain()
        for (const { to, subject, text = '' } of resend.accepted.slice(clock.sent.length))
          clock.sent.push({ email: to.join(), mail: [toDayAndHour(simulation.now), subject, ...summarizeNews(text)] })
      }
    },
  }
  return clock
}

async function createVoters(clock: ReturnType<typeof createClock>) {
  clock.set(TUESDAY + 8 * HOUR)
  const world = await createQuietWorkspace()
  const { client } = world
  const [base, product] = [`/api/initiatives/${world.product.externalKey}`, world.product.externalKey]
  const imported = await createIdeaImports(world).run(
    JSON.stringify([
      {
        title: 'Alpha',
        author: peopleOf('author of Alpha')[0],
        votes: [
          ...peopleOfAll('imported voter of Alpha', 'imported voter of both', ...LINKED).map(byMail),
          ...peopleOf('imported voter against Alpha').map((email) => ({ email, type: 'down' })),
        ],
        comments: [
          ...peopleOf('imported commenter on Alpha').map(commented),
          ...peopleOf('imported private commenter on Alpha').map((email) => ({ ...commented(email), isPrivate: true })),
        ],
      },
      {
        title: 'Beta',
        author: peopleOf('anonymous author of Beta')[0],
        isAnonymous: true,
        votes: peopleOfAll('imported voter of both', 'voter of both who left Alpha').map(byMail),
        followers: peopleOf('imported follower of Beta'),
      },
      {
        title: 'Gamma',
        author: peopleOf('author of the merged idea')[0],
        comments: peopleOf('imported commenter on the merged idea').map(commented),
      },
      { title: 'Preview', votes: peopleOfAll(...LINKED).map(byMail) },
    ]),
    { name: 'ideas.json' },
  )
  expect(imported.body.data.totals).toMatchObject({ created: 4, rejected: 0 })
  const ideas = (await client<{ title: string; external_key: string }[]>('GET', IDEAS)).body.data
  const keyOf = (title: string) => ideas.find((idea) => idea.title === title)?.external_key ?? ''
  const [alpha, beta, gamma, preview] = ['Alpha', 'Beta', 'Gamma', 'Preview'].map(keyOf) as [
    string,
    string,
    string,
    string,
  ]
  const delta = await createIdea(world, { title: 'Delta', product })

  const voteAll = async (key: string, groups: readonly GroupName[], type = 'up') => {
    for (const email of peopleOfAll(...groups)) expect((await vote(world, key, email, type)).status).toBe(200)
  }
  await voteAll(alpha, ['voter of Alpha', 'voter of both', 'voter of the merged idea and of its target'])
  await voteAll(alpha, ['voter who changed sides', 'voter who withdrew the vote', 'suppressed voter', 'removed voter'])
  await voteAll(beta, ['voter of Beta', 'voter of both'])
  await voteAll(gamma, ['voter of the merged idea', 'voter of the merged idea and of its target'])
  await voteAll(delta, ['voter of another idea'])
  await voteAll(alpha, ['voter against Alpha', 'voter against Alpha who subscribed', 'voter who changed sides'], 'down')
  await voteAll(alpha, ['voter who withdrew the vote'], 'none')
  for (const email of peopleOfAll('voter against Alpha who subscribed', 'subscriber of Alpha'))
    expect((await post(world, `${alpha}/subscription`, { email })).status).toBe(200)
  for (const email of peopleOf('suppressed voter')) await client('POST', '/api/v2/suppressions', { json: { email } })
  for (const [group, isPrivate] of [
    ['colleague who commented on Alpha', false],
    ['colleague who commented privately', true],
  ] as const)
    for (const email of peopleOf(group)) {
      const { apiKey } = await createColleague(world, email)
      await post(world, `${alpha}/comments`, { text: 'Yes', isPrivate }, { apiKey })
    }
  // The owner makes the changes, and gets no mail.
  await post(world, `${alpha}/vote`, { type: 'up' })
  await client('POST', `${IDEAS}/${gamma}/merge`, { json: { into: alpha } })
  const members = (await client<{ id: number; email: string }[]>('GET', '/api/v2/idea-manager/members')).body.data
  for (const { id, email } of members)
    if (peopleOf('removed voter').includes(email)) await client('DELETE', `/api/v2/idea-manager/members/${id}`)
  await clock.runUntil(TUESDAY + 9 * HOUR + 30 * MINUTE)
  // A comment of the team is mail of another kind.
  clock.forget()

  await setStatus(world, preview, 'planned', 'now')
  await clock.runUntil(TUESDAY + 9 * HOUR + 40 * MINUTE)
  await choosePreferences(clock, alpha)
  clock.forget()
  return { world, base, alpha, beta }
}

const KINDS = ['status', 'release', 'reply', 'mention']
const CHOICES: Partial<Record<GroupName, { kind: string[]; digest: string }>> = {
  'voter without mail about a status': { kind: KINDS.slice(1), digest: 'off' },
  'voter without mail about a release': { kind: KINDS.filter((kind) => kind !== 'release'), digest: 'off' },
  'voter without mail of any kind': { kind: [], digest: 'off' },
  'voter with a daily mail': { kind: KINDS, digest: 'daily' },
  'voter with a weekly mail': { kind: KINDS, digest: 'weekly' },
}

async function choosePreferences({ resend }: ReturnType<typeof createClock>, alpha: string) {
  const mails = new Map(resend.accepted.map((mail) => [mail.to.join(), mail]))
  const submit = async (path: string, ...fields: [string, string][]) => {
    const { response } = await send('POST', path, { raw: new URLSearchParams(fields) })
    expect(response.status).toBe(200)
  }
  for (const group of LINKED)
    for (const email of peopleOf(group)) {
      const { text = '', headers = {} } = mails.get(email) ?? {}
      const [, preferences = ''] = /Choose your mail: https?:\/\/[^/]+(\S+)/.exec(text) ?? []
      const choice = CHOICES[group]
      if (choice)
        await submit(
          preferences,
          ['action', 'save'],
          ['digest', choice.digest],
          ...choice.kind.map((kind): [string, string] => ['kind', kind]),
        )
      else if (group === 'voter of both who left Alpha')
        await submit(`${preferences}?idea=${alpha}`, ['action', 'stop'])
      else {
        const [, unsubscribe = ''] =
          /<https?:\/\/[^/]+(\/unsubscribe\/[^>]+)>/.exec(headers['List-Unsubscribe'] ?? '') ?? []
        await submit(unsubscribe, ['List-Unsubscribe', 'One-Click'])
      }
    }
}

test.each(['apart', 'together'] as const)(
  'each of 200 voters gets exactly the mails about plan, completion and release that happen %s',
  async (variant) => {
    const clock = createClock()
    const { world, base, alpha, beta } = await createVoters(clock)
    const { client } = world
    const act = async (method: string, path: string, json: object) => {
      const { status, body } = await client<{ id: number }>(method, path, { json })
      expect([path, status < 300, body.message]).toEqual([path, true, body.message])
      return body.data
    }
    const waitHours = variant === 'apart' ? 2 : 1 / 4
    const startStep = async (step: number) => {
      const time = TUESDAY + (10 + step * waitHours) * HOUR
      await clock.runUntil(time)
      clock.set(time)
    }
    await startStep(0)
    await act('POST', `${IDEAS}/${alpha}/promote`, { type: 'epic' })
    await act('POST', `${IDEAS}/${beta}/promote`, { type: 'userstory' })
    await startStep(1)
    await act('PUT', `${base}/epics/EP-1`, { progress: 'done' })
    await act('PUT', `${base}/storyMap/card/US-1`, { progress: 'done' })
    await startStep(2)
    await act('POST', `${base}/solution-versions`, { name: 'Spring', items: ['EP-1', 'US-1'] })
    await act('POST', `${base}/solution-versions/SV-1/release`, {})
    clock.set(TUESDAY + (10 + 2 * waitHours) * HOUR + MINUTE)
    for (const email of peopleOf('voter after the release')) await vote(world, alpha, email)
    await clock.runUntil(TUESDAY + 16 * HOUR)
    await clock.runUntil(TUESDAY + 7 * 24 * HOUR, 2 * HOUR)
    const expected = everyGroup.flatMap(([group, { mails }]) =>
      peopleOf(group as GroupName).map((email) => [email, mails[variant]] as const),
    )
    expect(expected).toHaveLength(200)
    // The owner, who made the changes, and everybody else are no key of the expected mails.
    const sent = Map.groupBy(clock.sent, ({ email }) => email)
    expect([...sent.keys()].filter((email) => !expected.some(([known]) => known === email))).toEqual([])
    for (const [email, mails] of expected)
      expect([email, ...(sent.get(email) ?? []).map(({ mail }) => mail)]).toEqual([email, ...mails])
  },
)
