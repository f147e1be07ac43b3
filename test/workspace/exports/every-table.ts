import { env } from 'cloudflare:workers'
import { createScenario } from '../../contract/table'
import type { Workspace } from '../../factories'
import { createAllRecords, fileForm, PIXEL_PNG } from '../../world'

interface Created {
  id: number
  externalKey: string
  external_key: string
  epicId: number
}

/** Links of each kind between records, besides the records of each resource. */
async function createLinkedRecords({ client, product, userId }: Workspace): Promise<void> {
  const at = `/api/initiatives/${product.externalKey}`
  const send = async (method: string, path: string, json: object = {}) => {
    const { body, status } = await client<Created>(method, path, { json })
    if (status >= 300) throw new Error(`${method} ${path}: ${body.message}`)
    return body.data
  }
  const upload = async () => {
    const raw = fileForm('file', PIXEL_PNG, 'dot.png', 'image/png')
    return (await client<Created>('POST', `${at}/assets`, { raw })).body.data
  }
  const team = await send('POST', '/api/v2/teams', {
    ...{ name: `Linked ${product.externalKey}`, members: [userId], products: [product.externalKey] },
  })
  const oldTeam = await send('POST', '/api/v2/teams', { name: `Removed ${product.externalKey}` })
  const epic = await send('POST', `${at}/epics`, { summary: 'Linked', tags: '["mobile"]', teamId: team.id })
  const file = await upload()
  await send('PUT', `${at}/epics/${epic.externalKey}`, { files: [{ file: { id: file.id } }] })
  const story = await send('POST', `${at}/storyMap/card`, { summary: 'Converted', teamId: oldTeam.id })
  await send('DELETE', `/api/v2/teams/${oldTeam.id}`)
  const { externalKey } = await send('POST', `${at}/backlog/${story.externalKey}/convert`, { type: 'feature' })
  await send('PUT', `${at}/backlog/external/linear/ENG-1`, { type: 'userstory', summary: 'External' })
  const version = await send('POST', `${at}/solution-versions`, {
    name: `Linked ${epic.externalKey}`,
    items: [externalKey],
  })

  const idea = (title: string) =>
    send('POST', '/api/feedback-items', { title, product: product.externalKey, tags: ['linked'] })
  const [into, merged] = [await idea('Kept'), await idea('Merged')]
  await send('PUT', `/api/feedback-items/${into.external_key}`, { slug: 'another-slug' })
  await send('POST', `/api/feedback-items/${merged.external_key}/comments`, { text: 'A moved comment' })
  await send('POST', `/api/feedback-items/${merged.external_key}/merge`, { into: into.external_key })
  await send('PUT', `${at}/assets/${(await upload()).id}`, { artifactKey: into.external_key })

  await send('POST', '/api/v2/changelog', {
    ...{ title: 'Linked', ideas: [into.external_key], versions: [version.externalKey], cover: (await upload()).id },
  })

  await send('POST', '/api/v2/changelog/subscription')

  const confirmed = await send('POST', '/api/v2/segments', { name: 'Confirmed' })
  const join = (name: string) =>
    send('POST', `/api/v2/segments/${confirmed.id}/create-users`, [{ name, email: `${name}@example.com` }])
  // The first person needs no confirmation, and a restore must ask nobody.
  await join('early')
  await send('PUT', `/api/v2/segments/${confirmed.id}`, { doubleOptIn: true })
  await join('late')

  const persona = await send('POST', '/api/v2/persona', { name: 'Linked' })
  await send('PUT', `/api/v2/persona/${persona.externalKey}/documentation`, { description: '<p>Notes</p>' })
  const field = await send('POST', '/api/v2/persona-board/custom-fields', {
    ...{ name: `Linked ${persona.externalKey}`, type: 'text' },
  })
  await send('POST', `/api/v2/persona-board/custom-fields/${field.id}/personas/${persona.externalKey}`)
  await send('PUT', `/api/v2/persona/${persona.externalKey}`, { customFields: { [field.id]: 'Value' } })
  const category = await send('POST', '/api/feedback-items/categories', { name: `Linked ${product.externalKey}` })
  await send('PUT', '/api/v2/settings/portal', {
    ...{ slug: product.externalKey.toLowerCase(), products: [product.externalKey], segments: [confirmed.id] },
    ...{ categories: [category.id], logo: file.id, roadmap: false, locale: 'de' },
  })
  await send('POST', `${at}/experiments`, { title: 'Linked', hypothesis: 'It helps', workItems: [epic.externalKey] })
}

/** A workspace with rows in every table that an export holds. */
export async function createFullWorkspace(): ReturnType<typeof createScenario> {
  const scenario = await createScenario()
  await createAllRecords(scenario.records)
  await createLinkedRecords(scenario.here)
  // People choose their mail on a page. The table has no row id.
  const insert =
    "INSERT INTO mail_preferences (subscription_id, user_id, digest, updated_at) VALUES (?, ?, 'weekly', 1)"
  await env.DB.prepare(insert).bind(scenario.here.subscriptionId, scenario.here.userId).run()
  return scenario
}
