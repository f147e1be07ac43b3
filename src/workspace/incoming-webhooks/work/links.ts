import type { AttributeValue } from '../../../text/attributes'
import type { PlanLookups, PlannedRequest } from '../plan'
import type { ClaimedRecord } from './queries/records'

type LinkedRecords = Pick<ClaimedRecord, 'own' | 'parent' | 'userIds'>
type ItemBody = Readonly<Record<string, unknown>>

const LINK_FIELDS = ['epicId', 'featureId', 'userId']

/** The request with the parent and the assignees of the item, and the reasons for links that are left out. */
export function addLinks(
  request: PlannedRequest,
  found: LinkedRecords,
): { request: PlannedRequest; problems: string[] } {
  const { lookups, bodyOfStory, optional } = request
  if (!lookups) return { request, problems: [] }
  const body = request.body as ItemBody
  const add = (other: ItemBody): ItemBody => ({ ...other, ...assign(found, lookups), ...placeBelow(other, found) })
  return {
    problems: listProblems(body, lookups, found),
    request: {
      ...{ ...request, body: add(body), optional: [...optional, ...LINK_FIELDS] },
      ...(bodyOfStory && { bodyOfStory: add(bodyOfStory) }),
    },
  }
}

function listProblems({ type }: ItemBody, { parent: id, assignees }: PlanLookups, { parent, userIds }: LinkedRecords) {
  const isBelow = type === 'userstory' || (type === 'feature' && parent?.type === 'epic')
  const unknown = assignees.length - userIds.length
  return [
    ...(id !== undefined && !parent ? [`parent: The product has no item with the id ${id}.`] : []),
    ...(parent && !isBelow ? [`parent: The item cannot be below ${parent.externalKey}.`] : []),
    ...(unknown > 0 ? [`assignees: ${unknown} without a user of the same address.`] : []),
  ]
}

/** Further assignees, whom people chose here, stay while the item has all assignees of the sender. */
function assign({ own, userIds }: LinkedRecords, { assignees }: PlanLookups): ItemBody {
  if (assignees.length === 0) return {}
  const present = JSON.parse(own?.userIds ?? '[]') as number[]
  return userIds.every((id) => present.includes(id)) ? {} : { userId: userIds }
}

/** A story below a story gets the parent of that story, and names the story in an attribute, as an import does. */
function placeBelow({ type, attributes }: ItemBody, { own, parent }: LinkedRecords): ItemBody {
  if (!parent || type === 'epic' || own?.id === parent.id) return {}
  if (type === 'feature') return parent.type === 'epic' && own?.epicId !== parent.id ? { epicId: parent.id } : {}
  const { id, type: above, name: parentStory, epicId, featureId } = parent
  if (above !== 'userstory') return attach(own, above === 'epic' ? id : null, above === 'feature' ? id : null)
  const named = { ...(attributes as Record<string, AttributeValue> | undefined), parentStory }
  return { ...attach(own, epicId, featureId), attributes: named }
}

/** An item that is already below the epic keeps its feature. */
function attach(own: LinkedRecords['own'], epicId: number | null, featureId: number | null): ItemBody {
  if (featureId !== null) return own?.featureId === featureId ? {} : { featureId }
  return epicId === null || own?.epicId === epicId ? {} : { epicId }
}
