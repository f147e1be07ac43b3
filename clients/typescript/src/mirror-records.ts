export type MirroredData = Record<string, unknown>

/** A record of a list or of an event, with the product and key that the event names. */
export interface SourceRecord {
  resource: string
  data: MirroredData
  productId: number | null
  resourceKey: string
}

/** Records that a removed product hides. Ideas, changelog entries, personas and opportunities can be without a product. */
const CONTENT_OF_PRODUCT =
  /^(epic|feature|userstory|tag|solution_version|story_map|kpi|experiment|document|asset|feedback|changelog_entry|persona|opportunity)$/

export function idOfRecord({ resource, data, resourceKey }: SourceRecord): string {
  if (/^(epic|feature|userstory)$/.test(resource)) return `work_item ${data.id}`
  // Users are members with a role in the workspace.
  if (resource === 'user') return `member ${data.id}`
  if (resource === 'vote') return `vote ${data.feedbackKey} ${data.userId}`
  // Comments name their idea, and summaries their persona, by key.
  if (resource === 'feedback' || resource === 'persona') return `${resource} ${resourceKey}`
  return `${resource} ${data.id ?? resourceKey}`
}

export function parentsOfRecord({ resource, data, productId, resourceKey }: SourceRecord): string[] {
  if (CONTENT_OF_PRODUCT.test(resource)) return productId ? [`product ${productId}`] : []
  if (resource.startsWith('story_map_')) return [`story_map ${data.storyMapId}`]
  if (resource === 'work_item_comment') return [`work_item ${data.workItemId}`]
  if (resource === 'work_item_link') return [`work_item ${data.fromId}`, `work_item ${data.toId}`]
  if (resource === 'vote' || resource === 'comment') return [`feedback ${data.feedbackKey}`]
  return resource === 'summary' ? [`persona ${resourceKey}`] : []
}
