const WORK_TYPES = ['epic', 'feature', 'userstory']
const IN_PRODUCT: Readonly<Record<string, string>> = {
  document: '/documents?document',
  kpi: '/kpis?kpi',
  solution_version: '/versions?version',
}
const SCREENS: Readonly<Record<string, string>> = {
  api_key: '/settings/keys',
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
  if (type === 'feedback') return `/ideas?idea=${key}`
  if (type === 'changelog_entry') return `/changelog?entry=${key}`
  if (type === 'persona') return `/personas?persona=${key}`
  if (type === 'incoming_webhook') return `/webhooks/incoming?hook=${key}`
  if (type === 'webhook') return `/webhooks?webhook=${key}`
  if (type === 'import') return `/imports/${key}`
  if (WORK_TYPES.includes(type) && within) return `/backlog/${key}?${within}`
  if (IN_PRODUCT[type] && within) return `${IN_PRODUCT[type]}=${key}&${within}`
  return SCREENS[type]
}
