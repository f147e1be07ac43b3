import { readClock } from '../../clock.ts'
import { call } from './session.ts'

export interface SamplePortal {
  base: string
  /** Of the idea with comments and updates. */
  title: string
  /** Of every kind of page. */
  paths: string[]
  missingPath: string
}

const IDEAS = [
  { title: 'Work offline in basements and tunnels', status: 'in progress', category: 'Mobile app', voters: 9 },
  { title: 'One PDF for each site, with our own cover page', status: 'planned', category: 'Reports', voters: 7 },
  { title: 'Copy a checklist from one project to another', status: 'under review', category: 'Mobile app', voters: 5 },
  { title: 'Sign the report on a tablet, on site', status: 'completed', category: 'Reports', voters: 4 },
  { title: 'Dictate notes while wearing gloves', status: 'open', category: 'Mobile app', voters: 2 },
  { title: 'Show the floor plan beside the photo', status: 'open', category: null, voters: 1 },
]
const PEOPLE = ['Maren Voss', 'Tobias Lindqvist', 'Priya Raman', 'Sam Okafor', 'Elif Demir', 'Jonas Weber', 'Ana Sousa']
const TEXT =
  '<p>Photos and checklists stop saving as soon as the signal drops. I walk 40 minutes through a car park, come up, and half of the round is missing.</p><h2>What I wish</h2><p>Let me finish the inspection. It is fine if the PDF comes later, as long as <strong>nothing is ever lost</strong>.</p><p><img src="https://other.example/plan.png" alt="A plan"></p>'

async function publishEntries(product: string, idea: string): Promise<string> {
  const version = `/api/initiatives/${product}/solution-versions`
  const { externalKey: release } = await call<{ externalKey: string }>('POST', version, { name: '4.8' })
  await call('POST', `${version}/${release}/release`, {})
  let newest = ''
  for (const entry of [
    {
      title: 'Photos keep their rotation',
      labels: ['Fixed'],
      content: '<p>They stand upright in old reports too.</p>',
    },
    {
      title: 'Reports are ready in seconds',
      labels: ['Improved'],
      content: '<h2>Eleven seconds</h2><p>Close the tab.</p>',
    },
    { title: 'Your clients sign on the tablet', labels: ['New'], content: TEXT, ideas: [idea], versions: [release] },
  ]) {
    const { externalKey } = await call<{ externalKey: string }>('POST', '/api/v2/changelog', { ...entry, product })
    await call('POST', `/api/v2/changelog/${externalKey}/publish`, {})
    newest = externalKey
  }
  return newest
}

/** A portal with ideas, votes, comments and updates. */
export async function createSamplePortal(): Promise<SamplePortal> {
  const product = await call<{ externalKey: string }>('POST', '/api/initiatives', { name: 'Plumbline' })
  const slug = `plumbline-${readClock().toString(36)}`
  const statuses = await call<{ id: number; name: string }[]>('GET', '/api/feedback-items/statuses')
  const known = await call<{ id: number; name: string }[]>('GET', '/api/feedback-items/categories')
  const categories = new Map(known.map(({ id, name }) => [name, id]))
  for (const name of ['Mobile app', 'Reports'].filter((name) => !categories.has(name)))
    categories.set(name, (await call<{ id: number }>('POST', '/api/feedback-items/categories', { name })).id)
  await call('PUT', '/api/v2/settings/portal', {
    ...{ slug, name: 'Plumbline', products: [product.externalKey], accent: '#7646c4' },
    categories: null,
  })
  const keys: string[] = []
  for (const [place, { title, status, category, voters }] of IDEAS.entries()) {
    const idea = await call<{ external_key: string }>('POST', '/api/feedback-items', {
      ...{ title, product: product.externalKey, status_id: statuses.find(({ name }) => name === status)?.id },
      category_id: category === null ? null : categories.get(category),
      long_description: TEXT,
      is_pinned: place === 0,
      user: { email: `${place}@${slug}.example.com`, name: PEOPLE[place] ?? 'Ana Sousa' },
    })
    keys.push(idea.external_key)
    for (let voter = 0; voter < voters && status !== 'completed'; voter++)
      await call('POST', `/api/feedback-items/${idea.external_key}/vote`, {
        ...{ type: 'up', email: `voter-${voter}@${slug}.example.com` },
      })
  }
  const [key = ''] = keys
  const comments = `/api/feedback-items/${key}`
  const { id } = await call<{ id: number }>('POST', `${comments}/comments`, { text: '<p>I would test it.</p>' })
  await call('POST', `/api/feedback-items/comments/${id}/reply`, { text: '<p>The tunnel is perfect.</p>' })
  const message = 'Checklists and photos now wait on the phone. Forty of you test it from January 12.'
  await call('POST', `${comments}/status-updates`, { status: 'planned', message: 'Part of version 5.0.' })
  await call('POST', `${comments}/status-updates`, { status: 'in progress', message })
  const entry = await publishEntries(product.externalKey, keys.at(3) ?? key)
  const base = `/p/${slug}`
  const missingPath = `${base}/no/such/page`
  const paths = [
    '',
    '?q=nothing-like-this',
    '/de',
    `/ideas/${key}`,
    '/roadmap',
    '/de/roadmap',
    '/changelog',
    `/de/changelog/${entry}`,
  ]
  return {
    base,
    title: IDEAS[0]?.title ?? '',
    paths: [...paths.map((path) => base + path), missingPath],
    missingPath,
  }
}
