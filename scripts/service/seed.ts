// Searches each record before creating the record, to let the next start complete an interrupted run.
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { DemoWorkspace } from './demo.ts'

const DEMO_PRODUCT_KEY = 'GW-DEMO'
const DEMO_PRODUCT_PATH = `/api/initiatives/${DEMO_PRODUCT_KEY}`
const DAY_MS = 86_400_000

class RefusedError extends Error {}

interface SeedOptions {
  url: string
  demo: DemoWorkspace
  state: string
  say(line: string): void
}

interface CreatedRecord {
  id: number
  name: string
  externalKey: string
  kpi_revisions: object[]
}

interface DemoConnection {
  call<Data = object>(method: string, to: string, body?: object): Promise<Data>
  ensure(list: string, name: string, value: string, body: object, to?: string): Promise<CreatedRecord>
}

/** A failure is reported, and the service runs anyway. */
export async function seedDemoWorkspace({ url, demo, state, say }: SeedOptions): Promise<void> {
  const marker = path.join(state, 'groundwork-demo-is-complete')
  if (existsSync(marker)) return
  say('Filling the demo workspace …')
  try {
    await fillDemoWorkspace(connectToDemo(url, demo.token), demo)
    writeFileSync(marker, `${new Date().toISOString()}\n`)
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    say(`The demo workspace is not complete. The next start tries again. ${error.message}`)
  }
}

function connectToDemo(url: string, token: string): DemoConnection {
  const call: DemoConnection['call'] = async <Data>(method: string, to: string, body?: object): Promise<Data> => {
    const form = body instanceof FormData
    const answer = await fetch(url + to, {
      method,
      headers: { 'x-api-key': `Bearer ${token}`, ...(!form && body && { 'content-type': 'application/json' }) },
      ...(body && { body: form ? body : JSON.stringify(body) }),
    })
    const { message, data } = await answer.json<{ message?: string; data: Data }>()
    if (!answer.ok) throw new RefusedError(`${method} ${to} answered ${answer.status}: ${message}`)
    return data
  }
  const ensure: DemoConnection['ensure'] = async (list, name, value, body, to = list.replace(/\?.*/, '')) => {
    const find = async () =>
      (await call<(CreatedRecord & Record<string, unknown>)[]>('GET', list)).find((record) => record[name] === value)
    const found = await find()
    if (found) return found
    await call('POST', to, { [name]: value, ...body })
    const made = await find()
    if (!made) throw new RefusedError(`POST ${to} created "${value}", but GET ${list} does not list the record`)
    return made
  }
  return { call, ensure }
}

async function fillDemoWorkspace(
  { call, ensure }: DemoConnection,
  { user, team, category }: DemoWorkspace,
): Promise<void> {
  const day = (n: number) => new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + n * DAY_MS).toISOString()

  await ensure('/api/initiatives', 'externalKey', DEMO_PRODUCT_KEY, {
    name: 'Groundwork demo',
    description: 'A product to try things on.',
  })

  const persona = await ensure('/api/v2/persona', 'name', 'Paula Planner', {
    product: DEMO_PRODUCT_KEY,
    occupation: 'Product manager',
    quote: 'I want to see why we build what we build.',
  })
  const toPersona = `/api/v2/persona/${persona.externalKey}`
  await ensure(`${toPersona}/summaries`, 'text', 'Spends Mondays copying numbers between tools', { type: 'pain' })
  await ensure(`${toPersona}/summaries`, 'text', 'Shows the board one page it trusts', { type: 'gain' })
  await call('PUT', `${toPersona}/documentation`, {
    title: 'Interview notes',
    content:
      '<p>Paula plans for <strong>three teams</strong>. She trusts a number when she can see where it comes from.</p>',
  })

  const link = [{ personaValue: persona.name, personaId: persona.id }]
  const epic = await ensure(`${DEMO_PRODUCT_PATH}/epics`, 'summary', 'Checkout without an account', {
    description: '<p>Let guests buy in under a minute.</p>',
    businessGoal: 'Fewer abandoned carts',
    progress: 'in-progress',
    color: '#2f6fed',
    persona: link,
    teamId: team,
    userId: [user],
    startDate: day(-14),
    endDate: day(45),
    tags: '["checkout","mobile"]',
    urls: [{ url: 'https://example.com/research/checkout' }],
    estimate: '21',
    businessValue: '34',
    score: 82.5,
  })
  await ensure(`${DEMO_PRODUCT_PATH}/epics`, 'summary', 'Numbers people trust', {
    progress: 'to-do',
    tags: '["reporting"]',
    score: 61,
  })
  const feature = await ensure(`${DEMO_PRODUCT_PATH}/features`, 'summary', 'Pay by card', {
    epicId: epic.id,
    estimate: '8',
    progress: 'in-progress',
  })
  await ensure(`${DEMO_PRODUCT_PATH}/features`, 'summary', 'Guest address book', { epicId: epic.id, estimate: '5' })
  await ensure(`${DEMO_PRODUCT_PATH}/features`, 'summary', 'Keyboard shortcuts', { estimate: '3' })
  const card = { featureId: feature.id, userId: [user] }
  const story = (summary: string, body: object) =>
    ensure(`${DEMO_PRODUCT_PATH}/storyMap/card`, 'summary', summary, body)
  const paid = await story('As a guest I pay with a saved card', { ...card, storyPoint: '5', progress: 'in-progress' })
  const declined = await story('As a guest I see why a card was declined', { ...card, storyPoint: '3' })
  await story('As a planner I move a card with the arrow keys', { storyPoint: '2' })

  const version = await ensure(`${DEMO_PRODUCT_PATH}/solution-versions`, 'name', 'Spring release', {
    status: 'in-progress',
    startDate: day(-14),
    releaseDate: day(60),
    items: [epic.externalKey],
  })
  await ensure(
    `${DEMO_PRODUCT_PATH}/storyMap`,
    'title',
    'A guest buys',
    {
      activities: [
        { title: 'Look around', steps: [{ title: 'Find a product' }] },
        {
          title: 'Pay',
          color: '#2f6fed',
          steps: [
            { title: 'Choose a card', cards: [{ externalKey: paid.externalKey, swimlaneId: 1 }] },
            { title: 'Get an answer', cards: [{ externalKey: declined.externalKey, swimlaneId: 2 }] },
          ],
        },
      ],
      swimlanes: [
        { id: 1, title: 'Now', versionKey: version.externalKey },
        { id: 2, title: 'Later' },
      ],
    },
    `${DEMO_PRODUCT_PATH}/storyMap/import`,
  )

  const kpis: [title: string, body: object, values: number[]][] = [
    [
      'Checkout conversion',
      { benchmark: '4.50', benchmarkUnit: '%', benchmarkType: 'MORE', dueDate: day(90) },
      [2.9, 3.1, 3.4, 3.8],
    ],
    ['Abandoned carts', { benchmark: '60', benchmarkUnit: '%', benchmarkType: 'LESS' }, [71, 70.5, 68.25, 66]],
  ]
  for (const [title, body, values] of kpis) {
    const list = `${DEMO_PRODUCT_PATH}/kpis?linked=all&revisions=1`
    const kpi = await ensure(list, 'title', title, body, `${DEMO_PRODUCT_PATH}/kpi`)
    if (kpi.kpi_revisions.length) continue
    const rows = values.map((value, n) => `${day((n - values.length) * 7)},${value}`)
    const form = new FormData()
    form.set('metrics', new Blob([['date,value', ...rows].join('\n')], { type: 'text/csv' }), 'records.csv')
    await call('POST', `${DEMO_PRODUCT_PATH}/kpi/${kpi.externalKey}/insert-kpi-records`, form)
  }

  const segment = await ensure('/api/v2/segments', 'name', 'Beta testers', { description: 'They see things first.' })
  await call('POST', `/api/v2/segments/${segment.id}/create-users`, [
    { name: 'Grace Hopper', email: 'grace@example.com' },
    { name: 'Alan Turing', email: 'alan@example.com' },
    { name: 'Katherine Johnson', email: 'katherine@example.com' },
  ])

  const ideas: [title: string, audience: string, value: string][] = [
    ['Dark mode', 'Night owls', 'Easier on the eyes after sunset'],
    ['Export the backlog as CSV', 'Product managers', 'Share the plan with people who have no account'],
  ]
  for (const [title, audience, value] of ideas) {
    await ensure('/api/feedback-items', 'title', title, {
      type: 'idea',
      product: DEMO_PRODUCT_KEY,
      category_id: category,
      target_audience: audience,
      value_proposition: value,
      long_description: `<p>${value}.</p>`,
      tags: ['ux'],
    })
  }
}
