import { call } from './session.ts'

export interface SampleIdeas {
  product: string
  /** Keys of the ideas, in the order of their creation. */
  keys: string[]
}

const PEOPLE = ['Priya Raman', 'Luca Ferri', 'Sam Okafor', 'Jonas Weber', 'Ana Sousa', 'Ines Duarte', 'Chen Wei']
const IDEAS = [
  { title: 'Weather at the time of the visit', voters: 1 },
  { title: 'Compare two visits of the same room', status: 'under review', voters: 3 },
  { title: 'Sign in with Microsoft', status: 'planned', voters: 4, tags: ['enterprise'] },
  { title: 'Show the floor plan beside the photo', voters: 2 },
  { title: 'Assign a finding to a subcontractor without an account', status: 'open', voters: 3 },
  { title: 'Dictate notes while wearing gloves', status: 'in progress', voters: 5 },
  { title: 'Duplicate a checklist for another building', voters: 4, tags: ['checklists'] },
  {
    title: 'Copy a checklist from one project to another',
    status: 'under review',
    voters: 6,
    tags: ['checklists', 'enterprise'],
  },
]
const TEXT =
  '<p>We run the same fire-door round in nine buildings, and each checklist is typed again from scratch. It should copy the questions and the photo hints, but not the answers.</p>'

const addressOf = (name: string) => `${name.toLowerCase().replace(' ', '.')}@example.com`

/** A product with ideas, voters, comments and tags. */
export async function createSampleIdeas(name: string): Promise<SampleIdeas> {
  const { externalKey: product } = await call<{ externalKey: string }>('POST', '/api/initiatives', { name })
  const statuses = await call<{ id: number; name: string }[]>('GET', '/api/feedback-items/statuses')
  const keys: string[] = []
  for (const [n, { title, status, voters, tags }] of IDEAS.entries()) {
    const author = PEOPLE[n % PEOPLE.length] ?? ''
    const status_id = statuses.find((one) => one.name === status)?.id ?? null
    const { external_key: key } = await call<{ external_key: string }>('POST', '/api/feedback-items', {
      ...{ title, product, status_id, tags: tags ?? [], ...(n === IDEAS.length - 1 && { long_description: TEXT }) },
      user: { email: addressOf(author), name: author },
    })
    for (const voter of PEOPLE.slice(0, voters))
      await call('POST', `/api/feedback-items/${key}/vote`, { type: 'up', email: addressOf(voter) })
    keys.push(key)
  }
  const newest = keys.at(-1)
  await call('POST', `/api/feedback-items/${newest}/comments`, { text: '<p>For us it would be 40 schools.</p>' })
  await call('POST', `/api/feedback-items/${newest}/comments`, {
    ...{ text: '<p>Brandwacht renews in March.</p>', isPrivate: true },
  })
  return { product, keys }
}
