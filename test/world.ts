import type { Answer, CallOptions } from './client'

export type Value = string | number
/** Values for path parameters, by parameter name. Each value names an existing record of the workspace. */
export type World = Record<string, Value>

/** Sends requests to the service: the suite's client, or a client over the network. */
export type Caller = <D = never>(
  method: string,
  path: string,
  options: CallOptions,
) => Promise<Pick<Answer<D>, 'body' | 'headers'>>

export interface Somewhere {
  client: Caller
  product: { externalKey: string }
  userId: number
}

export const CSV = 'value,createdAt\n10.5,2026-01-01\n11,2026-01-02\n'
export const PEOPLE = 'email,name,plan\nada@example.com,Ada Lovelace,pro\nnobody,Nobody,\n'
export const ITEMS = 'key,type,summary,parent\nA,epic,Checkout,\nB,story,Pay by card,A\nC,story,,A\n'
export const PNG = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  (c) => c.charCodeAt(0),
)

export function form(part: string, content: string | Uint8Array<ArrayBuffer>, name: string, type = ''): FormData {
  const body = new FormData()
  body.set(part, new File([content], name, { type }))
  return body
}

/**
 * Sample files for the contract tests, by upload part. `of rows` marks uploads of rows; `other` selects a second file.
 */
const SAMPLES: Record<string, (other: boolean) => FormData> = {
  file: (other) => form('file', PNG, other ? 'dot.png' : 'pixel.png', 'image/png'),
  'file of rows': (other) => form('file', other ? 'summary\nOther\n' : ITEMS, 'backlog.csv', 'text/csv'),
  'users of rows': (other) => form('users', other ? 'email\ngrace@example.com\n' : PEOPLE, 'users.csv', 'text/csv'),
  'metrics of rows': (other) => form('metrics', other ? 'value\n1\n2\n3\n' : CSV, 'records.csv', 'text/csv'),
}

/** A file too large to import before the response or in a few queue messages. */
const waitingRows = () =>
  form('users', `email\n${Array.from({ length: 150_000 }, (_, n) => `m${n}@example.com`).join('\n')}`, 'many.csv')

interface Uploading {
  part: string
  /** Declared when the rows may also be sent as JSON. */
  json?: unknown
}

export function sampleUpload({ part, json }: Uploading, { other = false } = {}): FormData {
  const name = json ? `${part} of rows` : part
  const make = SAMPLES[name]
  if (!make) throw new Error(`test/world.ts knows no file for the part ${name}: teach it one`)
  return make(other)
}

type Answered = Pick<Answer<World>, 'body' | 'headers'>

export interface Maker {
  /** Path of the POST that creates the record, with parameters. Without a path, the record comes with its parent. */
  path?: string
  body?: object | ((records: Records) => object | Promise<object>)
  upload?: string | ((forWhat: string) => FormData)
  /** The response field for the path, or a function of the response. */
  name: string | ((answer: Answered) => Value)
  table: string
  /** Path of the list with the record, if different from `path`. */
  list?: string
  otherList?: string
  /** Further setup of the created record. */
  also?(records: Records, name: Value, data: World): Promise<unknown>
}

const P = '/api/initiatives/{product_external_key}'
const chance = () => crypto.randomUUID().slice(0, 8)

export const MAKERS: Readonly<Record<string, Maker>> = {
  product_external_key: {
    path: '/api/initiatives',
    body: () => ({ name: `Product ${chance()}` }),
    name: 'externalKey',
    table: 'products',
  },
  epic_external_key: { path: `${P}/epics`, body: { summary: 'An epic' }, name: 'externalKey', table: 'work_items' },
  feature_external_key: {
    path: `${P}/features`,
    body: async (of) => ({ summary: 'A feature', epicId: (await of.data('epic_external_key')).epicId }),
    name: 'externalKey',
    table: 'work_items',
  },
  card_external_key: {
    path: `${P}/storyMap/card`,
    body: async (of) => ({ summary: 'A story', featureId: (await of.data('feature_external_key')).featureId }),
    name: 'externalKey',
    table: 'work_items',
  },
  item_external_key: {
    path: `${P}/storyMap/card`,
    body: { summary: 'An item' },
    name: 'externalKey',
    table: 'work_items',
  },
  // The import creates a map with content.
  storyMapId: {
    path: `${P}/storyMap/import`,
    list: `${P}/storyMap`,
    body: async (of) => ({
      title: 'A map',
      activities: [
        { title: 'Pay', steps: [{ title: 'Choose', cards: [{ externalKey: await of.value('card_external_key') }] }] },
      ],
      swimlanes: [{ id: 1, title: 'First release' }],
    }),
    name: 'id',
    table: 'story_maps',
  },
  activityId: {
    path: `${P}/storyMap/{storyMapId}/activities`,
    body: { title: 'An activity' },
    name: 'id',
    table: 'story_map_activities',
  },
  stepId: {
    path: `${P}/storyMap/{storyMapId}/steps`,
    body: async (of) => ({ activityId: await of.value('activityId'), title: 'A step' }),
    name: 'id',
    table: 'story_map_steps',
  },
  swimlaneId: {
    path: `${P}/storyMap/{storyMapId}/swimlanes`,
    body: { title: 'A swimlane' },
    name: 'id',
    table: 'story_map_swimlanes',
  },
  map_card_external_key: {
    path: `${P}/storyMap/card`,
    body: { summary: 'A card' },
    name: 'externalKey',
    table: 'work_items',
    also: async (of, key) => {
      const { activities } = (await of.data('storyMapId')) as unknown as { activities: { steps: World[] }[] }
      const path = await of.path(`${P}/storyMap/{storyMapId}/cards/${key}`)
      await of.workspace.client('PUT', path, { json: { stepId: activities[0]?.steps[0]?.id } })
    },
  },
  solution_version_external_key: {
    path: `${P}/solution-versions`,
    body: () => ({ name: `Version ${chance()}` }),
    name: 'externalKey',
    table: 'solution_versions',
  },
  // The id of an item in another system. Any value is valid.
  source: { list: '', name: () => 0, table: 'work_items' },
  external_id: { list: '', name: () => 0, table: 'work_items' },
  linkId: {
    path: `${P}/backlog/{item_external_key}/links`,
    body: async (of) => ({ type: 'relates', to: await of.fresh('epic_external_key').value('epic_external_key') }),
    name: 'id',
    table: 'work_item_links',
  },
  itemCommentId: {
    path: `${P}/backlog/{item_external_key}/comments`,
    body: { text: '<p>Is this still wanted?</p>' },
    name: 'id',
    table: 'work_item_comments',
  },
  kpi_external_key: {
    path: `${P}/kpi`,
    body: { title: 'A KPI' },
    name: 'externalKey',
    table: 'kpis',
    list: `${P}/kpis`,
  },
  recordId: {
    path: `${P}/kpi/{kpi_external_key}/insert-kpi-records?mode=insert`,
    upload: () => sampleUpload({ part: 'metrics', json: true }),
    name: ({ body }) => (body.data as unknown as { kpi_revisions: World[] }).kpi_revisions[0]?.id ?? '',
    table: 'kpi_records',
    list: `${P}/kpi/{kpi_external_key}/records`,
  },
  tagId: { path: `${P}/tags`, body: () => ({ name: `Tag ${chance()}` }), name: 'id', table: 'tags' },
  assetId: { path: `${P}/assets`, upload: 'file', name: 'id', table: 'assets' },
  userId: {
    path: '/api/v2/users',
    body: () => ({ email: `user-${chance()}@example.com` }),
    name: 'id',
    table: 'users',
  },
  teamId: { path: '/api/v2/teams', body: () => ({ name: `Team ${chance()}` }), name: 'id', table: 'teams' },
  apiKeyId: {
    path: '/api/v2/api-keys',
    body: { name: 'A key', scopes: ['backlog:read'] },
    name: 'id',
    table: 'api_keys',
  },
  eventId: {
    path: `${P}/epics`,
    body: { summary: 'An epic' },
    name: 'externalKey',
    table: 'log',
    list: '/api/v2/events',
  },
  segmentId: {
    path: '/api/v2/segments',
    body: () => ({ name: `Segment ${chance()}` }),
    name: 'id',
    table: 'segments',
    otherList: '/api/v2/segments/users',
    also: ({ workspace }, id) =>
      workspace.client('POST', `/api/v2/segments/${id}/create-users`, {
        json: [{ name: 'Member', email: 'member@example.com' }],
      }),
  },
  memberId: {
    path: '/api/v2/idea-manager/members',
    body: () => ({ firstName: 'A member', email: `member-${chance()}@example.com`, attributes: { plan: 'pro' } }),
    name: 'id',
    table: 'users',
  },
  // Created with the segment.
  segmentUserId: { name: () => 0, table: 'segment_members', list: '/api/v2/segments/{segmentId}/users' },
  importId: {
    path: '/api/v2/idea-manager/members/import-users',
    upload: (forWhat) => (forWhat === 'cancel' ? waitingRows() : sampleUpload({ part: 'users', json: true })),
    name: 'id',
    table: 'imports',
    list: '/api/v2/imports',
  },
  emailId: {
    path: '/api/v2/segments/{segmentId}/email',
    // A mailing to cancel is scheduled, because a sent mailing cannot be canceled.
    body: ({ above }) => ({
      subject: 'Hi',
      html: '<p>Hi</p>',
      ...(above?.forWhat === 'cancel' && { scheduledAt: new Date(Date.now() + 3_600_000).toISOString() }),
    }),
    list: '/api/v2/emails',
    name: ({ headers }) => headers.get('location')?.split('/').at(-1) ?? '',
    table: 'emails',
  },
  position: {
    name: () => 0,
    table: 'email_recipients',
    list: '/api/v2/emails/{emailId}/recipients',
  },
  suppressionId: {
    path: '/api/v2/suppressions',
    // The address belongs to a user, because the log records suppressions of users only.
    body: async (of) => ({ email: (await of.fresh('userId').data('userId')).email }),
    name: 'id',
    table: 'suppressions',
  },
  feedback_external_key: {
    path: '/api/feedback-items',
    body: async (of) => ({ title: 'An idea', product: await of.value('product_external_key') }),
    name: 'external_key',
    table: 'feedback_items',
  },
  // The voter of the list. No path has this parameter.
  voterId: {
    path: '/api/feedback-items/{feedback_external_key}/vote',
    list: '/api/feedback-items/{feedback_external_key}/voters',
    body: { type: 'up', email: 'voter@example.com' },
    name: 'vote',
    table: 'feedback_votes',
  },
  commentId: {
    path: '/api/feedback-items/{feedback_external_key}/comments',
    body: { text: '<p>Yes, please.</p>' },
    name: 'id',
    table: 'feedback_comments',
  },
  categoryId: {
    path: '/api/feedback-items/categories',
    body: () => ({ name: `Category ${chance()}` }),
    name: 'id',
    table: 'feedback_categories',
  },
  statusId: {
    path: '/api/feedback-items/statuses',
    body: () => ({ name: `Status ${chance()}` }),
    name: 'id',
    table: 'feedback_statuses',
  },
  persona_external_key: {
    path: '/api/v2/persona',
    body: { name: 'A persona' },
    name: 'externalKey',
    table: 'personas',
    // DELETE takes the persona out of a custom field, so the persona is put into the field first.
    also: async (of, key) => {
      if (of.above?.forWhat !== 'delete') return
      const path = `/api/v2/persona-board/custom-fields/{customFieldId}/personas/${key}`
      await of.workspace.client('POST', await of.path(path), {})
    },
  },
  webhookId: {
    path: '/api/v2/webhooks',
    body: async (of) => ({ url: 'https://hooks.invalid/', products: [await of.value('product_external_key')] }),
    name: 'id',
    table: 'webhooks',
  },
  // The endpoint has a receipt.
  incomingWebhookId: {
    path: '/api/v2/incoming-webhooks',
    body: async (of) => ({
      provider: 'generic',
      product: await of.value('product_external_key'),
      action: 'upsert_work_item',
      mapping: { externalId: '$.id', summary: '$.title' },
    }),
    name: 'id',
    table: 'incoming_webhooks',
    also: async ({ workspace }, _, { url }) => {
      await workspace.client('POST', new URL(String(url)).pathname, { json: { id: 1, title: 'Came in' } })
    },
  },
  // The receipt of the list. No path has this parameter.
  receiptId: {
    list: '/api/v2/incoming-webhooks/{incomingWebhookId}/receipts',
    name: () => 0,
    table: 'incoming_receipts',
  },
  deliveryId: {
    path: '/api/v2/webhooks/{webhookId}/test',
    list: '/api/v2/webhooks/{webhookId}/deliveries',
    name: 'id',
    table: 'webhook_deliveries',
  },
  summaryId: {
    path: '/api/v2/persona/{persona_external_key}/summaries',
    body: { type: 'pain', text: 'Hurts' },
    name: 'id',
    table: 'persona_summaries',
  },
  opportunity_external_key: {
    path: '/api/v2/persona/{persona_external_key}/summaries/{summaryId}/opportunities',
    list: '/api/v2/persona/{persona_external_key}/opportunities',
    body: { valuePropositionName: 'An opportunity' },
    name: 'externalKey',
    table: 'opportunities',
  },
  experiment_external_key: {
    path: `${P}/experiments`,
    body: async (of) => ({
      title: 'An experiment',
      hypothesis: 'It helps',
      personas: [await of.value('persona_external_key')],
    }),
    name: 'externalKey',
    table: 'experiments',
    also: async (of, key) => {
      if (of.above?.forWhat !== 'stop') return
      await of.workspace.client('POST', await of.path(`${P}/experiments/${key}/start`), {})
    },
  },
  // Experiments of the persona in the path.
  experiment_of_persona: {
    list: '/api/v2/persona/{persona_external_key}/experiments',
    name: () => 0,
    table: 'experiments',
    also: (of) => of.value('experiment_external_key'),
  },
  traced_external_key: {
    path: `${P}/kpi`,
    list: `${P}/kpis`,
    body: async (of) => ({ title: 'A traced KPI', workItems: [await of.value('item_external_key')] }),
    name: 'externalKey',
    table: 'kpis',
  },
  templateId: {
    path: '/api/v2/docs-hub/templates',
    body: { title: 'A template', content: '<p>{{who}}</p>', variables: [{ key: 'who', default: 'Nobody' }] },
    name: 'id',
    table: 'document_templates',
  },
  document_external_key: {
    path: `${P}/documents`,
    body: { title: 'A document', content: '<p>Text</p>' },
    name: 'externalKey',
    table: 'documents',
  },
  boardSegmentId: {
    path: '/api/v2/persona-board/segments',
    body: () => ({ name: `Board segment ${chance()}` }),
    name: 'id',
    table: 'persona_board_segments',
  },
  customFieldId: {
    path: '/api/v2/persona-board/custom-fields',
    body: () => ({ name: `Custom field ${chance()}`, type: 'select', options: ['First'] }),
    name: 'id',
    table: 'persona_custom_fields',
  },
  optionId: {
    path: '/api/v2/persona-board/custom-fields/{customFieldId}/options',
    body: () => ({ label: `Option ${chance()}` }),
    name: 'id',
    // Options are stored in the custom field, because a field has few options.
    table: 'persona_custom_fields',
  },
}

const REQUIRED: Readonly<Record<string, string>> = {
  '/api/v2/search': 'q=idea',
  '/api/feedback-items/import': 'product={product_external_key}',
}

/** The parameter for the records that a path lists or creates, if any. */
export const kindAt = (path: string): string | undefined =>
  Object.entries(MAKERS).find(([, maker]) => [maker.path, maker.list, maker.otherList].includes(path))?.[0]

const parametersOf = (path: string) => Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)

/** Whether the record of `name` lies below the record of `above`. */
function below(name: string, above: string): boolean {
  const { path = '', list = '' } = MAKERS[name] ?? {}
  return parametersOf(`${path}${list}`).some((one) => one === above || (one !== name && below(one, above)))
}

interface Made {
  value: Value
  data: Record<string, Value>
}

/** The records of a workspace by path parameter. Each record is created on first use, once. */
export class Records<W extends Somewhere = Somewhere> {
  readonly #made = new Map<string, Promise<Made>>()

  readonly workspace: W
  /** `forWhat`: the last word of the operation's path, or `delete`. */
  readonly above: { records: Records<W>; own: string; forWhat: string } | undefined

  constructor(workspace: W, above?: { records: Records<W>; own: string; forWhat: string }) {
    this.workspace = workspace
    this.above = above
    if (above) return
    const { externalKey } = workspace.product
    this.#made.set('product_external_key', Promise.resolve({ value: externalKey, data: { externalKey } }))
  }

  /** Returns records with a new record of `name`, and with new records below that record. All else is shared. */
  fresh(name: string, forWhat = ''): Records<W> {
    return new Records(this.workspace, { records: this, own: name, forWhat })
  }

  get kinds(): string[] {
    return Array.from(this.#made.keys())
  }

  async value(name: string): Promise<Value> {
    return (await this.#get(name)).value
  }

  async data(name: string): Promise<Record<string, Value>> {
    return (await this.#get(name)).data
  }

  /** Fills the parameters of a path with records, or with values of `given`. */
  async path(template: string, given: World = {}): Promise<string> {
    const required = REQUIRED[template]
    let path = required ? `${template}?${required}` : template
    for (const name of parametersOf(path)) {
      path = path.replace(`{${name}}`, String(given[name] ?? (await this.value(name))))
    }
    return path
  }

  #get(name: string): Promise<Made> {
    const { above } = this
    if (above && name !== above.own && !below(name, above.own)) return above.records.#get(name)
    const made = this.#made.get(name) ?? this.#make(name)
    this.#made.set(name, made)
    return made
  }

  async #make(name: string): Promise<Made> {
    const maker = MAKERS[name]
    if (!maker) throw new Error(`test/world.ts knows no ${name}: teach it one`)
    if (!maker.path) {
      await this.path(maker.list ?? '')
      await maker.also?.(this, 0, {})
      return { value: 0, data: {} }
    }
    const json = typeof maker.body === 'function' ? await maker.body(this) : maker.body
    const { upload } = maker
    const file =
      typeof upload === 'function' ? upload(this.above?.forWhat ?? '') : upload && sampleUpload({ part: upload })
    const sent = file ? { raw: file } : { json }
    const path = await this.path(maker.path)
    const answer = await this.workspace.client<Record<string, Value>>('POST', path, sent)
    if (!answer.body.success) throw new Error(`POST ${path}: ${JSON.stringify(answer.body)}`)
    const { data } = answer.body
    const value = typeof maker.name === 'function' ? maker.name(answer) : data[maker.name]
    if (value === undefined) throw new Error(`POST ${path} answers no ${maker.name}`)
    await maker.also?.(this, value, data)
    return { value, data }
  }
}

/**
 * Whether the operation may change the state of its record: remove, end, restore or advance the record. Each call then
 * gets a record of its own.
 */
const moves = (method: string, path: string) =>
  method === 'delete' || (method === 'post' && /\}(\/[^{}/]+)?$/.test(path) && kindAt(path) === undefined)

export const lastParameter = (path: string) => parametersOf(path).at(-1) ?? ''

export const restores = ({ method, path }: Place) => method === 'post' && path.endsWith('/restore')

interface Place {
  method: string
  path: string
}

/**
 * Returns records in the state for the operation: with a new record if `own`, and with a removed record before a
 * restore.
 */
export async function prepared<W extends Somewhere>(
  { method, path }: Place,
  records: Records<W>,
  own = moves(method, path),
): Promise<Records<W>> {
  const name = lastParameter(path)
  if (!name || !own) return records
  const fresh = records.fresh(name, method === 'delete' ? 'delete' : path.split('/').at(-1))
  const at = await fresh.path(path)
  if (restores({ method, path })) {
    const { body } = await records.workspace.client('DELETE', at.replace(/\/restore$/, ''), {})
    if (!body.success) throw new Error(`DELETE before ${at}: ${JSON.stringify(body)}`)
  }
  // The author of an idea is subscribed already.
  if (method === 'post' && path.endsWith('/subscription')) await records.workspace.client('DELETE', at, {})
  if (path.endsWith('/unmerge')) {
    const json = { into: await records.value(name) }
    const { body } = await records.workspace.client('POST', at.replace(/unmerge$/, 'merge'), { json })
    if (!body.success) throw new Error(`Merging before ${at}: ${JSON.stringify(body)}`)
  }
  return fresh
}

export async function world(records: Records): Promise<World> {
  const found: World = {}
  for (const name of Object.keys(MAKERS)) found[name] = await records.value(name)
  return found
}
