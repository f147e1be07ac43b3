import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as z from 'zod'
import { productId } from '../../db/access'
import { changes, type Elsewhere, inserts, modifies } from '../../db/change'
import type { Database } from '../../db/client'
import { equals } from '../../db/filter'
import { lifecycle } from '../../db/lifecycle'
import { list } from '../../db/list'
import { currentKey, takeNumber } from '../../db/numbering'
import { naming, namingEach } from '../../db/references'
import { type Guard, guard } from '../../db/refuse'
import { experimentPersonas, experiments, experimentWorkItems } from '../../db/schema/experiments'
import { personas } from '../../db/schema/personas'
import { workItems } from '../../db/schema/work-items'
import { caller, param, type Statement, statement, type Values } from '../../db/statement'
import { type ExperimentKey, experiment, experimentOfPersona, presentItems, presentPersonas } from './fields'
import { CreateExperiment, ListExperiments, ListPersonaExperiments, ModifyExperiment, StopExperiment } from './schema'

interface Links {
  personas?: readonly string[] | undefined
  workItems?: readonly string[] | undefined
}

const references = ({ kpi, opportunity, personas, workItems }: z.output<typeof ModifyExperiment>) => [
  ...naming('kpi', '/kpi', kpi),
  ...naming('opportunityKey', '/opportunity', opportunity),
  ...namingEach('personaKey', '/personas', personas),
  ...namingEach('workItemKey', '/workItems', workItems),
]

const linkValues = ({ personas, workItems }: Links): Values => ({
  '=personas': JSON.stringify(personas ?? []),
  '=workItems': JSON.stringify(workItems ?? []),
})

interface Linked {
  name: keyof Links
  links: SQLiteTable
  column: 'persona_id' | 'work_item_id'
  target: SQLiteTable
  present: SQL
  /** What a link has besides. */
  also?: { column: SQL; value: SQL }
}

const LINKED: Linked[] = [
  {
    ...{
      name: 'personas',
      links: experimentPersonas,
      column: 'persona_id',
      target: personas,
      present: presentPersonas,
    },
    also: { column: sql`, created_at`, value: sql`, e.created_at` },
  },
  { name: 'workItems', links: experimentWorkItems, column: 'work_item_id', target: workItems, present: presentItems },
]

/** Makes the statements that link just what is named to the experiment in `where`. What is removed stays linked. */
function linking(where: SQL): (links: Links, key: Values) => Statement<never>[] {
  const made = LINKED.map(({ name, links, column, target, also = { column: sql``, value: sql`` } }) => {
    const there = sql`t.subscription_id = ${caller.subscription} AND t.deleted_at IS NULL`
    const named = sql`(SELECT value FROM json_each(${param(`=${name}`)}))`
    const id = sql.raw(column)
    const statements = [
      sql`DELETE FROM ${links} WHERE subscription_id = ${caller.subscription}
        AND experiment_id = (SELECT ${experiments.id} FROM ${experiments} WHERE ${where})
        AND EXISTS (SELECT 1 FROM ${target} t WHERE ${there} AND t.id = ${id} AND t.external_key NOT IN ${named})`,
      sql`INSERT OR IGNORE INTO ${links} (subscription_id, experiment_id, ${id}${also.column})
        SELECT ${caller.subscription}, e.id, t.id${also.value}
        FROM (SELECT ${experiments.id}, ${experiments.createdAt} FROM ${experiments} WHERE ${where}) e
          CROSS JOIN ${target} t ON ${there} AND t.external_key IN ${named}`,
    ].map((source) => statement<never, Values>(source))
    return { name, statements }
  })
  return (links, key) =>
    made.flatMap(({ name, statements }) =>
      links[name] ? statements.map((make) => make({ ...key, ...linkValues(links) })) : [],
    )
}

const changeOf = ({ name, target, present }: Linked): Elsewhere => {
  const given = sql`(SELECT json_group_array(t.external_key ORDER BY t.id) FROM ${target} t
    WHERE t.subscription_id = ${caller.subscription} AND t.external_key IN (SELECT value FROM json_each(${param(`=${name}`)})))`
  return { name, json: present, differs: sql`${present} IS NOT ${given}`, becomes: given }
}
const CHANGES = LINKED.map((linked) => ({ name: linked.name, change: changeOf(linked) }))

const LINKS = ['personas', 'workItems'] as const

const inserted = inserts(experiment, CreateExperiment, {
  values: { productId, externalKey: currentKey('EX') },
  except: LINKS,
})
const created = experiment.event('created')
const linkNew = linking(experiment.newest)

export const createExperiment = (db: Database, { personas, workItems, ...body }: z.output<typeof CreateExperiment>) =>
  experiment.save(db, {
    references: references({ personas, workItems, ...body }),
    statements: [takeNumber('EX'), inserted(body), ...linkNew({ personas, workItems }, {}), created({})],
    answer: experiment.created(),
  })

export const getExperiment = experiment.get

export const listExperiments = list(experiment, ListExperiments, {
  sorts: { createdAt: experiments.createdAt },
  filters: { status: equals(experiments.status) },
}).page

export const listPersonaExperiments = list(experimentOfPersona, ListPersonaExperiments, {
  sorts: { createdAt: experimentPersonas.createdAt },
}).page

const when = (condition: SQL) =>
  sql`EXISTS (SELECT 1 FROM ${experiments} WHERE ${experiment.addressed} AND ${condition})`

const resultBeforeEnd = guard<Values>(
  sql`'conflict:Only a stopped experiment has a result. Stop it with one.'`,
  when(sql`${experiments.status} <> 'stopped'`),
)
const hypothesisNeeded = guard<Values>(
  sql`'conflict:A running experiment keeps a hypothesis. Change it instead.'`,
  when(sql`${experiments.status} = 'running'`),
)

const modified = modifies(experiment, ModifyExperiment, { except: LINKS })
const link = linking(experiment.addressed)

export function modifyExperiment(
  db: Database,
  key: ExperimentKey,
  { personas, workItems, ...body }: z.output<typeof ModifyExperiment>,
  ifMatch: string | null,
) {
  const links = { personas, workItems }
  const changed = CHANGES.flatMap(({ name, change }) => (links[name] ? [change] : []))
  const rules: Guard[] = [
    ...(body.result === undefined ? [] : [resultBeforeEnd(key)]),
    ...(body.hypothesis === undefined || body.hypothesis?.trim() ? [] : [hypothesisNeeded(key)]),
  ]
  return experiment.save(db, {
    guards: [...experiment.writable(key, ifMatch), ...rules],
    references: references({ ...links, ...body }),
    statements: [...modified({ ...key, ...linkValues(links) }, body, changed), ...link(links, key)],
    answer: experiment.reply(key),
  })
}

const { removal, restoration } = lifecycle(experiment)

export const removeExperiment = (db: Database, key: ExperimentKey, ifMatch: string | null) =>
  db.write(removal(key, ifMatch))

export const restoreExperiment = (db: Database, key: ExperimentKey) => experiment.save(db, restoration(key))

const begun = guard<Values>(
  sql`'conflict:Only a draft can be started: this experiment was started already.'`,
  when(sql`${experiments.status} <> 'draft'`),
)
const withoutHypothesis = guard<Values>(
  sql`'conflict:An experiment needs a hypothesis before it starts. Give it one with a PUT.'`,
  when(sql`trim(coalesce(${experiments.hypothesis}, '')) = ''`),
)
const start = changes(
  experiment,
  experiment.addressed,
  { status: sql`'running'`, startedAt: sql`${caller.now}` },
  { happening: 'started' },
)

export const startExperiment = (db: Database, key: ExperimentKey) =>
  experiment.save(db, {
    guards: [...experiment.writable(key), begun(key), withoutHypothesis(key)],
    statements: start(key),
    answer: experiment.reply(key),
  })

const notRunning = guard<Values>(
  sql`'conflict:Only a running experiment can be stopped: start it first, or modify what it came to.'`,
  when(sql`${experiments.status} <> 'running'`),
)
const stop = modifies(experiment, StopExperiment.extend({ status: z.literal('stopped'), stoppedAt: z.int() }), {
  happening: 'stopped',
})

export const stopExperiment = (db: Database, key: ExperimentKey, body: z.output<typeof StopExperiment>, now: number) =>
  experiment.save(db, {
    guards: [...experiment.writable(key), notRunning(key)],
    statements: stop(key, { ...body, status: 'stopped', stoppedAt: now }),
    answer: experiment.reply(key),
  })
