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
  work_item_comment: [...COMMENT, 'workItemKey'],
  work_item_link: ['from', 'to'],
  tag: ['usageCount'],
  feedback: ['vote', 'votes', 'comment', 'comments', 'status_updates'],
  segment: ['userCount', 'countedAt', 'updatedAt'],
  member: ['segmentIds', 'invitation', 'updatedAt'],
  kpi: ['kpi_revisions'],
  webhook: ['updatedAt'],
  incoming_webhook: ['updatedAt'],
  api_key: ['lastUsedAt'],
}

type Records = ReadonlyMap<string, MirrorChange>

/** Sentences about the differences between the records of a mirror and of the lists. */
export function findDifferences(mirrored: Records, listed: Records): string[] {
  const ids = new Set([...mirrored.keys(), ...listed.keys()])
  return [...ids].flatMap((id) => {
    const [copy, record] = [mirrored.get(id), listed.get(id)]
    if (!copy) return [`The mirror lacks ${id}: ${JSON.stringify(record?.data).slice(0, 200)}`]
    if (!record) return [`The lists lack ${id} (event ${copy.eventId}): ${JSON.stringify(copy.data).slice(0, 200)}`]
    if (copy.resource !== record.resource) return [`${id} is a ${record.resource}, not a ${copy.resource}`]
    return Object.keys(record.data).flatMap((name) => {
      if (COMPUTED[record.resource]?.includes(name) || !(name in copy.data)) return []
      const [is, should] = [copy.data[name], record.data[name]].map((value) => JSON.stringify(value))
      return is === should ? [] : [`${name} of ${record.resource} ${id} (event ${copy.eventId}): ${is}, not ${should}`]
    })
  })
}
