import { sql } from 'drizzle-orm'
import { compileSql, type Guard, type Statement, type Template, type Values } from '../sql/statement'
import type { Store } from './client'

const templates = new WeakMap<Guard['template'], Template>()

function findTemplate(asked: Guard['template']): Template {
  const known = templates.get(asked)
  if (known) return known
  const template = compileSql(sql`INSERT INTO refusal SELECT ${asked.reason} WHERE ${asked.when}`, asked.madeAt)
  templates.set(asked, template)
  return template
}

/** Throws the refusal of the first guard that holds, without a write. The workspace may be in another database. */
export async function askGuards(store: Store, subscriptionId: number, guards: readonly Guard[]): Promise<void> {
  const ask = ({ template, values }: Guard): Statement => ({
    template: () => findTemplate(template),
    values: { ...values, '@subscription': subscriptionId } as Values,
  })
  if (guards.length) await store.batch(null, ...guards.map(ask))
}
