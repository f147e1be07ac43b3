import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { productId } from '../../db/access'
import { changes, inserts, modifies } from '../../db/change'
import type { Database } from '../../db/client'
import { equals } from '../../db/filter'
import { lifecycle } from '../../db/lifecycle'
import { linksByKey } from '../../db/links'
import { list } from '../../db/list'
import { currentKey, takeNumber } from '../../db/numbering'
import { naming, namingEach } from '../../db/references'
import type { Guard } from '../../db/refuse'
import { experimentPersonas, experiments } from '../../db/schema/experiments'
import { caller, type Statement, type Values } from '../../db/statement'
import { type ExperimentKey, experiment, experimentOfPersona, LINKS } from './fields'
import { CreateExperiment, ListExperiments, ListPersonaExperiments, ModifyExperiment, StopExperiment } from './schema'

const references = ({ kpi, opportunity, personas, workItems }: z.output<typeof ModifyExperiment>) => [
  ...naming('kpi', '/kpi', kpi),
  ...naming('opportunityKey', '/opportunity', opportunity),
  ...namingEach('personaKey', '/personas', personas),
  ...namingEach('workItemKey', '/workItems', workItems),
]

const people = linksByKey('personas', LINKS.personas)
const items = linksByKey('workItems', LINKS.workItems)

type Links = Pick<z.output<typeof ModifyExperiment>, 'personas' | 'workItems'>

/** Statements that replace the links of the experiment in `where`. */
function linking(where: SQL): (links: Links, key: Values) => Statement<never>[] {
  const [linkPeople, linkItems] = [people.linking(where), items.linking(where)]
  return ({ personas, workItems }, key) => [...linkPeople(personas, key), ...linkItems(workItems, key)]
}

const except = ['personas', 'workItems'] as const

const inserted = inserts(experiment, CreateExperiment, {
  values: { productId, externalKey: currentKey('EX') },
  except,
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

const resultBeforeEnd = experiment.refusing(
  sql`'conflict:Only a stopped experiment has a result. Stop it with one.'`,
  sql`${experiments.status} <> 'stopped'`,
)
const hypothesisNeeded = experiment.refusing(
  sql`'conflict:A running experiment keeps a hypothesis. Change it instead.'`,
  sql`${experiments.status} = 'running'`,
)

const modified = modifies(experiment, ModifyExperiment, { except })
const link = linking(experiment.addressed)

export function modifyExperiment(
  db: Database,
  key: ExperimentKey,
  { personas, workItems, ...body }: z.output<typeof ModifyExperiment>,
  ifMatch: string | null,
) {
  const links = { personas, workItems }
  const changed = [...(personas ? [people.change] : []), ...(workItems ? [items.change] : [])]
  const given = { ...key, ...people.bind(personas ?? []), ...items.bind(workItems ?? []) }
  const rules: Guard[] = [
    ...(body.result === undefined ? [] : [resultBeforeEnd(key)]),
    ...(body.hypothesis === undefined || body.hypothesis?.trim() ? [] : [hypothesisNeeded(key)]),
  ]
  return experiment.save(db, {
    guards: [...experiment.writable(key, ifMatch), ...rules],
    references: references({ ...links, ...body }),
    statements: [...modified(given, body, changed), ...link(links, key)],
    answer: experiment.reply(key),
  })
}

const { removal, restoration } = lifecycle(experiment)

export const removeExperiment = (db: Database, key: ExperimentKey, ifMatch: string | null) =>
  db.write(removal(key, ifMatch))

export const restoreExperiment = (db: Database, key: ExperimentKey) => experiment.save(db, restoration(key))

const begun = experiment.refusing(
  sql`'conflict:Only a draft can be started: this experiment was started already.'`,
  sql`${experiments.status} <> 'draft'`,
)
const withoutHypothesis = experiment.refusing(
  sql`'conflict:An experiment needs a hypothesis before it starts. Give it one with a PUT.'`,
  sql`trim(coalesce(${experiments.hypothesis}, '')) = ''`,
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

const notRunning = experiment.refusing(
  sql`'conflict:Only a running experiment can be stopped: start it first, or modify what it came to.'`,
  sql`${experiments.status} <> 'running'`,
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
