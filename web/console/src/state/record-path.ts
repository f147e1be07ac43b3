const WORK_TYPES = ['epic', 'feature', 'userstory']
const IN_PRODUCT: Readonly<Record<string, string>> = {
  document: '/documents?document',
  experiment: '/experiments?experiment',
  kpi: '/kpis?kpi',
  solution_version: '/versions?version',
  story_map: '/story-map?map',
}
const BY_KEY: Readonly<Record<string, string>> = {
  changelog_entry: '/changelog?entry=',
  feedback: '/ideas?idea=',
  import: '/imports/',
  incoming_webhook: '/webhooks/incoming?hook=',
  persona: '/personas?persona=',
  product: '/backlog?product=',
  segment: '/segments/',
  team: '/settings/teams/',
  template: '/documents/templates?template=',
  webhook: '/webhooks?webhook=',
}
const SCREENS: Readonly<Record<string, string>> = {
  api_key: '/settings/keys',
  board_segment: '/personas?view=board',
  member: '/people',
  user: '/settings/people',
  session: '/settings/sessions',
}

export interface RecordName {
  type: string
  externalKey: string
  /** External key of the product. */
  product?: string | null | undefined
}

/** The page of a record below the base, or undefined for a record without a page. */
export function pathOfRecord({ type, externalKey, product }: RecordName): string | undefined {
  const key = encodeURIComponent(externalKey)
  const within = product ? new URLSearchParams({ product }) : undefined
  if (BY_KEY[type]) return BY_KEY[type] + key
  if (WORK_TYPES.includes(type) && within) return `/backlog/${key}?${within}`
  if (IN_PRODUCT[type] && within) return `${IN_PRODUCT[type]}=${key}&${within}`
  return SCREENS[type]
}
