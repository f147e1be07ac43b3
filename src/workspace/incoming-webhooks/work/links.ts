import type { AttributeValue } from '../../../text/attributes'
import type { PayloadPlan, PlanLookups } from '../plan'
import type { findLinkedRecords } from './queries'

type RequestPlan = Extract<PayloadPlan, { does: 'request' }>
type LinkedRecords = Awaited<ReturnType<typeof findLinkedRecords>>
type ItemBody = Readonly<Record<string, unknown>>

const LINK_FIELDS = ['epicId', 'featureId', 'userId']

/** The plan with the parent and the assignees of the item, and the reasons for links that are left out. */
export function addLinks(plan: RequestPlan, lookups: PlanLookups, found: LinkedRecords) {
  const body = plan.body as ItemBody
  const add = (other: ItemBody): ItemBody => ({ ...other, ...assign(found), ...placeBelow(other, found) })
  return {
    problems: listProblems(body, lookups, found),
    plan: {
      ...plan,
      body: add(body),
      optional: [...plan.optional, ...LINK_FIELDS],
      ...(plan.bodyOfStory && { bodyOfStory: add(plan.bodyOfStory) }),
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
function assign({ own, userIds }: LinkedRecords): ItemBody {
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
