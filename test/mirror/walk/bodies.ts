import { readClock } from '../../clock.ts'
import { keyOf, namedValue, randomEmail, randomText, type Source, someOf, uniqueText } from './values.ts'

/** Bodies whose members depend on each other. Undefined: the walk has no record for the body. */
export const BODIES: Record<string, (source: Source) => unknown> = {
  createApiKey: (of) => ({ name: uniqueText(of), scopes: [of.random.pick(['backlog:read', 'feedback:write', '*'])] }),
  // A host without an address, and few deliveries.
  createWebhook: (of) => ({
    url: 'https://hooks.invalid/',
    name: uniqueText(of),
    events: ['team.*'],
    status: of.random.pick(['paused', 'active']),
  }),
  modifyWebhook: (of) => ({ name: uniqueText(of), status: of.random.pick(['paused', 'active']) }),
  replayWebhook: () => ({ from: new Date(readClock() - 1_000).toISOString() }),
  createIncomingWebhook: (of) => incomingWebhook(of, true),
  modifyIncomingWebhook: (of) => incomingWebhook(of, false),
  bulkBacklog: (of) => {
    const create = (type: string) => ({ op: 'create', type, ref: type, body: { summary: randomText(of) } })
    const changes = someOf(of, () => changeOfItem(of)) ?? []
    return [create('epic'), { ...create('userstory'), parentRef: 'epic' }, ...changes]
  },
  bulkFeedbackItems: (of) => someOf(of, () => changeOfIdea(of)),
  manageSegmentUsers: (of) => {
    const fromSegmentId = keyOf(of, 'segmentId')
    const userIds = someOf(of, () => keyOf(of, 'memberId'))
    if (!userIds) return
    const action = of.random.pick(['move', 'remove'])
    return { action, userIds, fromSegmentId, ...(action === 'move' && { toSegmentId: keyOf(of, 'segmentId') }) }
  },
  importStoryMap: (of) => {
    const cards = someOf(of, () => keyOf(of, 'card_external_key')) ?? []
    const steps = cards.map((externalKey, n) => ({ title: `Step ${n}`, cards: [{ externalKey, swimlaneId: 1 }] }))
    const activities = [{ title: uniqueText(of), steps }, { title: randomText(of) }]
    return { title: uniqueText(of), activities, swimlanes: [{ id: 1, title: randomText(of) }] }
  },
  moveWorkItem: (of) => {
    const { item_external_key: own = '', product_external_key: product = '' } = of.scope
    const [kind = '', above = ''] =
      Object.entries(PARENTS).find(([prefix]) => String(own).startsWith(prefix))?.[1] ?? []
    const limits = { product_external_key: product }
    if (above && of.random.chance(50)) return { parentKey: of.random.chance(20) ? null : keyOf(of, above, limits) }
    const neighbor = keyOf(of, kind, limits)
    return neighbor === own ? undefined : { [of.random.pick(['afterKey', 'beforeKey'])]: neighbor }
  },
  createSegment: (of) => ({ name: uniqueText(of), ...(of.random.chance(25) && { type: 'dynamic', rules: rules(of) }) }),
  modifySegment: (of) => ({ name: uniqueText(of), description: randomText(of) }),
  previewSegment: () => undefined,
  previewSegmentEmail: () => undefined,
  createStatusUpdate: (of) => ({
    status: keyOf(of, 'statusId'),
    message: randomText(of),
    notify: of.random.pick(['later', 'none']),
  }),
  modifySettings: (of) => ({
    feedback: { moderation: of.random.chance(30) },
    ...(of.random.chance(30) && { cors: [`https://app${of.random.below(9)}.example.com`] }),
    ...(of.random.chance(30) && { ideaUrl: of.random.pick([null, 'https://ideas.example.com/{key}']) }),
  }),
  modifyPortalSettings: (of) => ({
    // The portal stays open.
    slug: `portal-${of.random.below(1_000_000)}`,
    name: randomText(of),
    roadmap: of.random.chance(50),
  }),
  // The portal shows the first product of the walk.
  submitPortalIdea: (of) => ({
    title: uniqueText(of),
    text: randomText(of),
    product: of.places.find('product_external_key', () => true)?.parameters.product_external_key,
  }),
  modifySignInSettings: (of) => ({
    issuer: of.random.pick([null, 'https://login.example.com']),
    clientId: uniqueText(of),
    onlyProvider: of.random.chance(50),
  }),
  castVote: (of) => ({ type: of.random.pick(['up', 'up', 'down', 'none']), email: randomEmail(of) }),
  subscribeToFeedbackItem: (of) => ({ email: randomEmail(of) }),
  createSuppression: (of) => ({
    email: (of.random.chance(80) && of.places.pick('memberId')?.data.email) || randomEmail(of),
  }),
  reinviteMembers: (of) => {
    const userIds = someOf(of, () => keyOf(of, 'memberId'))
    return userIds && { userIds }
  },
  linkFeedbackItem: (of) => {
    const key = of.scope.feedback_external_key
    const id = of.places.find('feedback_external_key', ({ parameters }) => parameters.feedback_external_key === key)
      ?.data.product_id
    const product = of.places.find('product_external_key', ({ data }) => data.id === id)
    return id && product ? { workItem: keyOf(of, 'item_external_key', product.parameters) } : undefined
  },
  promoteFeedbackItem: (of) => ({ type: of.random.pick(['epic', 'feature', 'userstory']) }),
  modifyPersona: (of) => ({
    occupation: randomText(of),
    goals: [randomText(of)],
    ...maybe(of, 'boardSegmentId'),
    ...maybe(of, 'product'),
  }),
  createCustomField: (of) => {
    const type = of.random.pick(['text', 'number', 'select', 'select', 'multiselect'])
    return { name: uniqueText(of), type, ...(type.endsWith('select') && { options: ['First', 'Second'] }) }
  },
  instantiateTemplate: (of) => ({
    product: keyOf(of, 'product_external_key', {}),
    title: uniqueText(of),
    variables: {},
  }),
  convertWorkItem: (of) => ({ type: of.random.pick(['epic', 'feature', 'userstory']) }),
  rotateIncomingWebhookSecret: () => ({}),
  sendSegmentEmail: (of) => ({
    ...mail(of),
    ...(of.random.chance(50) && { scheduledAt: new Date(readClock() + 86_400_000).toISOString() }),
  }),
  sendMembersEmail: (of) => {
    const userIds = someOf(of, () => keyOf(of, 'memberId'))
    return userIds && { ...mail(of), userIds }
  },
  sendTestEmail: (of) => ({ ...mail(of), to: [randomEmail(of)] }),
  scoreWorkItem: (of) => ({
    model: 'ice',
    inputs: { impact: of.random.below(10), confidence: of.random.below(10), ease: 1 },
  }),
}

const mail = (of: Source) => ({ subject: randomText(of), html: '<p>Hello</p>' })

const PARENTS: Record<string, readonly [kind: string, parent: string]> = {
  EP: ['epic_external_key', ''],
  FE: ['feature_external_key', 'epic_external_key'],
  US: ['card_external_key', 'feature_external_key'],
}

const TYPES = [
  ['epic', 'epic_external_key'],
  ['feature', 'feature_external_key'],
  ['userstory', 'card_external_key'],
] as const

const maybe = (of: Source, name: string) => {
  const { value } = (of.random.chance(30) && namedValue(of, name, '')) || {}
  return value === undefined ? {} : { [name]: value }
}

function changeOfItem(of: Source): object | undefined {
  const [type, kind] = of.random.pick(TYPES)
  const externalKey = keyOf(of, kind)
  if (externalKey === undefined) return
  if (of.random.chance(25)) return { op: 'delete', type, externalKey }
  return {
    op: 'update',
    type,
    externalKey,
    body: { summary: randomText(of), progress: of.random.pick(['to-do', 'done']) },
  }
}

function changeOfIdea(of: Source): object | undefined {
  const externalKey = keyOf(of, 'feedback_external_key', {})
  const into = keyOf(of, 'feedback_external_key', {})
  if (of.random.chance(20)) return { op: 'delete', externalKey }
  if (of.random.chance(20) && into !== externalKey) return { op: 'merge', externalKey, body: { into } }
  return { op: 'update', externalKey, body: { title: uniqueText(of), tags: [randomText(of, 1)] } }
}

function incomingWebhook(of: Source, isNew: boolean): object | undefined {
  const product = isNew ? keyOf(of, 'product_external_key', {}) : of.scope.product
  const sender = isNew ? { provider: of.random.pick(['generic', 'gitlab']), product } : {}
  const kpi = keyOf(of, 'kpi_external_key', product === undefined ? {} : { product_external_key: product })
  const action = of.random.pick(['upsert_work_item', 'create_feedback', ...(kpi ? ['insert_kpi_records'] : [])])
  if (isNew && sender.provider === 'gitlab')
    return { ...sender, action: 'upsert_work_item', target: { type: 'feature' }, secret: 'a-secret-of-the-walk' }
  if (action === 'upsert_work_item')
    return { ...sender, action, mapping: { externalId: '$.id', summary: '$.title' }, target: { type: 'userstory' } }
  if (action === 'create_feedback') return { ...sender, action, mapping: { title: '$.title', tags: '=imported' } }
  return { ...sender, action, mapping: { value: '$.id' }, target: { kpi } }
}

const rules = ({ random }: Source) => ({
  match: random.pick(['all', 'any']),
  conditions: [
    random.pick([
      { attribute: 'attributes.plan', operator: 'eq', value: 'pro' },
      { attribute: 'voteCount', operator: 'gte', value: 1 },
    ]),
  ],
})

/** Payload of a system that sends to an incoming webhook. */
export function payloadOf(of: Source, provider: unknown): object {
  const id = of.random.below(30)
  if (provider !== 'gitlab') return { id, title: uniqueText(of) }
  const state = of.random.pick(['opened', 'closed'])
  const labels = [{ id: 1, title: randomText(of, 1) }]
  return {
    object_kind: 'issue',
    user: { id: 1, name: 'Administrator' },
    project: { id: 1, name: 'Test' },
    object_attributes: {
      id,
      iid: id,
      title: uniqueText(of),
      description: `**${randomText(of)}**`,
      state,
      action: 'update',
      labels,
    },
  }
}
