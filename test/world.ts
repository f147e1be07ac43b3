import type { Answer, CallOptions } from './client'

/** One record of every kind, so that every operation of the table has something to act on. */
export type World = Record<string, string | number>

/** What calls the service: the suite's client, or one over the network. */
export type Caller = <D = never>(
  method: string,
  path: string,
  options: CallOptions,
) => Promise<Pick<Answer<D>, 'body' | 'headers'>>

interface Somewhere {
  client: Caller
  product: { externalKey: string }
  userId: number
}

export const CSV = 'value,createdAt\n10.5,2026-01-01\n11,2026-01-02\n'
export const PNG = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  (c) => c.charCodeAt(0),
)

/** A multipart form with one file. */
export function form(part: string, content: string | Uint8Array<ArrayBuffer>, name: string, type = ''): FormData {
  const body = new FormData()
  body.set(part, new File([content], name, { type }))
  return body
}

/** The file that an upload operation's contract is checked with. */
export function sampleUpload(part: string): FormData {
  return part === 'metrics' ? form(part, CSV, 'records.csv', 'text/csv') : form(part, PNG, 'pixel.png', 'image/png')
}

/** Path parameters, by name, of records that exist in the workspace. */
export async function world({ client, product, userId }: Somewhere): Promise<World> {
  const at = `/api/initiatives/${product.externalKey}`
  const make = async (client_: Caller, path: string, json: unknown): Promise<Record<string, never>> => {
    const answer = await client_<Record<string, never>>('POST', path, { json })
    if (!answer.body.success) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }
  const epic = await make(client, `${at}/epics`, { summary: 'An epic' })
  const feature = await make(client, `${at}/features`, { summary: 'A feature', epicId: epic.epicId })
  const card = await make(client, `${at}/storyMap/card`, { summary: 'A story', featureId: feature.featureId })
  const kpi = await make(client, `${at}/kpi`, { title: 'A KPI' })
  const idea = await make(client, '/api/feedback-items', { title: 'An idea', product: product.externalKey })
  const segment = await make(client, '/api/v2/segments', { name: 'A segment' })
  await make(client, `/api/v2/segments/${segment.id}/create-users`, [{ name: 'Member', email: 'member@example.com' }])
  const mail = await client('POST', `/api/v2/segments/${segment.id}/email`, {
    json: { subject: 'Hi', html: '<p>Hi</p>' },
  })
  const persona = await make(client, '/api/v2/persona', { name: 'A persona' })
  const personaPath = `/api/v2/persona/${persona.externalKey}`
  const summary = await make(client, `${personaPath}/summaries`, { type: 'pain', text: 'Hurts' })
  const asset = await client<{ id: number }>('POST', `${at}/assets`, { raw: sampleUpload('file') })
  const key = await make(client, '/api/v2/api-keys', { name: 'A key', scopes: ['backlog:read'] })
  return {
    userId,
    product_external_key: product.externalKey,
    epic_external_key: epic.externalKey ?? '',
    feature_external_key: feature.externalKey ?? '',
    card_external_key: card.externalKey ?? '',
    kpi_external_key: kpi.externalKey ?? '',
    feedback_external_key: idea.external_key ?? '',
    segmentId: segment.id ?? 0,
    emailId: mail.headers.get('location')?.split('/').at(-1) ?? '',
    position: 0,
    persona_external_key: persona.externalKey ?? '',
    summaryId: summary.id ?? 0,
    assetId: asset.body.data.id,
    apiKeyId: key.id ?? 0,
  }
}
