import type { MirrorChange } from '../../clients/typescript/src/mirror.ts'

const NEIGHBORS = ['beforeId', 'afterId']
const COMMENT = ['user', 'deleted']

/** Fields that change without an event of their record (docs/api-conventions.md#events). */
const COMPUTED: Record<string, readonly string[]> = {
  epic: ['progressPercentage', 'firstChild', 'persona', 'score'],
  feature: ['progressPercentage', 'firstChild', 'persona', 'epicId'],
  userstory: ['progressPercentage', 'firstChild', 'persona'],
  story_map_activity: NEIGHBORS,
  story_map_step: NEIGHBORS,
  story_map_swimlane: [...NEIGHBORS, 'versionKey'],
  comment: COMMENT,
  work_item_comment: [...COMMENT, 'workItemKey'],
  work_item_link: ['from', 'to'],
  tag: ['usageCount'],
  feedback: [
    ...['vote', 'votes', 'haveIVoted', 'comment', 'comments', 'status_updates'],
    ...['user', 'currentStatus', 'cover_photo_url', 'work_item_internal_id', 'work_item_external_id', 'work_item_type'],
  ],
  segment: ['userCount', 'countedAt', 'updatedAt'],
  member: ['segmentIds', 'invitation', 'updatedAt'],
  kpi: ['kpi_revisions'],
  // Shown while the template is there.
  document: ['template'],
  // A delivery changes its webhook; `webhook.disabled` stands beside an `updated` event.
  webhook: ['updatedAt', 'failures', 'lastError'],
  incoming_webhook: ['updatedAt'],
  api_key: ['lastUsedAt'],
  // Events hold no addresses, and an address without a member cannot be filled in.
  suppression: ['email'],
}

/** Records that a record shows with their own fields: the record stores the id. */
const SHOWN_RECORDS = ['category']

const toReference = (name: string, value: unknown): unknown =>
  SHOWN_RECORDS.includes(name) ? ((value as { id?: number } | null)?.id ?? null) : value

type Records = ReadonlyMap<string, MirrorChange>

/** Sentences about the differences between the records of a mirror and of the lists. */
export function findDifferences(mirrored: Records, listed: Records): string[] {
  const ids = new Set([...mirrored.keys(), ...listed.keys()])
  return [...ids].flatMap((id) => {
    const [copy, record] = [mirrored.get(id), listed.get(id)]
    // A removed comment with replies stays in the lists without its text.
    if (!copy && record?.data.deleted) return []
    if (!copy) return [`The mirror lacks ${id}: ${JSON.stringify(record?.data).slice(0, 200)}`]
    // No event of an opportunity names its persona, so the mirror cannot hide it with a removed persona.
    if (!record && copy.resource === 'opportunity') return []
    if (!record) return [`The lists lack ${id} (event ${copy.eventId}): ${JSON.stringify(copy.data).slice(0, 200)}`]
    if (copy.resource !== record.resource) return [`${id} is a ${record.resource}, not a ${copy.resource}`]
    return Object.keys(record.data).flatMap((name) => {
      if (COMPUTED[record.resource]?.includes(name) || !(name in copy.data)) return []
      if (name === 'text' && record.data.isPrivate) return []
      const [is, should] = [copy.data[name], record.data[name]].map((value) => JSON.stringify(toReference(name, value)))
      return is === should ? [] : [`${name} of ${record.resource} ${id} (event ${copy.eventId}): ${is}, not ${should}`]
    })
  })
}
