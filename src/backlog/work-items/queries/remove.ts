import { type SQL, sql } from 'drizzle-orm'
import { changes } from '../../../db/change'
import type { Database } from '../../../db/client'
import { tells } from '../../../db/events'
import { lifecycle } from '../../../db/lifecycle'
import { workItems } from '../../../db/schema/work-items'
import { caller, type Statement, statement, type Values } from '../../../db/statement'
import { keep } from './kept'
import { type AnyWorkItem, epic, feature, literal, story } from './record'

const visible = sql`${workItems.subscriptionId} = ${caller.subscription} AND ${workItems.deletedAt} IS NULL`

/** Takes the items in `where`, of any type, out of lists and lookups; each tells its own event. */
function taking(where: SQL): (key: Values) => Statement<never>[] {
  const told = ([feature, story] as const).map((item) =>
    tells(
      `${item.resource}.deleted`,
      item.told,
      sql`${item.from} WHERE ${where} AND ${workItems.type} = ${literal(item.resource)}`,
      { many: true },
    ),
  )
  const take = statement<never, Values>(
    sql`UPDATE ${workItems} SET deleted_at = ${caller.now}, version = version + 1 WHERE ${where}`,
  )
  return (key) => [...told, take].map((make) => make(key))
}

/** What becomes of what hangs below an item that is removed. */
const BELOW = {
  epic: () => {
    const all = sql`${visible} AND ${workItems.epicId} = ${epic.id}`
    const of = ({ resource }: AnyWorkItem) => sql`${all} AND ${workItems.type} = ${literal(resource)}`
    return {
      all,
      // Stories below a feature follow that.
      kept: keep('work_item_epic', epic.id, sql`${all} AND ${workItems.featureId} IS NULL`),
      detach: [changes(feature, of(feature), { epicId: sql`NULL` }), changes(story, of(story), { epicId: sql`NULL` })],
    }
  },
  feature: () => {
    const all = sql`${visible} AND ${workItems.featureId} = ${feature.id}`
    return {
      all,
      kept: keep('work_item_feature', feature.id, all),
      detach: [changes(story, all, { featureId: sql`NULL` })],
    }
  },
}

/** Makes the removal of an item with what hangs below it, or without. */
function removing(item: typeof epic | typeof feature) {
  const { removal } = lifecycle(item as typeof epic)
  const { all, kept, detach } = BELOW[item.resource]()
  const took = keep('work_item_taken', item.id, all)
  const take = taking(all)
  return (db: Database, key: Values, { cascade, ifMatch }: { cascade: boolean; ifMatch: string | null }) => {
    const { statements, ...rest } = removal(key as Parameters<typeof removal>[0], ifMatch)
    const [told, remove] = statements as [Statement<never>, Statement<never>]
    const below = cascade ? [took(key), ...take(key)] : [kept(key), ...detach.flatMap((make) => make(key))]
    return db.write({ ...rest, statements: [told, ...below, remove] })
  }
}

export const removeEpic = removing(epic)
export const removeFeature = removing(feature)

const lifeOfStory = lifecycle(story)

export const removeUserStory = (db: Database, key: Parameters<typeof story.reply>[0], ifMatch: string | null) =>
  db.write(lifeOfStory.removal(key, ifMatch))
