import type { ApiResponse, CallOptions } from './client'
import { readClock } from './clock.ts'
import { pollUntil } from './poll.ts'
import { createUniqueId } from './unique.ts'

export type PathValue = string | number
/** Values for path parameters, by parameter name. Each value names an existing record of the workspace. */
export type PathValues = Record<string, PathValue>

/** Sends requests to the service: the suite's client, or a client over the network. */
export type Caller = <D = never>(
  method: string,
  path: string,
  options: CallOptions,
) => Promise<Pick<ApiResponse<D>, 'body' | 'headers'>>

export interface TestWorkspace {
  client: Caller
  product: { externalKey: string }
  userId: number
}

export const KPI_RECORDS_CSV = 'value,createdAt\n10.5,2026-01-01\n11,2026-01-02\n'
export const USERS_CSV = 'email,name,plan\nada@example.com,Ada Lovelace,pro\nnobody,Nobody,\n'
export const WORK_ITEMS_CSV = 'key,type,title,parent\nA,epic,Checkout,\nB,story,Pay by card,A\nC,story,,A\n'
export const PIXEL_PNG = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  (c) => c.charCodeAt(0),
)

export function fileForm(part: string, content: string | Uint8Array<ArrayBuffer>, name: string, type = ''): FormData {
  const body = new FormData()
  body.set(part, new File([content], name, { type }))
  return body
}

/**
 * Sample files for the contract tests, by upload part. `of rows` marks uploads of rows, and `large` uploads with a limit
 * of their own. `other` selects a second file.
 */
const SAMPLE_FILES: Record<string, (other: boolean) => FormData> = {
  file: (other) => fileForm('file', PIXEL_PNG, other ? 'dot.png' : 'pixel.png', 'image/png'),
  // A restore stores the file, and the queue reads the file.
  'large file': (other) => fileForm('file', other ? 'PK\u0003\u0004other' : 'PK\u0003\u0004', 'export.zip'),
  'file of rows': (other) => fileForm('file', other ? 'title\nOther\n' : WORK_ITEMS_CSV, 'backlog.csv', 'text/csv'),
  'addresses of rows': (other) =>
    fileForm('file', `email\n${other ? 'grace' : 'ada'}@example.com\n`, 'addresses.csv', 'text/csv'),
  'users of rows': (other) =>
    fileForm('users', other ? 'email\ngrace@example.com\n' : USERS_CSV, 'users.csv', 'text/csv'),
  'metrics of rows': (other) =>
    fileForm('metrics', other ? 'value\n1\n2\n3\n' : KPI_RECORDS_CSV, 'records.csv', 'text/csv'),
}

/** A file too large to import before the response or in a few queue messages. */
function fileOfManyRows(): FormData {
  manyRows ??= new Blob([`email\n${Array.from({ length: 150_000 }, (_, n) => `m${n}@example.com`).join('\n')}`])
  const body = new FormData()
  body.set('users', new File([manyRows], 'many.csv'))
  return body
}

let manyRows: Blob | undefined

interface UploadShape {
  part: string
  /** Declared when the rows may also be sent as JSON. */
  json?: unknown
  maxBytes?: number | undefined
}

/** The id of the schema of rows, which is one of the service or one of the document. */
function nameRows(json: unknown): string | undefined {
  const { meta, schema } = json as { meta?: () => { id?: string }; schema?: { $ref?: string } }
  return meta ? meta.call(json)?.id : schema?.$ref?.split('/').at(-1)
}

export function sampleUpload({ part, json, maxBytes }: UploadShape, { other = false } = {}): FormData {
  const takesAddresses = json !== undefined && nameRows(json) === 'ImportedSuppressions'
  const name = takesAddresses ? 'addresses of rows' : json ? `${part} of rows` : maxBytes ? `large ${part}` : part
  const make = SAMPLE_FILES[name]
  if (!make) throw new Error(`The part ${name} has no sample file. Add a line to SAMPLE_FILES in test/world.ts.`)
  return make(other)
}

type CreateResponse = Pick<ApiResponse<PathValues>, 'body' | 'headers'>

export interface RecordMaker {
  /** Path of the POST that creates the record, with parameters. Without a path, the record comes with its parent. */
  path?: string
  body?: object | ((records: Records) => object | Promise<object>)
  upload?: string | ((forWhat: string) => FormData)
  /** The response field for the path, or a function of the response. */
  pathValue: string | ((answer: CreateResponse) => PathValue)
  table: string
  /** Path of the list with the record, if different from `path`. */
  list?: string
  secondList?: string
  /** The value of a parameter without a record to create. */
  makeValue?(records: Records): PathValue | Promise<PathValue>
  /** SQL of columns in which a copy differs from the newest row of the table. */
  copied?: Record<string, string>
  /** Further setup of the created record. */
  afterCreate?(records: Records, name: PathValue, data: PathValues): Promise<unknown>
}

const PRODUCT_PATH = '/api/initiatives/{product_external_key}'
const randomSuffix = () => createUniqueId().slice(0, 8)

/** Makers that differ from the example of a POST, and makers of records without a POST of their own. */
const DECLARED_MAKERS: Readonly<Record<string, RecordMaker>> = {
  product_external_key: {
    path: '/api/initiatives',
    body: () => ({ name: `Product ${randomSuffix()}` }),
    pathValue: 'externalKey',
    table: 'products',
  },
  epic_external_key: {
    path: `${PRODUCT_PATH}/epics`,
    body: { summary: 'An epic' },
    pathValue: 'externalKey',
    table: 'work_items',
  },
  feature_external_key: {
    path: `${PRODUCT_PATH}/features`,
    body: async (of) => ({ summary: 'A feature', epicId: (await of.data('epic_external_key')).epicId }),
    pathValue: 'externalKey',
    table: 'work_items',
  },
  card_external_key: {
    path: `${PRODUCT_PATH}/storyMap/card`,
    body: async (of) => ({ summary: 'A story', featureId: (await of.data('feature_external_key')).featureId }),
    pathValue: 'externalKey',
    table: 'work_items',
  },
  item_external_key: {
    path: `${PRODUCT_PATH}/storyMap/card`,
    body: { summary: 'An item' },
    pathValue: 'externalKey',
    table: 'work_items',
    secondList: '/api/v2/work-items',
  },
  // The import creates a map with content.
  storyMapId: {
    path: `${PRODUCT_PATH}/storyMap/import`,
    list: `${PRODUCT_PATH}/storyMap`,
    body: async (of) => ({
      title: 'A map',
      activities: [
        { title: 'Pay', steps: [{ title: 'Choose', cards: [{ externalKey: await of.value('card_external_key') }] }] },
      ],
      swimlanes: [{ id: 1, title: 'First release' }],
    }),
    pathValue: 'id',
    table: 'story_maps',
  },
  activityId: {
    path: `${PRODUCT_PATH}/storyMap/{storyMapId}/activities`,
    body: { title: 'An activity' },
    pathValue: 'id',
    table: 'story_map_activities',
  },
  stepId: {
    path: `${PRODUCT_PATH}/storyMap/{storyMapId}/steps`,
    body: async (of) => ({ activityId: await of.value('activityId'), title: 'A step' }),
    pathValue: 'id',
    table: 'story_map_steps',
  },
  swimlaneId: {
    path: `${PRODUCT_PATH}/storyMap/{storyMapId}/swimlanes`,
    body: { title: 'A swimlane' },
    pathValue: 'id',
    table: 'story_map_swimlanes',
  },
  map_card_external_key: {
    path: `${PRODUCT_PATH}/storyMap/card`,
    body: { summary: 'A card' },
    pathValue: 'externalKey',
    table: 'work_items',
    afterCreate: async (of, key) => {
      const { activities } = await of.data<{ activities: { steps: PathValues[] }[] }>('storyMapId')
      const path = await of.path(`${PRODUCT_PATH}/storyMap/{storyMapId}/cards/${key}`)
      await of.workspace.client('PUT', path, { json: { stepId: activities[0]?.steps[0]?.id } })
    },
  },
  solution_version_external_key: {
    path: `${PRODUCT_PATH}/solution-versions`,
    body: () => ({ name: `Version ${randomSuffix()}` }),
    pathValue: 'externalKey',
    table: 'solution_versions',
  },
  // The id of an item in another system. Any value is valid.
  source: { list: '', pathValue: () => 0, table: 'work_items' },
  external_id: { list: '', pathValue: () => 0, table: 'work_items' },
  externalId: { list: '', pathValue: () => 0, makeValue: randomSuffix, table: 'work_items' },
  linkId: {
    path: `${PRODUCT_PATH}/backlog/{item_external_key}/links`,
    body: async (of) => ({ type: 'relates', to: await of.withFresh('epic_external_key').value('epic_external_key') }),
    pathValue: 'id',
    table: 'work_item_links',
  },
  itemCommentId: {
    path: `${PRODUCT_PATH}/backlog/{item_external_key}/comments`,
    body: { text: '<p>Is this still wanted?</p>' },
    pathValue: 'id',
    table: 'work_item_comments',
  },
  kpi_external_key: {
    path: `${PRODUCT_PATH}/kpi`,
    body: { title: 'A KPI' },
    pathValue: 'externalKey',
    table: 'kpis',
    list: `${PRODUCT_PATH}/kpis`,
  },
  recordId: {
    path: `${PRODUCT_PATH}/kpi/{kpi_external_key}/insert-kpi-records?mode=insert`,
    upload: () => sampleUpload({ part: 'metrics', json: true }),
    pathValue: ({ body }) => (body.data as unknown as { kpi_revisions: PathValues[] }).kpi_revisions[0]?.id ?? '',
    table: 'kpi_records',
    list: `${PRODUCT_PATH}/kpi/{kpi_external_key}/records`,
  },
  assetId: { path: `${PRODUCT_PATH}/assets`, upload: 'file', pathValue: 'id', table: 'assets' },
  userId: {
    path: '/api/v2/users',
    body: () => ({ email: `user-${randomSuffix()}@example.com` }),
    pathValue: 'id',
    table: 'users',
  },
  apiKeyId: {
    path: '/api/v2/api-keys',
    body: { name: 'A key', scopes: ['backlog:read'] },
    pathValue: 'id',
    table: 'api_keys',
  },
  // No request with a key creates a session (test/makers.ts).
  sessionId: {
    list: '/api/v2/sessions',
    pathValue: () => 0,
    makeValue: () => 1,
    table: 'api_keys',
    copied: { kind: "'session'", products: 'NULL' },
  },
  eventId: {
    path: `${PRODUCT_PATH}/epics`,
    body: { summary: 'An epic' },
    pathValue: 'externalKey',
    table: 'log',
    list: '/api/v2/events',
  },
  segmentId: {
    path: '/api/v2/segments',
    body: () => ({ name: `Segment ${randomSuffix()}` }),
    pathValue: 'id',
    table: 'segments',
    secondList: '/api/v2/segments/users',
    afterCreate: ({ workspace }, id) =>
      workspace.client('POST', `/api/v2/segments/${id}/create-users`, {
        json: [{ name: 'Member', email: 'member@example.com' }],
      }),
  },
  memberId: {
    path: '/api/v2/idea-manager/members',
    body: () => ({ firstName: 'A member', email: `member-${randomSuffix()}@example.com`, attributes: { plan: 'pro' } }),
    pathValue: 'id',
    table: 'users',
  },
  // Created with the segment.
  segmentUserId: { pathValue: () => 0, table: 'segment_members', list: '/api/v2/segments/{segmentId}/users' },
  // The member joins after the segment asks for confirmations.
  confirmationUserId: {
    list: '/api/v2/segments/{segmentId}/confirmations',
    pathValue: () => 0,
    table: 'segment_confirmations',
    afterCreate: async (of) => {
      const path = await of.path('/api/v2/segments/{segmentId}')
      await of.workspace.client('PUT', path, { json: { doubleOptIn: true } })
      const email = `joining-${randomSuffix()}@example.com`
      await of.workspace.client('POST', `${path}/create-users`, { json: [{ name: 'Joining', email }] })
    },
  },
  importId: {
    path: '/api/v2/idea-manager/members/import-users',
    upload: (forWhat) => (forWhat === 'cancel' ? fileOfManyRows() : sampleUpload({ part: 'users', json: true })),
    pathValue: 'id',
    table: 'imports',
    list: '/api/v2/imports',
  },
  emailId: {
    path: '/api/v2/segments/{segmentId}/email',
    // A mailing to cancel is scheduled, because a sent mailing cannot be canceled.
    body: async (of) => {
      const message = { subject: 'Hi', html: '<p>Hi</p>' }
      if (of.parent?.forWhat !== 'cancel') return message
      // Other tests can take the last member out of the segment, and a mailing to nobody is complete at once.
      const segment = await of.path('/api/v2/segments/{segmentId}')
      await of.workspace.client('PUT', segment, { json: { doubleOptIn: false } })
      const json = [{ name: 'Recipient', email: `recipient-${randomSuffix()}@example.com` }]
      await of.workspace.client('POST', `${segment}/create-users`, { json })
      return { ...message, scheduledAt: new Date(readClock() + 3_600_000).toISOString() }
    },
    list: '/api/v2/emails',
    pathValue: ({ headers }) => headers.get('location')?.split('/').at(-1) ?? '',
    table: 'emails',
  },
  position: {
    pathValue: () => 0,
    table: 'email_recipients',
    list: '/api/v2/emails/{emailId}/recipients',
  },
  suppressionId: {
    path: '/api/v2/suppressions',
    // The address belongs to a user, because the log records suppressions of users only.
    body: async (of) => ({ email: (await of.withFresh('userId').data('userId')).email }),
    pathValue: 'id',
    table: 'suppressions',
  },
  feedback_external_key: {
    path: '/api/feedback-items',
    body: async (of) => ({ title: 'An idea', product: await of.value('product_external_key') }),
    pathValue: 'external_key',
    table: 'feedback_items',
  },
  // The voter of the list. No path has this parameter.
  voterId: {
    path: '/api/feedback-items/{feedback_external_key}/vote',
    list: '/api/feedback-items/{feedback_external_key}/voters',
    secondList: '/api/v2/votes',
    body: { type: 'up', email: 'voter@example.com' },
    pathValue: 'vote',
    table: 'feedback_votes',
  },
  commentId: {
    path: '/api/feedback-items/{feedback_external_key}/comments',
    body: { text: '<p>Yes, please.</p>' },
    pathValue: 'id',
    table: 'feedback_comments',
    secondList: '/api/v2/comments',
  },
  // The update of the list. No path has this parameter.
  statusUpdateId: {
    path: '/api/feedback-items/{feedback_external_key}/status-updates',
    body: { status: 'planned', message: 'We begin in May.' },
    pathValue: 'id',
    table: 'feedback_status_updates',
  },
  // The portal shows the product with the idea of the path. No POST creates a portal.
  portal: {
    list: '',
    pathValue: () => 0,
    table: 'portals',
    async makeValue(of) {
      // A workspace has one portal.
      const slug = of.workspace.product.externalKey.toLowerCase()
      const json = { changelog: true, slug, products: [await of.value('product_external_key')] }
      await of.workspace.client('PUT', '/api/v2/settings/portal', { json })
      return slug
    },
  },
  // A file of the idea, which the portal shows.
  portalFileId: {
    path: `${PRODUCT_PATH}/assets`,
    upload: 'file',
    list: `${PRODUCT_PATH}/assets`,
    pathValue: 'id',
    table: 'assets',
    async afterCreate(of, id) {
      const json = { artifactKey: await of.value('feedback_external_key') }
      await of.workspace.client('PUT', await of.path(`${PRODUCT_PATH}/assets/${id}`), { json })
    },
  },
  persona_external_key: {
    path: '/api/v2/persona',
    body: { name: 'A persona' },
    pathValue: 'externalKey',
    table: 'personas',
    // DELETE takes the persona out of a custom field, so the persona is put into the field first.
    afterCreate: async (of, key) => {
      if (of.parent?.forWhat !== 'delete') return
      const path = `/api/v2/persona-board/custom-fields/{customFieldId}/personas/${key}`
      await of.workspace.client('POST', await of.path(path), {})
    },
  },
  webhookId: {
    path: '/api/v2/webhooks',
    body: async (of) => ({ url: 'https://hooks.invalid/', products: [await of.value('product_external_key')] }),
    pathValue: 'id',
    table: 'webhooks',
  },
  // The endpoint has the receipt of a payload that fails, because a replay needs its payload.
  incomingWebhookId: {
    path: '/api/v2/incoming-webhooks',
    body: async (of) => ({
      provider: 'generic',
      product: await of.value('product_external_key'),
      action: 'upsert_work_item',
      mapping: { externalId: '$.id', summary: '$.title' },
    }),
    pathValue: 'id',
    table: 'incoming_webhooks',
    afterCreate: async ({ workspace }, _, { url }) => {
      await workspace.client('POST', new URL(String(url)).pathname, { json: { id: 1 } })
    },
  },
  receiptId: {
    list: '/api/v2/incoming-webhooks/{incomingWebhookId}/receipts',
    pathValue: () => 0,
    async makeValue(of) {
      const { url } = await of.data('incomingWebhookId')
      await of.workspace.client('POST', new URL(String(url)).pathname, { json: { id: randomSuffix() } })
      const path = await of.path('/api/v2/incoming-webhooks/{incomingWebhookId}/receipts')
      const { body } = await of.workspace.client<PathValues[]>('GET', path, {})
      return body.data[0]?.id ?? 0
    },
    table: 'incoming_receipts',
  },
  deliveryId: {
    path: '/api/v2/webhooks/{webhookId}/test',
    list: '/api/v2/webhooks/{webhookId}/deliveries',
    pathValue: 'id',
    table: 'webhook_deliveries',
  },
  summaryId: {
    path: '/api/v2/persona/{persona_external_key}/summaries',
    body: { type: 'pain', text: 'Hurts' },
    pathValue: 'id',
    table: 'persona_summaries',
  },
  opportunity_external_key: {
    path: '/api/v2/persona/{persona_external_key}/summaries/{summaryId}/opportunities',
    list: '/api/v2/persona/{persona_external_key}/opportunities',
    body: { valuePropositionName: 'An opportunity' },
    pathValue: 'externalKey',
    table: 'opportunities',
  },
  experiment_external_key: {
    path: `${PRODUCT_PATH}/experiments`,
    body: async (of) => ({
      title: 'An experiment',
      hypothesis: 'It helps',
      personas: [await of.value('persona_external_key')],
    }),
    pathValue: 'externalKey',
    table: 'experiments',
    afterCreate: async (of, key) => {
      if (of.parent?.forWhat !== 'stop') return
      await of.workspace.client('POST', await of.path(`${PRODUCT_PATH}/experiments/${key}/start`), {})
    },
  },
  changelog_external_key: {
    path: '/api/v2/changelog',
    body: async (of) => ({
      title: 'An entry',
      ideas: [await of.value('feedback_external_key')],
      versions: [await of.value('solution_version_external_key')],
    }),
    pathValue: 'externalKey',
    table: 'changelog_entries',
    afterCreate: async (of, key) => {
      if (of.parent?.forWhat !== 'unpublish') return
      await of.workspace.client('POST', `/api/v2/changelog/${key}/publish`, {})
    },
  },
  published_external_key: {
    path: '/api/v2/changelog',
    list: '/api/v2/portal/{portal}/changelog',
    body: { title: 'A published entry' },
    pathValue: 'externalKey',
    table: 'changelog_entries',
    afterCreate: async (of, key) => {
      await of.workspace.client('POST', `/api/v2/changelog/${key}/publish`, {})
    },
  },
  // Experiments of the persona in the path.
  experiment_of_persona: {
    list: '/api/v2/persona/{persona_external_key}/experiments',
    pathValue: () => 0,
    table: 'experiments',
    afterCreate: (of) => of.value('experiment_external_key'),
  },
  traced_external_key: {
    path: `${PRODUCT_PATH}/kpi`,
    list: `${PRODUCT_PATH}/kpis`,
    body: async (of) => ({ title: 'A traced KPI', workItems: [await of.value('item_external_key')] }),
    pathValue: 'externalKey',
    table: 'kpis',
  },
  templateId: {
    path: '/api/v2/docs-hub/templates',
    body: { title: 'A template', content: '<p>{{who}}</p>', variables: [{ key: 'who', default: 'Nobody' }] },
    pathValue: 'id',
    table: 'document_templates',
  },
  document_external_key: {
    path: `${PRODUCT_PATH}/documents`,
    body: { title: 'A document', content: '<p>Text</p>' },
    pathValue: 'externalKey',
    table: 'documents',
  },
  // A download needs a complete export.
  exportId: {
    path: '/api/v2/exports',
    body: { include: ['files'] },
    pathValue: 'id',
    table: 'exports',
    async afterCreate({ workspace }, id) {
      await pollUntil(`The end of export ${id}`, async () => {
        const { body } = await workspace.client<PathValues>('GET', `/api/v2/exports/${id}`, {})
        return body.data.status === 'completed'
      })
    },
  },
  customFieldId: {
    path: '/api/v2/persona-board/custom-fields',
    body: () => ({ name: `Custom field ${randomSuffix()}`, type: 'select', options: ['First'] }),
    pathValue: 'id',
    table: 'persona_custom_fields',
  },
  optionId: {
    path: '/api/v2/persona-board/custom-fields/{customFieldId}/options',
    body: () => ({ label: `Option ${randomSuffix()}` }),
    pathValue: 'id',
    // Options are stored in the custom field, because a field has few options.
    table: 'persona_custom_fields',
  },
}

export const MAKER_REMEDY =
  'Give the POST of the list a `location` that ends with a member of its response, or add a line to DECLARED_MAKERS in test/world.ts.'

/** Makers by path parameter. Makers that follow from the operations are added (test/makers.ts, test/outside/tour.ts). */
export const MAKERS: Record<string, RecordMaker> = { ...DECLARED_MAKERS }

export function addMakers(makers: Readonly<Record<string, RecordMaker>>): void {
  for (const [parameter, maker] of Object.entries(makers)) MAKERS[parameter] ??= maker
}

const REQUIRED_QUERIES: Readonly<Record<string, string>> = {
  '/api/v2/search': 'q=idea',
  '/api/v2/portal/{portal}/ideas/similar': 'q=idea',
  '/api/feedback-items/import': 'product={product_external_key}',
  '/api/feedback-items/external/{source}/{externalId}': 'product={product_external_key}',
}

/** The parameter for the records that a path lists or creates, if any. */
export const parameterFor = (path: string): string | undefined =>
  Object.entries(MAKERS).find(([, maker]) => [maker.path, maker.list, maker.secondList].includes(path))?.[0]

const listParameters = (path: string) => Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)

/** Whether the record of `name` lies below the record of `above`. */
function isBelow(name: string, above: string): boolean {
  const { path = '', list = '' } = MAKERS[name] ?? {}
  return listParameters(`${path}${list}`).some((one) => one === above || (one !== name && isBelow(one, above)))
}

interface CreatedRecord {
  value: PathValue
  data: Record<string, PathValue>
}

/** The records of a workspace by path parameter. Each record is created on first use, once. */
export class Records<W extends TestWorkspace = TestWorkspace> {
  readonly #made = new Map<string, Promise<CreatedRecord>>()

  readonly workspace: W
  /** `forWhat`: the last word of the operation's path, or `delete`. */
  readonly parent: { records: Records<W>; own: string; forWhat: string } | undefined

  constructor(workspace: W, above?: { records: Records<W>; own: string; forWhat: string }) {
    this.workspace = workspace
    this.parent = above
    if (above) return
    const { externalKey } = workspace.product
    this.#made.set('product_external_key', Promise.resolve({ value: externalKey, data: { externalKey } }))
  }

  /** Returns records with a new record of `name`, and with new records below that record. All else is shared. */
  withFresh(name: string, forWhat = ''): Records<W> {
    return new Records(this.workspace, { records: this, own: name, forWhat })
  }

  get createdParameters(): string[] {
    return Array.from(this.#made.keys())
  }

  async value(name: string): Promise<PathValue> {
    return (await this.#get(name)).value
  }

  async data<D extends object = PathValues>(name: string): Promise<D> {
    return (await this.#get(name)).data as D
  }

  /** Fills the parameters of a path with records, or with values of `given`. */
  async path(template: string, given: PathValues = {}): Promise<string> {
    const required = REQUIRED_QUERIES[template]
    let path = required ? `${template}?${required}` : template
    for (const name of listParameters(path)) {
      path = path.replace(`{${name}}`, String(given[name] ?? (await this.value(name))))
    }
    return path
  }

  #get(name: string): Promise<CreatedRecord> {
    const { parent } = this
    if (parent && name !== parent.own && !isBelow(name, parent.own)) return parent.records.#get(name)
    const made = this.#made.get(name) ?? this.#make(name)
    this.#made.set(name, made)
    return made
  }

  async #make(name: string): Promise<CreatedRecord> {
    const maker = MAKERS[name]
    if (!maker) throw new Error(`${name} has no record. ${MAKER_REMEDY}`)
    if (!maker.path) {
      await this.path(maker.list ?? '')
      await maker.afterCreate?.(this, 0, {})
      return { value: (await maker.makeValue?.(this)) ?? 0, data: {} }
    }
    const json = typeof maker.body === 'function' ? await maker.body(this) : maker.body
    const { upload } = maker
    const file =
      typeof upload === 'function' ? upload(this.parent?.forWhat ?? '') : upload && sampleUpload({ part: upload })
    const sent = file ? { raw: file } : { json }
    const path = await this.path(maker.path)
    const answer = await this.workspace.client<Record<string, PathValue>>('POST', path, sent)
    if (!answer.body.success) throw new Error(`POST ${path}: ${JSON.stringify(answer.body)}`)
    const { data } = answer.body
    const value = typeof maker.pathValue === 'function' ? maker.pathValue(answer) : data[maker.pathValue]
    if (value === undefined) throw new Error(`The response of POST ${path} has no ${maker.pathValue}`)
    await maker.afterCreate?.(this, value, data)
    return { value, data }
  }
}

/** In a portal, people change ideas that wait for an approval. */
const isChangeOfOwnIdea = (method: string, path: string) =>
  (method === 'put' || method === 'patch') && path === '/api/v2/portal/{portal}/ideas/{feedback_external_key}'

/**
 * Whether the operation may change the state of its record: create, remove, end, restore or advance the record. Each call then
 * gets a record of its own.
 */
const changesState = (method: string, path: string) =>
  method === 'delete' ||
  isChangeOfOwnIdea(method, path) ||
  path.endsWith('{externalId}') ||
  (method === 'post' && /\}(\/[^{}/]+)?$/.test(path) && parameterFor(path) === undefined)

export const lastParameter = (path: string) => listParameters(path).at(-1) ?? ''

/** Restores the record in the path. */
export const isRestore = ({ method, path }: MethodAndPath) => method === 'post' && path.endsWith('}/restore')

interface MethodAndPath {
  method: string
  path: string
}

/**
 * Returns records in the state for the operation: with a new record if `own`, and with a removed record before a
 * restore.
 */
export async function prepareRecords<W extends TestWorkspace>(
  { method, path }: MethodAndPath,
  records: Records<W>,
  own = changesState(method, path),
): Promise<Records<W>> {
  const name = lastParameter(path)
  if (!name || !own) return records
  const fresh = records.withFresh(name, method === 'delete' ? 'delete' : path.split('/').at(-1))
  const at = await fresh.path(path)
  if (isRestore({ method, path })) {
    const { body } = await records.workspace.client('DELETE', at.replace(/\/restore$/, ''), {})
    if (!body.success) throw new Error(`The DELETE before ${at} failed: ${JSON.stringify(body)}`)
  }
  if (isChangeOfOwnIdea(method, path)) {
    const json = { visibility_level: 'pending' }
    await records.workspace.client('PUT', await fresh.path('/api/feedback-items/{feedback_external_key}'), { json })
  }
  if (method === 'delete' && path.endsWith('/vote')) await records.workspace.client('POST', at, {})
  // The author of an idea is subscribed already.
  if (method === 'post' && path.endsWith('/subscription')) await records.workspace.client('DELETE', at, {})
  if (method === 'delete' && path.endsWith('/link')) {
    const json = { workItem: await records.withFresh('epic_external_key').value('epic_external_key') }
    const { body } = await records.workspace.client('POST', at, { json })
    if (!body.success) throw new Error(`The POST before DELETE ${at} failed: ${JSON.stringify(body)}`)
  }
  if (path.endsWith('/confirmations/request'))
    await records.workspace.client('PUT', at.replace(/\/confirmations.*/, ''), { json: { doubleOptIn: true } })
  if (path.endsWith('/unrelease')) {
    const { body } = await records.workspace.client('POST', at.replace(/unrelease$/, 'release'), { json: {} })
    if (!body.success) throw new Error(`The release before ${at} failed: ${JSON.stringify(body)}`)
  }
  if (path.endsWith('/unmerge')) {
    const json = { into: await records.value(name) }
    const { body } = await records.workspace.client('POST', at.replace(/unmerge$/, 'merge'), { json })
    if (!body.success) throw new Error(`The merge before ${at} failed: ${JSON.stringify(body)}`)
  }
  return fresh
}

export async function createAllRecords(records: Records): Promise<PathValues> {
  const found: PathValues = {}
  for (const name of Object.keys(MAKERS)) found[name] = await records.value(name)
  return found
}
