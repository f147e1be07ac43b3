import type { Client, ListId } from './client.ts'
import type { GroundworkError } from './errors.ts'
import type { MirroredData, SourceRecord } from './mirror-records.ts'

type Records = AsyncGenerator<SourceRecord, void, undefined>
type Lists = readonly (readonly [list: ListId, resource: string, query?: object])[]

const LISTS_OF_WORKSPACE: Lists = [
  ['listTeams', 'team'],
  ['listMembers', 'member'],
  ['listSegments', 'segment'],
  ['listSuppressions', 'suppression'],
  ['listFeedbackCategories', 'category'],
  ['listFeedbackStatuses', 'feedback_status'],
  ['listFeedbackItems', 'feedback'],
  ['listAllVotes', 'vote'],
  ['listAllComments', 'comment'],
  ['listBoardSegments', 'board_segment'],
  ['listCustomFields', 'custom_field'],
  ['listTemplates', 'template'],
  ['listApiKeys', 'api_key'],
  ['listWebhooks', 'webhook'],
  ['listIncomingWebhooks', 'incoming_webhook'],
]
const LISTS_OF_PRODUCT: Lists = [
  ['listTags', 'tag'],
  ['listSolutionVersions', 'solution_version'],
  ['listKpis', 'kpi', { linked: 'all' }],
  ['listExperiments', 'experiment'],
  ['listDocuments', 'document'],
  ['listAssets', 'asset'],
]
const CHANGELOG: Lists[number] = ['listChangelogEntries', 'changelog_entry']

// A filter refuses the key of a removed record with `unknown_reference`.
/** Leaves out records that the key cannot read, and the content of a record that was removed meanwhile. */
async function* skipUnreadable(records: Records): Records {
  try {
    yield* records
  } catch (error) {
    if (!/found|scope|reference/.test((error as GroundworkError).code)) throw error
  }
}

async function* readPages(
  client: Client,
  [list, resource, query]: Lists[number],
  input: object,
  ofProduct?: number,
): Records {
  const records = client.each(list, { ...input, ...query, limit: 100 } as never) as AsyncIterable<MirroredData>
  for await (const data of records) {
    const resourceKey = String(data.externalKey ?? data.external_key ?? data.id)
    const productId = ofProduct ?? (data.product_id as number | null | undefined) ?? null
    yield { resource, data, productId, resourceKey }
  }
}

const readList = (...given: Parameters<typeof readPages>): Records => skipUnreadable(readPages(...given))

async function* readSettings(client: Client): Records {
  yield { resource: 'settings', data: { ...(await client.getSettings()) }, productId: null, resourceKey: 'settings' }
  yield { resource: 'portal', data: { ...(await client.getPortalSettings()) }, productId: null, resourceKey: 'portal' }
}

/** All records of the workspace, with the content of the records that are not removed. */
export async function* readWorkspace(client: Client): Records {
  yield* skipUnreadable(readSettings(client))
  for (const list of LISTS_OF_WORKSPACE) yield* readList(client, list, {})
  const productIds = new Map<unknown, number>()
  for await (const product of readList(client, ['listProducts', 'product'], {})) {
    productIds.set(product.resourceKey, product.data.id as number)
    yield product
    yield* readProduct(client, product)
  }
  for await (const persona of readList(client, ['listPersonas', 'persona'], {})) {
    const productId = productIds.get(persona.data.product) ?? null
    yield { ...persona, productId }
    yield* readContent(client, { ...persona, productId })
  }
  for await (const entry of readList(client, CHANGELOG, {}))
    yield { ...entry, productId: productIds.get(entry.data.product) ?? null }
}

/** The records that go and return with a product, a persona, an idea, an item or a story map. */
export async function* readContent(client: Client, record: SourceRecord): Records {
  const { resource, productId, resourceKey } = record
  if (resource === 'product') {
    yield* readProduct(client, record)
    for await (const idea of readList(client, ['listFeedbackItems', 'feedback'], { product: resourceKey })) {
      yield idea
      yield* readContent(client, idea)
    }
    for await (const persona of readList(client, ['listPersonas', 'persona'], {}, record.data.id as number)) {
      if (persona.data.product !== resourceKey) continue
      yield persona
      yield* readContent(client, persona)
    }
    yield* readList(client, CHANGELOG, { product: resourceKey }, record.data.id as number)
  }
  if (resource === 'feedback') {
    yield* readList(client, ['listAllVotes', 'vote'], { feedback: resourceKey })
    yield* readList(client, ['listAllComments', 'comment'], { feedback: resourceKey })
  }
  if (resource === 'persona') {
    const of = { persona_external_key: resourceKey }
    for await (const summary of readList(client, ['listSummaries', 'summary'], of)) yield { ...summary, resourceKey }
    yield* readList(client, ['listOpportunities', 'opportunity'], of, productId ?? undefined)
  }
  if (productId === null || !/^(epic|feature|userstory|story_map)$/.test(resource)) return
  const product_external_key = await findProductKey(client, productId)
  if (product_external_key === undefined) return
  if (resource === 'story_map') yield* skipUnreadable(readStoryMap(client, product_external_key, record))
  else yield* readWorkItem(client, product_external_key, record)
}

async function findProductKey(client: Client, productId: number): Promise<string | undefined> {
  for await (const { data, resourceKey } of readList(client, ['listProducts', 'product'], {}))
    if (data.id === productId) return resourceKey
}

async function* readProduct(client: Client, { resourceKey: product_external_key, data }: SourceRecord): Records {
  const productId = data.id as number
  for (const list of LISTS_OF_PRODUCT) yield* readList(client, list, { product_external_key }, productId)
  for await (const map of readList(client, ['listStoryMaps', 'story_map'], { product_external_key }, productId)) {
    yield map
    yield* skipUnreadable(readStoryMap(client, product_external_key, map))
  }
  const items = readList(client, ['listAllWorkItems', 'epic'], { product: product_external_key }, productId)
  for await (const item of items) {
    const resource = String(item.data.type)
    yield { ...item, resource }
    yield* readWorkItem(client, product_external_key, item)
  }
}

async function* readWorkItem(client: Client, product_external_key: string, item: SourceRecord): Records {
  const of = { product_external_key, item_external_key: item.resourceKey }
  yield* readList(client, ['listItemComments', 'work_item_comment'], of, item.productId ?? undefined)
  yield* skipUnreadable(readLinks(client, of, item))
}

async function* readLinks(
  client: Client,
  of: { product_external_key: string; item_external_key: string },
  { data, productId }: SourceRecord,
): Records {
  for (const { id, type, direction, item, createdAt } of await client.listLinks(of)) {
    // The other item lists the link too.
    if (direction === 'from') continue
    const ends = { from: of.item_external_key, to: item.externalKey, fromId: data.id, toId: item.id }
    yield { resource: 'work_item_link', data: { id, type, ...ends, createdAt }, productId, resourceKey: String(id) }
  }
}

async function* readStoryMap(client: Client, product_external_key: string, map: SourceRecord): Records {
  const storyMapId = map.data.id as number
  const { activities, swimlanes } = await client.getStoryMap({ product_external_key, storyMapId })
  const { productId } = map
  const part = (resource: string, data: MirroredData & { id: number }): SourceRecord => ({
    ...{ resource: `story_map_${resource}`, productId, resourceKey: String(data.id) },
    data: { ...data, storyMapId },
  })
  for (const { steps, ...activity } of activities) {
    yield part('activity', activity)
    for (const { cards, ...step } of steps) yield part('step', { ...step, activityId: activity.id })
  }
  for (const swimlane of swimlanes) yield part('swimlane', { ...swimlane })
}
