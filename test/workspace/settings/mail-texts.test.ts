import { expect, test } from 'vitest'
import { createWorkspace, type Workspace } from '../../factories'

const PATH = '/api/v2/settings'

interface Preview {
  subject: string
  text: string
  html: string
}

const preview = ({ client }: Workspace, json: object = {}, options: object = {}) =>
  client<Preview>('POST', `${PATH}/mail-preview`, { json, ...options })
const save = ({ client }: Workspace, json: object) =>
  client<{ ideaUrl: string | null; mailTemplates: object }>('PUT', PATH, { json })

test('a workspace changes texts of mail, and null brings a default back', async () => {
  const world = await createWorkspace()
  const first = await save(world, {
    ideaUrl: 'https://ideas.example.com/{key}',
    mailTemplates: { status: { subject: 'Neues: {{title}}', text: '{{title}} ist nun {{status}}.' } },
  })
  expect([first.status, first.body.data]).toMatchObject([
    200,
    {
      ideaUrl: 'https://ideas.example.com/{key}',
      mailTemplates: { status: { subject: 'Neues: {{title}}', text: '{{title}} ist nun {{status}}.' } },
    },
  ])
  const second = await save(world, {
    mailTemplates: { status: { subject: null }, greeting: { unnamed: 'Guten Tag,', named: 'Hallo {{firstName}},' } },
  })
  expect(second.body.data.mailTemplates).toEqual({
    status: { text: '{{title}} ist nun {{status}}.' },
    greeting: { unnamed: 'Guten Tag,', named: 'Hallo {{firstName}},' },
  })
  const same = await save(world, { mailTemplates: { greeting: { unnamed: 'Guten Tag,' } } })
  expect(same.cost.rowsWritten).toBe(0)
  const sample = await preview(world, { kinds: ['status'], firstName: '' })
  expect([sample.status, sample.cost.roundTrips, sample.cost.rowsWritten]).toEqual([200, 1, 0])
  expect(sample.body.data.subject).toBe('Dark mode: planned')
  expect(sample.body.data.text).toMatch(
    /^Guten Tag,\n\nDark mode ist nun planned\.\nhttps:\/\/ideas\.example\.com\/IDEA-1\n/,
  )
  expect(sample.body.data.html).toContain('<a href="https://ideas.example.com/IDEA-1">')
  const cleared = await save(world, { ideaUrl: null, mailTemplates: { status: null, greeting: null } })
  expect(cleared.body.data).toMatchObject({ ideaUrl: null, mailTemplates: {} })
  const events = await world.client<{ type: string; data: object }[]>('GET', '/api/v2/events?type=settings.updated')
  expect(events.body.data.at(-1)?.data).toMatchObject({ ideaUrl: null, mailTemplates: {} })
})

test('a preview shows every kind, changes nothing, and needs no right to write', async () => {
  const world = await createWorkspace()
  const all = await preview(world)
  expect(all.body.data.subject).toBe('News about 3 items')
  for (const words of [
    'is now "planned"',
    'Spring release is released',
    'replied to you',
    'Choose the dark theme',
    'mentions you',
    'is assigned',
  ])
    expect(all.body.data.text).toContain(words)
  expect(all.body.data.text).not.toContain('{{')
  const apiKey = await world.key({ scopes: ['products:read'] })
  const changed = await preview(
    world,
    { kinds: ['release'], firstName: 'Ada', mailTemplates: { release: { subject: 'Out: {{version}}' } } },
    { apiKey, env: { IDEA_URL: 'https://example.com/i?s={slug}' } },
  )
  expect(changed.body.data.subject).toBe('Out: Spring release')
  expect(changed.body.data.text).toMatch(/^Hello Ada,\n/)
  expect(changed.body.data.text).toContain('https://example.com/i?s=dark-mode')
  const { body } = await world.client<{ mailTemplates: object }>('GET', PATH)
  expect(body.data.mailTemplates).toEqual({})
  expect((await preview(world, {}, { apiKey: await world.key({ scopes: ['feedback:read'] }) })).status).toBe(403)
})

test.each<[object, string]>([
  [{ ideaUrl: 'https://ideas.example.com/' }, '/ideaUrl'],
  [{ ideaUrl: 'javascript:alert("{key}")' }, '/ideaUrl'],
  [{ ideaUrl: '{key}' }, '/ideaUrl'],
  [{ mailTemplates: { status: { subject: 'Hi {{name}}' } } }, '/mailTemplates/status/subject'],
  [{ mailTemplates: { status: { subject: 'Two\nlines' } } }, '/mailTemplates/status/subject'],
  [{ mailTemplates: { assignment: { text: '{{status}}' } } }, '/mailTemplates/assignment/text'],
  [{ mailTemplates: { greeting: { unnamed: 'Hi {{firstName}}' } } }, '/mailTemplates/greeting/unnamed'],
  [{ mailTemplates: { digest: { text: '{{items}}' } } }, '/mailTemplates/digest/text'],
  [{ mailTemplates: { digest: { text: 'News: {{items}}\n{{unsubscribeUrl}}' } } }, '/mailTemplates/digest/text'],
  [{ mailTemplates: { digest: { text: 'x'.repeat(5_001) } } }, '/mailTemplates/digest/text'],
  [{ mailTemplates: { statuses: {} } }, '/mailTemplates/statuses'],
  [{ mailTemplates: { status: { title: 'x' } } }, '/mailTemplates/status/title'],
])('the settings %j are refused', async (json, path) => {
  const world = await createWorkspace()
  for (const { status, body } of [await save(world, json), await preview(world, json)])
    expect([status, body.error?.issues.map((issue) => issue.path)]).toEqual([400, [path]])
})
