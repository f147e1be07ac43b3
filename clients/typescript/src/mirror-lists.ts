import type { Client, ListId } from './client.ts'
import { GroundworkError } from './errors.ts'
import type { MirroredData, SourceRecord } from './mirror-records.ts'

type Records = AsyncGenerator<SourceRecord, void, undefined>
type Lists = readonly (readonly [list: ListId, resource: string])[]

const LISTS_OF_WORKSPACE: Lists = [
  ['listTeams', 'team'],
  ['listMembers', 'member'],
  ['listSegments', 'segment'],
  ['listSuppressions', 'suppression'],
  ['listFeedbackCategories', 'category'],
  ['listFeedbackStatuses', 'feedback_status'],
  ['listAllVotes', 'vote'],
  ['listAllComments', 'comment'],
  ['listBoardSegments', 'board_segment'],
  ['listCustomFields', 'custom_field'],
  ['listTemplates', 'template'],
  ['listApiKeys', 'api_key'],
  ['listWebhooks', 'webhook'],
]
const LISTS_OF_PRODUCT: Lists = [
  ['listTags', 'tag'],
  ['listSolutionVersions', 'solution_version'],
  ['listKpis', 'kpi'],
  ['listExperiments', 'experiment'],
  ['listDocuments', 'document'],
  ['listAssets', 'asset'],
]

async function* readList(
  client: Client,
  [list, resource]: Lists[number],
  input: object,
  productId: number | null = null,
): Records {
  const records = client.each(list, { ...input, limit: 100 } as never) as AsyncIterable<MirroredData>
  for await (const data of records) {
    const resourceKey = String(data.externalKey ?? data.external_key ?? data.id)
    yield {
      resource,
      data,
      productId: productId ?? ((data.product_id as number | null | undefined) || null),
      resourceKey,
    }
  }
}

/** All records of the workspace, with the content of the records that are not removed. */
export async function* readWorkspace(client: Client): Records {
  const settings = await client.getSettings()
  yield { resource: 'settings', data: { ...settings }, productId: null, resourceKey: 'settings' }
  for (const list of LISTS_OF_WORKSPACE) yield* readList(client, list, {})
  yield* readList(client, ['listFeedbackItems', 'feedback'], {})
  yield* readPersonas(client, (product) => product === null)
  for await (const product of readList(client, ['listProducts', 'product'], {})) {
    yield product
    yield* whileParentExists(readProduct(client, product))
    yield* readPersonas(client, (key) => key === product.resourceKey, product.data.id as number)
  }
  yield* readList(client, ['listIncomingWebhooks', 'incoming_webhook'], {})
}

/** The records up to the removal of their parent, which has an event of its own. */
async function* whileParentExists(records: Records): Records {
  try {
    yield* records
  } catch (error) {
    if (!(error instanceof GroundworkError && error.status === 404)) throw error
  }
}

/** The personas of a product, or of no product, with their content. */
async function* readPersonas(
  client: Client,
  isListed: (product: unknown) => boolean,
  productId: number | null = null,
): Records {
  for await (const persona of readList(client, ['listPersonas', 'persona'], {}, productId)) {
    if (!isListed(persona.data.product)) continue
    yield persona
    yield* readContent(client, persona)
  }
}

/** The records that go and return with a product, a persona, an idea, an item or a story map. */
export const readContent = (client: Client, record: SourceRecord): Records =>
  whileParentExists(readExistingContent(client, record))

async function* readExistingContent(client: Client, record: SourceRecord): Records {
  const { resource, productId, resourceKey } = record
  if (resource === 'product') {
    yield* readProduct(client, record)
    for await (const idea of readList(client, ['listFeedbackItems', 'feedback'], { product: resourceKey })) {
      yield idea
      yield* readContent(client, idea)
    }
    yield* readPersonas(client, (key) => key === resourceKey, record.data.id as number)
  }
  if (resource === 'feedback') {
    yield* readList(client, ['listAllVotes', 'vote'], { feedback: resourceKey })
    yield* readList(client, ['listAllComments', 'comment'], { feedback: resourceKey })
  }
  if (resource === 'persona') {
    const of = { persona_external_key: resourceKey }
    for await (const summary of readList(client, ['listSummaries', 'summary'], of)) yield { ...summary, resourceKey }
    yield* readList(client, ['listOpportunities', 'opportunity'], of, productId)
  }
  if (productId === null || resource === 'product') return
  if (!/^(epic|feature|userstory|story_map)$/.test(resource)) return
  const product_external_key = await findProductKey(client, productId)
  if (product_external_key === undefined) return
  if (resource === 'story_map') yield* readStoryMap(client, product_external_key, record)
  else yield* readWorkItem(client, product_external_key, record)
}

async function findProductKey(client: Client, productId: number): Promise<string | undefined> {
  for await (const { id, externalKey } of client.each('listProducts', { limit: 100 }))
    if (id === productId) return externalKey
}

async function* readProduct(client: Client, { resourceKey: product_external_key, data }: SourceRecord): Records {
  const productId = data.id as number
  for (const list of LISTS_OF_PRODUCT) yield* readList(client, list, { product_external_key }, productId)
  for await (const map of readList(client, ['listStoryMaps', 'story_map'], { product_external_key }, productId)) {
    yield map
    yield* whileParentExists(readStoryMap(client, product_external_key, map))
  }
  const items = readList(client, ['listAllWorkItems', 'epic'], { product: product_external_key }, productId)
  for await (const item of items) {
    const resource = String(item.data.type)
    yield { ...item, resource }
    yield* whileParentExists(readWorkItem(client, product_external_key, item))
  }
}

async function* readWorkItem(client: Client, product_external_key: string, item: SourceRecord): Records {
  const { productId, resourceKey } = item
  const of = { product_external_key, item_external_key: resourceKey }
  yield* readList(client, ['listItemComments', 'work_item_comment'], of, productId)
  for (const { id, type, direction, item: other, createdAt } of await client.listLinks(of)) {
    // The other item lists the link too.
    if (direction === 'from') continue
    const ends = { from: resourceKey, to: other.externalKey, fromId: item.data.id, toId: other.id }
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
