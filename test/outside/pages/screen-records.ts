// A product with a record of each kind, for the drives of all screens.

import { readClock } from '../../clock.ts'
import { waitFor } from './backlog-items.ts'
import { createPerson } from './ideas-page.ts'
import { call } from './session.ts'

interface Keyed {
  externalKey: string
}
interface Numbered {
  id: number
}

/** The last of a month, which is another month in the zones west of UTC. */
const DAY = '2026-03-31'

async function createPlanning(at: string) {
  const create = <D>(path: string, json: object) => call<D>('POST', `${at}/${path}`, json)
  const epic = await create<Keyed & { epicId: number }>('epics', { summary: 'An epic', startDate: DAY })
  const { externalKey: removed } = await create<Keyed>('epics', { summary: 'An epic that went' })
  await call('DELETE', `${at}/epics/${removed}`)
  const story = {
    summary: 'A story',
    epicId: epic.epicId,
    description: '<p>Its text.</p>',
    storyPoint: '3',
    endDate: DAY,
  }
  const { externalKey: card } = await create<Keyed>('storyMap/card', story)
  const version = { name: 'Spring', items: [card], startDate: DAY, releaseDate: DAY }
  const { externalKey: versionKey } = await create<Keyed>('solution-versions', version)
  const { id: map } = await create<Numbered>('storyMap', { title: 'A map' })
  const { id: activityId } = await create<Numbered>(`storyMap/${map}/activities`, { title: 'Prepare' })
  const { id: stepId } = await create<Numbered>(`storyMap/${map}/steps`, { activityId, title: 'Plan' })
  await call('PUT', `${at}/storyMap/${map}/cards/${card}`, { stepId })
  const rows = [{ type: 'epic', summary: 'An imported epic', externalKey: 'A' }]
  const { id: importId } = await create<Numbered>('backlog/import', rows)
  return { epic: epic.externalKey, card, version: versionKey, map, importId, removed }
}

async function createLearning(at: string, product: string) {
  const create = (path: string, json: object) => call<Keyed>('POST', path, json)
  const { externalKey: kpi } = await create(`${at}/kpi`, { title: 'A KPI', benchmark: '5', dueDate: DAY })
  const records = [1, 2].map((value) => ({
    value,
    createdAt: new Date(readClock() - value * 86_400_000).toISOString(),
  }))
  await call('POST', `${at}/kpi/${kpi}/insert-kpi-records`, [...records, { value: 4, createdAt: DAY }])
  const persona = await create('/api/v2/persona', { name: 'Nina Night', product, quote: 'Be quick.' })
  const experiment = await create(`${at}/experiments`, { title: 'Larger letters', method: 'Two wards.' })
  const document = await create(`${at}/documents`, { title: 'Shifts', content: '<p>Shifts begin at nine.</p>' })
  const { id: template } = await call<Numbered>('POST', '/api/v2/docs-hub/templates', {
    ...{ title: `Interview ${product}`, category: 'Research', content: '<h1>{{name}}</h1>' },
    variables: [{ key: 'name', label: 'Who was asked' }],
  })
  const entry = await create('/api/v2/changelog', { product, title: `Faster ${product}`, content: '<p>Faster.</p>' })
  return {
    ...{ kpi, persona: persona.externalKey, experiment: experiment.externalKey, template },
    ...{ document: document.externalKey, entry: entry.externalKey },
  }
}

async function createIdeas(product: string) {
  const idea = { title: 'An idea', product, tags: ['night'] }
  const { external_key: target } = await call<{ external_key: string }>('POST', '/api/feedback-items', idea)
  const other = await call<{ external_key: string }>('POST', '/api/feedback-items', { ...idea, title: 'Other words' })
  await call('POST', `/api/feedback-items/${other.external_key}/merge`, { into: target })
  await call('PUT', `/api/feedback-items/${target}`, { visibility_level: 'pending' })
  await call('POST', `/api/feedback-items/${target}/comments`, { text: '<p>Soon.</p>' })
  return target
}

async function createAudience(mark: string) {
  const { id: segment } = await call<Numbered>('POST', '/api/v2/segments', { name: `Beta ${mark}` })
  const memberName = `ada-${mark}`.toLowerCase()
  const [email, suppressed] = [`${memberName}@example.com`, `gone-${mark}@example.com`.toLowerCase()]
  await call('POST', `/api/v2/segments/${segment}/bulk-create-users`, [{ email, firstName: 'Ada', lastName: 'Lovely' }])
  const [member] = await call<Numbered[]>('GET', `/api/v2/idea-manager/members?q=${memberName}`)
  await call('POST', '/api/v2/suppressions', { email: suppressed })
  const subject = `News ${mark}`
  await call('POST', `/api/v2/segments/${segment}/email`, { subject, html: '<p>Hello {{firstName}},</p>' })
  const findMailing = async () =>
    (await call<(Numbered & { subject: string })[]>('GET', '/api/v2/emails?limit=20')).find(
      (one) => one.subject === subject,
    )
  await waitFor('The mailing of the sample is not stored', async () => (await findMailing()) !== undefined)
  return { segment, member: member?.id ?? 0, memberName, suppressed, mailing: (await findMailing())?.id ?? 0 }
}

async function createWorkspace(product: string) {
  const userEmail = await createPerson('Conny', 'Colleague', 'member')
  const [user] = await call<Numbered[]>('GET', `/api/v2/users?email=${userEmail}`)
  const { id: team } = await call<Numbered>('POST', '/api/v2/teams', { name: `Team ${product}` })
  const endpoint = { name: 'Bridge', url: 'https://example.com/hook', events: ['team.*'], status: 'paused' }
  const { id: webhook } = await call<Numbered>('POST', '/api/v2/webhooks', endpoint)
  const receiver = { provider: 'generic', product, action: 'create_feedback', mapping: { title: '$.subject' } }
  const { id: hook } = await call<Numbered>('POST', '/api/v2/incoming-webhooks', receiver)
  return { userEmail, user: user?.id ?? 0, team, webhook, hook }
}

export async function createScreenRecords() {
  const key = `VW-${readClock().toString(36).toUpperCase()}`
  await call('POST', '/api/initiatives', { name: 'Looked at', externalKey: key })
  const at = `/api/initiatives/${key}`
  return {
    ...{ key, at, idea: await createIdeas(key) },
    ...(await createPlanning(at)),
    ...(await createLearning(at, key)),
    ...(await createAudience(key)),
    ...(await createWorkspace(key)),
  }
}

export type ScreenRecords = Awaited<ReturnType<typeof createScreenRecords>>
