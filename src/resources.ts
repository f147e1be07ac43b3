import type { Area } from './http/token'

interface ResourceDeclaration {
  /** API keys need `<area>:read` of this area to see the resource, including events. */
  area: Area
  /** Heading in the API reference. A new heading needs a line in `API_TAGS`. */
  tag: ApiTag
  missing: `${string}_not_found`
  /** Event types are `<name>.<event>` (docs/api-conventions.md#event-types). */
  events: readonly string[]
  prefix?: string
}

const PART_EVENTS = ['created', 'updated', 'deleted'] as const
const LIFECYCLE_EVENTS = ['created', 'updated', 'deleted', 'restored'] as const

export const RESOURCES = {
  product: { area: 'products', tag: 'Products', missing: 'product_not_found', events: LIFECYCLE_EVENTS },
  workspace: {
    area: 'products',
    tag: 'Settings',
    missing: 'workspace_not_found',
    events: ['erase_scheduled', 'erase_canceled', 'restored'],
  },
  settings: { area: 'products', tag: 'Settings', missing: 'settings_not_found', events: ['updated'] },
  sign_in_settings: { area: 'keys', tag: 'Settings', missing: 'sign_in_settings_not_found', events: ['updated'] },
  portal: { area: 'products', tag: 'Portal', missing: 'portal_not_found', events: ['updated', 'secret_rotated'] },
  team: { area: 'products', tag: 'Teams', missing: 'team_not_found', events: LIFECYCLE_EVENTS },
  user: { area: 'products', tag: 'Users', missing: 'user_not_found', events: LIFECYCLE_EVENTS },
  api_key: { area: 'keys', tag: 'API keys', missing: 'api_key_not_found', events: ['created', 'revoked'] },
  session: { area: 'keys', tag: 'Sessions', missing: 'session_not_found', events: ['created', 'revoked'] },
  export: {
    area: 'products',
    tag: 'Exports',
    missing: 'export_not_found',
    events: ['created', 'completed', 'failed'],
  },
  asset: { area: 'files', tag: 'Files', missing: 'asset_not_found', events: LIFECYCLE_EVENTS },

  epic: { area: 'backlog', tag: 'Epics', missing: 'epic_not_found', events: LIFECYCLE_EVENTS, prefix: 'EP' },
  feature: { area: 'backlog', tag: 'Features', missing: 'feature_not_found', events: LIFECYCLE_EVENTS, prefix: 'FE' },
  userstory: {
    area: 'backlog',
    tag: 'User stories',
    missing: 'user_story_not_found',
    events: LIFECYCLE_EVENTS,
    prefix: 'US',
  },
  // A work item of any type.
  work_item: { area: 'backlog', tag: 'Backlog', missing: 'work_item_not_found', events: [] },
  story_map: {
    area: 'backlog',
    tag: 'Story maps',
    missing: 'story_map_not_found',
    events: [...LIFECYCLE_EVENTS, 'steps_moved', 'card_placed', 'card_removed', 'cards_moved'],
  },
  story_map_activity: { area: 'backlog', tag: 'Story maps', missing: 'activity_not_found', events: PART_EVENTS },
  story_map_step: { area: 'backlog', tag: 'Story maps', missing: 'step_not_found', events: PART_EVENTS },
  story_map_swimlane: { area: 'backlog', tag: 'Story maps', missing: 'swimlane_not_found', events: PART_EVENTS },
  solution_version: {
    area: 'backlog',
    tag: 'Solution versions',
    missing: 'solution_version_not_found',
    events: [...LIFECYCLE_EVENTS, 'released', 'unreleased'],
    prefix: 'SV',
  },
  work_item_link: {
    area: 'backlog',
    tag: 'Backlog',
    missing: 'work_item_link_not_found',
    events: ['created', 'deleted'],
  },
  work_item_comment: { area: 'backlog', tag: 'Backlog', missing: 'comment_not_found', events: LIFECYCLE_EVENTS },
  tag: { area: 'products', tag: 'Tags', missing: 'tag_not_found', events: LIFECYCLE_EVENTS },

  feedback: {
    area: 'feedback',
    tag: 'Feedback',
    missing: 'feedback_item_not_found',
    events: [
      ...LIFECYCLE_EVENTS,
      'voted',
      'status_changed',
      'status_update_created',
      'merged',
      'unmerged',
      'promoted',
      'subscribed',
      'unsubscribed',
    ],
    prefix: 'IDEA',
  },
  vote: { area: 'feedback', tag: 'Feedback', missing: 'feedback_item_not_found', events: PART_EVENTS },
  status_update: { area: 'feedback', tag: 'Feedback', missing: 'feedback_item_not_found', events: [] },
  comment: { area: 'feedback', tag: 'Feedback', missing: 'comment_not_found', events: LIFECYCLE_EVENTS },
  feedback_status: {
    area: 'feedback',
    tag: 'Feedback',
    missing: 'feedback_status_not_found',
    events: LIFECYCLE_EVENTS,
  },
  category: { area: 'feedback', tag: 'Feedback', missing: 'category_not_found', events: LIFECYCLE_EVENTS },
  changelog_entry: {
    area: 'feedback',
    tag: 'Changelog',
    missing: 'changelog_entry_not_found',
    events: [...LIFECYCLE_EVENTS, 'published', 'unpublished'],
    prefix: 'CL',
  },

  segment: {
    area: 'segments',
    tag: 'Segments',
    missing: 'segment_not_found',
    events: [...LIFECYCLE_EVENTS, 'users_added', 'users_removed', 'confirmations_requested', 'users_confirmed'],
  },
  member: {
    area: 'segments',
    tag: 'Members',
    missing: 'member_not_found',
    events: [
      ...LIFECYCLE_EVENTS,
      'invited',
      'joined',
      'unsubscribed',
      'mail_preferences_updated',
      'changelog_followed',
      'changelog_left',
    ],
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
    events: [...LIFECYCLE_EVENTS, 'records_inserted', 'record_deleted', 'records_deleted', 'target_reached'],
    prefix: 'KPI',
  },
  kpi_record: { area: 'kpis', tag: 'KPIs', missing: 'kpi_record_not_found', events: [] },
  persona: {
    area: 'personas',
    tag: 'Personas',
    missing: 'persona_not_found',
    events: [...LIFECYCLE_EVENTS, 'documentation_updated'],
    prefix: 'PE',
  },
  summary: { area: 'personas', tag: 'Personas', missing: 'summary_not_found', events: LIFECYCLE_EVENTS },
  opportunity: {
    area: 'personas',
    tag: 'Personas',
    missing: 'opportunity_not_found',
    events: LIFECYCLE_EVENTS,
    prefix: 'OP',
  },
  experiment: {
    area: 'backlog',
    tag: 'Experiments',
    missing: 'experiment_not_found',
    events: [...LIFECYCLE_EVENTS, 'started', 'stopped'],
    prefix: 'EX',
  },
  // Links between records of all kinds.
  trace: { area: 'personas', tag: 'Trace', missing: 'record_not_found', events: [] },
  board_segment: {
    area: 'personas',
    tag: 'Persona board',
    missing: 'board_segment_not_found',
    events: LIFECYCLE_EVENTS,
  },
  custom_field: {
    area: 'personas',
    tag: 'Persona board',
    missing: 'custom_field_not_found',
    events: [...LIFECYCLE_EVENTS, 'purged'],
  },
  template: { area: 'personas', tag: 'Documents', missing: 'template_not_found', events: LIFECYCLE_EVENTS },
  document: {
    area: 'personas',
    tag: 'Documents',
    missing: 'document_not_found',
    events: LIFECYCLE_EVENTS,
    prefix: 'DOC',
  },
  custom_field_option: { area: 'personas', tag: 'Persona board', missing: 'option_not_found', events: [] },

  webhook: {
    area: 'webhooks',
    tag: 'Webhooks',
    missing: 'webhook_not_found',
    events: [...LIFECYCLE_EVENTS, 'disabled', 'tested', 'replayed', 'secret_rotated'],
  },
  incoming_webhook: {
    area: 'webhooks',
    tag: 'Incoming webhooks',
    missing: 'incoming_webhook_not_found',
    events: [...LIFECYCLE_EVENTS, 'replayed', 'secret_rotated'],
  },
  incoming_receipt: { area: 'webhooks', tag: 'Incoming webhooks', missing: 'incoming_receipt_not_found', events: [] },
  webhook_delivery: { area: 'webhooks', tag: 'Webhooks', missing: 'webhook_delivery_not_found', events: [] },
} as const satisfies Record<string, ResourceDeclaration>

export type ResourceName = keyof typeof RESOURCES

export const filterResources = (matchesArea: (area: Area) => boolean): ResourceName[] =>
  Object.entries<ResourceDeclaration>(RESOURCES).flatMap(([name, { area }]) =>
    matchesArea(area) ? [name as ResourceName] : [],
  )

type ResourceEntry<R extends ResourceName> = (typeof RESOURCES)[R]

export type EventType = { [R in ResourceName]: `${R}.${ResourceEntry<R>['events'][number]}` }[ResourceName]

export type ResourceEvent<R extends ResourceName> = ResourceEntry<R>['events'][number]

export type KeyPrefix = { [R in ResourceName]: ResourceEntry<R> extends { prefix: infer P } ? P : never }[ResourceName]

export type NotFoundCode = ResourceEntry<ResourceName>['missing']

export const EVENT_TYPES = Object.entries<ResourceDeclaration>(RESOURCES).flatMap(([name, { events }]) =>
  events.map((event) => `${name}.${event}` as EventType),
) as [EventType, ...EventType[]]

/** `epic.created`, `epic.*` and `*`. */
export const EVENT_PATTERNS: readonly string[] = [
  ...EVENT_TYPES,
  ...new Set(EVENT_TYPES.map((type) => `${type.slice(0, type.indexOf('.'))}.*`)),
  '*',
]

/** Headings in the reading order of the API reference. */
export const API_TAGS = {
  Products: 'Products, called initiatives in paths.',
  Epics: 'Epics: the large pieces of a backlog.',
  Features: 'Features: parts of an epic, or independent.',
  'User stories': 'User stories: the cards of a backlog.',
  Backlog: 'The whole backlog, and operations on all types of items.',
  'Story maps': 'Maps of user stories: steps below activities, crossed by swimlanes.',
  'Solution versions': 'Versions of a product: items, progress and release.',
  Tags: 'Tags of a product, for work items and ideas.',
  KPIs: 'Key performance indicators and their records.',
  Feedback: 'Ideas and issues, with votes and comments.',
  Changelog: 'Entries that tell users what is new.',
  Search: 'Search for records by words.',
  Segments: 'Segments of members, and mail to them.',
  Members: 'Members of the workspace, for the idea manager.',
  Imports: 'Import runs: results of the rows of a file.',
  Exports: 'Exports of the whole workspace as a ZIP file.',
  Mail: 'Mailings and their delivery.',
  Personas: 'Personas, their summaries, notes and opportunities.',
  Experiments: 'Experiments: hypothesis, method and result.',
  Trace: 'Links between records of all kinds.',
  'Persona board': 'Segments and custom fields of personas.',
  Documents: 'Documents of products, and templates for documents.',
  Files: 'Uploaded files.',
  Teams: 'Teams, with their users and products.',
  Users: 'Users of the workspace, and the user of the key.',
  Settings: 'Settings of the whole workspace, and its erasure.',
  Portal: 'The public portal: ideas, roadmap and changelog for your users.',
  'API keys': 'Keys: create, list, revoke, rotate.',
  Sessions: 'Sessions of people who signed in.',
  Events: 'The append-only log of every write.',
  Webhooks: 'Your endpoints for signed deliveries of the log.',
  'Incoming webhooks': 'Addresses for hooks of other systems, and the actions on received hooks.',
  Service: 'The service itself.',
} as const

export type ApiTag = keyof typeof API_TAGS
