import type { Area } from './http/token'

/** Names of a resource; the resource's folder holds everything else. */
interface Resource {
  /** API keys need `<area>:read` of this area to see the resource, including events. */
  area: Area
  tag: string
  missing: `${string}_not_found`
  /** Event types are `<name>.<event>` (docs/api-conventions.md#event-types). */
  events: readonly string[]
  /** Prefix of external keys, like EP-1 and EP-2. */
  prefix?: string
}

const PART = ['created', 'updated', 'deleted'] as const
const LIFE = ['created', 'updated', 'deleted', 'restored'] as const

export const RESOURCES = {
  product: { area: 'products', tag: 'Products', missing: 'product_not_found', events: LIFE },
  settings: { area: 'products', tag: 'Settings', missing: 'settings_not_found', events: ['updated'] },
  team: { area: 'products', tag: 'Teams', missing: 'team_not_found', events: LIFE },
  user: { area: 'products', tag: 'Users', missing: 'user_not_found', events: LIFE },
  api_key: { area: 'keys', tag: 'API keys', missing: 'api_key_not_found', events: ['created', 'revoked'] },
  asset: { area: 'files', tag: 'Files', missing: 'asset_not_found', events: LIFE },

  epic: { area: 'backlog', tag: 'Epics', missing: 'epic_not_found', events: LIFE, prefix: 'EP' },
  feature: { area: 'backlog', tag: 'Features', missing: 'feature_not_found', events: LIFE, prefix: 'FE' },
  userstory: { area: 'backlog', tag: 'User stories', missing: 'user_story_not_found', events: LIFE, prefix: 'US' },
  // A work item of any type.
  work_item: { area: 'backlog', tag: 'Backlog', missing: 'work_item_not_found', events: [] },
  story_map: {
    area: 'backlog',
    tag: 'Story maps',
    missing: 'story_map_not_found',
    events: [...LIFE, 'steps_moved', 'card_placed', 'card_removed', 'cards_moved'],
  },
  story_map_activity: { area: 'backlog', tag: 'Story maps', missing: 'activity_not_found', events: PART },
  story_map_step: { area: 'backlog', tag: 'Story maps', missing: 'step_not_found', events: PART },
  story_map_swimlane: { area: 'backlog', tag: 'Story maps', missing: 'swimlane_not_found', events: PART },
  solution_version: {
    area: 'backlog',
    tag: 'Solution versions',
    missing: 'solution_version_not_found',
    events: [...LIFE, 'released'],
    prefix: 'SV',
  },
  work_item_link: {
    area: 'backlog',
    tag: 'Backlog',
    missing: 'work_item_link_not_found',
    events: ['created', 'deleted'],
  },
  work_item_comment: { area: 'backlog', tag: 'Backlog', missing: 'comment_not_found', events: LIFE },
  tag: { area: 'products', tag: 'Tags', missing: 'tag_not_found', events: LIFE },

  feedback: {
    area: 'feedback',
    tag: 'Feedback',
    missing: 'feedback_item_not_found',
    events: [...LIFE, 'voted', 'status_changed', 'merged', 'unmerged', 'promoted', 'subscribed', 'unsubscribed'],
    prefix: 'IDEA',
  },
  vote: { area: 'feedback', tag: 'Feedback', missing: 'feedback_item_not_found', events: [] },
  comment: { area: 'feedback', tag: 'Feedback', missing: 'comment_not_found', events: LIFE },
  feedback_status: { area: 'feedback', tag: 'Feedback', missing: 'feedback_status_not_found', events: LIFE },
  category: { area: 'feedback', tag: 'Feedback', missing: 'category_not_found', events: LIFE },

  segment: {
    area: 'segments',
    tag: 'Segments',
    missing: 'segment_not_found',
    events: [...LIFE, 'users_added', 'users_removed'],
  },
  member: {
    area: 'segments',
    tag: 'Members',
    missing: 'member_not_found',
    events: [...LIFE, 'invited', 'joined', 'unsubscribed'],
  },
  import: {
    area: 'segments',
    tag: 'Imports',
    missing: 'import_not_found',
    events: ['accepted', 'completed', 'failed', 'canceled', 'undo_accepted', 'undone'],
  },
  email: { area: 'mail', tag: 'Mail', missing: 'email_not_found', events: ['accepted', 'completed', 'canceled'] },
  suppression: {
    area: 'mail',
    tag: 'Mail',
    missing: 'suppression_not_found',
    events: ['created', 'deleted'],
  },
  mail_provider: { area: 'mail', tag: 'Mail', missing: 'email_not_found', events: ['down', 'restored'] },
  recipient: { area: 'mail', tag: 'Mail', missing: 'recipient_not_found', events: [] },

  kpi: {
    area: 'kpis',
    tag: 'KPIs',
    missing: 'kpi_not_found',
    events: [...LIFE, 'records_inserted', 'record_deleted', 'target_reached'],
    prefix: 'KPI',
  },
  kpi_record: { area: 'kpis', tag: 'KPIs', missing: 'kpi_record_not_found', events: [] },
  persona: {
    area: 'personas',
    tag: 'Personas',
    missing: 'persona_not_found',
    events: [...LIFE, 'documentation_updated'],
    prefix: 'PE',
  },
  summary: { area: 'personas', tag: 'Personas', missing: 'summary_not_found', events: LIFE },
  opportunity: { area: 'personas', tag: 'Personas', missing: 'opportunity_not_found', events: LIFE, prefix: 'OP' },
  experiment: {
    area: 'backlog',
    tag: 'Experiments',
    missing: 'experiment_not_found',
    events: [...LIFE, 'started', 'stopped'],
    prefix: 'EX',
  },
  // Links between records of all kinds.
  trace: { area: 'personas', tag: 'Trace', missing: 'record_not_found', events: [] },
  board_segment: { area: 'personas', tag: 'Persona board', missing: 'board_segment_not_found', events: LIFE },
  custom_field: {
    area: 'personas',
    tag: 'Persona board',
    missing: 'custom_field_not_found',
    events: [...LIFE, 'purged'],
  },
  template: { area: 'personas', tag: 'Documents', missing: 'template_not_found', events: LIFE },
  document: { area: 'personas', tag: 'Documents', missing: 'document_not_found', events: LIFE, prefix: 'DOC' },
  custom_field_option: { area: 'personas', tag: 'Persona board', missing: 'option_not_found', events: [] },

  webhook: {
    area: 'webhooks',
    tag: 'Webhooks',
    missing: 'webhook_not_found',
    events: [...LIFE, 'disabled', 'tested', 'replayed', 'secret_rotated'],
  },
  incoming_webhook: {
    area: 'webhooks',
    tag: 'Incoming webhooks',
    missing: 'incoming_webhook_not_found',
    events: [...LIFE, 'secret_rotated'],
  },
  incoming_receipt: { area: 'webhooks', tag: 'Incoming webhooks', missing: 'incoming_receipt_not_found', events: [] },
  webhook_delivery: { area: 'webhooks', tag: 'Webhooks', missing: 'webhook_delivery_not_found', events: [] },
} as const satisfies Record<string, Resource>

export type ResourceName = keyof typeof RESOURCES

export const resourcesOf = (is: (area: Area) => boolean): ResourceName[] =>
  Object.entries<Resource>(RESOURCES).flatMap(([name, { area }]) => (is(area) ? [name as ResourceName] : []))

type Line<R extends ResourceName> = (typeof RESOURCES)[R]

export type EventType = { [R in ResourceName]: `${R}.${Line<R>['events'][number]}` }[ResourceName]

export type Happening<R extends ResourceName> = Line<R>['events'][number]

export type Prefix = { [R in ResourceName]: Line<R> extends { prefix: infer P } ? P : never }[ResourceName]

export type NotFoundCode = Line<ResourceName>['missing']

export const EVENT_TYPES = Object.entries<Resource>(RESOURCES).flatMap(([name, { events }]) =>
  events.map((event) => `${name}.${event}` as EventType),
) as [EventType, ...EventType[]]

/** Headings in the reading order of the API reference. */
export const TAGS = {
  Products: 'Products, called initiatives by the interface.',
  Epics: 'Epics: the large pieces of a backlog.',
  Features: 'Features: parts of an epic, or on their own.',
  'User stories': 'User stories: the cards of a backlog.',
  Backlog: 'The backlog as a whole, and what its items have in common.',
  'Story maps': 'Maps of user stories: steps below activities, crossed by swimlanes.',
  'Solution versions': 'Versions of a product: what they bring, how far they are, their release.',
  Tags: 'Tags of a product, which its work items and ideas carry.',
  KPIs: 'Key performance indicators and their records.',
  Feedback: 'Ideas and issues, with votes and comments.',
  Search: 'Everything at once, by its words.',
  Segments: 'Segments of members, and mail to them.',
  Members: "The workspace's people, as the idea manager sees them.",
  Imports: 'Import runs: what became of the rows of a file.',
  Mail: 'Mailings and what became of them.',
  Personas: 'Personas, their summaries, notes and opportunities.',
  Experiments: 'Experiments: what is believed, how it is tried, what came of it.',
  Trace: 'How records of all these hang together.',
  'Persona board': 'What personas are sorted by, and what is known of them besides.',
  Documents: 'Documents of products, and the templates that they are made of.',
  Files: 'Uploaded files.',
  Teams: 'Teams: who works together, on which products.',
  Users: "The workspace's people, and who asks.",
  Settings: 'What the whole workspace has settled.',
  'API keys': 'Keys: create, list, revoke, rotate.',
  Events: 'The append-only log of everything that was written.',
  Webhooks: 'Endpoints of yours that the log is delivered to, signed.',
  'Incoming webhooks': 'Addresses that other systems send to, and what is done with what comes.',
  Service: 'The service itself.',
} as const

export type Tag = keyof typeof TAGS
