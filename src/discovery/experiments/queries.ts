import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '../../db/client/client'
import { referencesTo, referenceTo } from '../../db/client/references'
import type { Guard } from '../../db/client/refuse'
import { insertStatement, updateStatement, updateWhere } from '../../db/records/change'
import { lifecycle } from '../../db/records/lifecycle'
import { linksByKey } from '../../db/records/links'
import { listReader } from '../../db/records/list'
import { experimentPersonas, experiments } from '../../db/schema/experiments'
import { productId } from '../../db/sql/access'
import { equals } from '../../db/sql/filter'
import { lastTakenKey, takeNumber } from '../../db/sql/numbering'
import { caller, type Statement, type Values } from '../../db/sql/statement'
import { type ExperimentKey, experiment, experimentOfPersona, LINKS } from './fields'
import { CreateExperiment, ListExperiments, ListPersonaExperiments, ModifyExperiment, StopExperiment } from './schema'

const referencesOf = ({ kpi, opportunity, personas, workItems }: z.output<typeof ModifyExperiment>) => [
  ...referenceTo('kpi', '/kpi', kpi),
  ...referenceTo('opportunityKey', '/opportunity', opportunity),
  ...referencesTo('personaKey', '/personas', personas),
  ...referencesTo('workItemKey', '/workItems', workItems),
]

const personaLinks = linksByKey('personas', LINKS.personas)
const workItemLinks = linksByKey('workItems', LINKS.workItems)

type Links = Pick<z.output<typeof ModifyExperiment>, 'personas' | 'workItems'>

function replaceLinks(where: SQL): (links: Links, key: Values) => Statement<never>[] {
  const [linkPeople, linkItems] = [personaLinks.linkStatements(where), workItemLinks.linkStatements(where)]
  return ({ personas, workItems }, key) => [...linkPeople(personas, key), ...linkItems(workItems, key)]
}

const LINK_FIELDS = ['personas', 'workItems'] as const

const insertExperiment = insertStatement(experiment, CreateExperiment, {
  values: { productId, externalKey: lastTakenKey('EX') },
  except: LINK_FIELDS,
})
const emitCreated = experiment.emit('created')
const linkNew = replaceLinks(experiment.justInserted)

export const createExperiment = (db: Database, { personas, workItems, ...body }: z.output<typeof CreateExperiment>) =>
  experiment.save(db, {
    references: referencesOf({ personas, workItems, ...body }),
    statements: [takeNumber('EX'), insertExperiment(body), ...linkNew({ personas, workItems }, {}), emitCreated({})],
    returning: experiment.inserted(),
  })

export const getExperiment = experiment.get

export const listExperiments = listReader(experiment, ListExperiments, {
  sorts: { createdAt: experiments.createdAt },
  filters: { status: equals(experiments.status) },
}).page

export const listPersonaExperiments = listReader(experimentOfPersona, ListPersonaExperiments, {
  sorts: { createdAt: experimentPersonas.createdAt },
}).page

const notStopped = experiment.refuseIf(
  'conflict:Only a stopped experiment has a result. Stop the experiment and send the result.',
  sql`${experiments.status} <> 'stopped'`,
)
const runningWithoutHypothesis = experiment.refuseIf(
  'conflict:A running experiment needs a hypothesis. Change the hypothesis instead of clearing it.',
  sql`${experiments.status} = 'running'`,
)

const updateExperiment = updateStatement(experiment, ModifyExperiment, { except: LINK_FIELDS })
const linkExisting = replaceLinks(experiment.byKey)

export function modifyExperiment(
  db: Database,
  key: ExperimentKey,
  { personas, workItems, ...body }: z.output<typeof ModifyExperiment>,
  ifMatch: string | null,
) {
  const links = { personas, workItems }
  const changedLinks = [...(personas ? [personaLinks.change] : []), ...(workItems ? [workItemLinks.change] : [])]
  const values = { ...key, ...personaLinks.bind(personas ?? []), ...workItemLinks.bind(workItems ?? []) }
  const rules: Guard[] = [
    ...(body.result === undefined ? [] : [notStopped(key)]),
    ...(body.hypothesis === undefined || body.hypothesis?.trim() ? [] : [runningWithoutHypothesis(key)]),
  ]
  return experiment.save(db, {
    guards: [...experiment.writeGuards(key, ifMatch), ...rules],
    references: referencesOf({ ...links, ...body }),
    statements: [...updateExperiment(values, body, changedLinks), ...linkExisting(links, key)],
    returning: experiment.returningByKey(key),
  })
}

const { removal, restoration } = lifecycle(experiment)

export const removeExperiment = (db: Database, key: ExperimentKey, ifMatch: string | null) =>
  db.write(removal(key, ifMatch))

export const restoreExperiment = (db: Database, key: ExperimentKey) => experiment.save(db, restoration(key))

const alreadyStarted = experiment.refuseIf(
  'conflict:Only a draft can be started. This experiment has already been started.',
  sql`${experiments.status} <> 'draft'`,
)
const hypothesisMissing = experiment.refuseIf(
  'conflict:An experiment needs a hypothesis before it starts. Add a hypothesis with a PUT.',
  sql`trim(coalesce(${experiments.hypothesis}, '')) = ''`,
)
const start = updateWhere(
  experiment,
  experiment.byKey,
  { status: sql`'running'`, startedAt: sql`${caller.now}` },
  { happening: 'started' },
)

export const startExperiment = (db: Database, key: ExperimentKey) =>
  experiment.save(db, {
    guards: [...experiment.writeGuards(key), alreadyStarted(key), hypothesisMissing(key)],
    statements: start(key),
    returning: experiment.returningByKey(key),
  })

const notRunning = experiment.refuseIf(
  'conflict:Only a running experiment can be stopped. Start a draft first, or modify the result of a stopped experiment.',
  sql`${experiments.status} <> 'running'`,
)
const stop = updateStatement(experiment, StopExperiment.extend({ status: z.literal('stopped'), stoppedAt: z.int() }), {
  happening: 'stopped',
})

export const stopExperiment = (db: Database, key: ExperimentKey, body: z.output<typeof StopExperiment>, now: number) =>
  experiment.save(db, {
    guards: [...experiment.writeGuards(key), notRunning(key)],
    statements: stop(key, { ...body, status: 'stopped', stoppedAt: now }),
    returning: experiment.returningByKey(key),
  })
