import type { AttributeValue } from '../../../text/attributes'
import type { PayloadPlan, PlanLookups } from '../plan'
import type { findLinkedRecords } from './queries'

type RequestPlan = Extract<PayloadPlan, { does: 'request' }>
type LinkedRecords = Awaited<ReturnType<typeof findLinkedRecords>>
type ItemBody = Readonly<Record<string, unknown>>

const LINK_FIELDS = ['epicId', 'featureId', 'userId']

/** The plan with the parent and the assignees of the item, and the reasons for links that are left out. */
export function addLinks(plan: RequestPlan, lookups: PlanLookups, found: LinkedRecords) {
  const problems: string[] = []
  const { parent, assignees } = lookups
  if (parent !== undefined && !found.parent) problems.push(`parent: The product has no item with the id ${parent}.`)
  const unknown = assignees.length - found.userIds.length
  if (unknown > 0) problems.push(`assignees: ${unknown} without a user of the same address.`)
  const users = found.userIds.length ? { userId: found.userIds } : {}
  const add = (body: ItemBody): ItemBody => ({ ...body, ...users, ...placeBelow(body, found) })
  return {
    problems,
    plan: {
      ...plan,
      body: add(plan.body as ItemBody),
      optional: [...plan.optional, ...LINK_FIELDS],
      ...(plan.bodyOfStory && { bodyOfStory: add(plan.bodyOfStory) }),
    },
  }
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
