import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '../../db/client/client'
import type { Guard } from '../../db/client/refuse'
import { insertStatement, updateStatement, updateWhere } from '../../db/records/change'
import { makeExportReader } from '../../db/records/export'
import { makeLifecycle } from '../../db/records/lifecycle'
import { createExternalKeyLinks } from '../../db/records/links'
import { makeListReader } from '../../db/records/list'
import { experimentPersonas, experiments } from '../../db/schema/experiments'
import { productId } from '../../db/sql/access'
import { equalsAny, unindexedWithSort } from '../../db/sql/filter'
import { lastTakenKey, takeNumber } from '../../db/sql/numbering'
import { referencesTo, referenceTo } from '../../db/sql/references'
import { caller, type Statement, type Values } from '../../db/sql/statement'
import { EXPERIMENT_LINKS, type ExperimentKey, experiment, experimentOfPersona } from './fields'
import { CreateExperiment, ListExperiments, ListPersonaExperiments, ModifyExperiment, StopExperiment } from './schema'

const referencesOfExperiment = ({ kpi, opportunity, personas, workItems }: z.output<typeof ModifyExperiment>) => [
  ...referenceTo('kpi', '/kpi', kpi),
  ...referenceTo('opportunityKey', '/opportunity', opportunity),
  ...referencesTo('personaKey', '/personas', personas),
  ...referencesTo('workItemKey', '/workItems', workItems),
]

const linksToPersonas = createExternalKeyLinks('personas', EXPERIMENT_LINKS.personas)
const linksToWorkItems = createExternalKeyLinks('workItems', EXPERIMENT_LINKS.workItems)

type ExperimentLinks = Pick<z.output<typeof ModifyExperiment>, 'personas' | 'workItems'>

function createLinkReplacer(where: SQL): (links: ExperimentLinks, key: Values) => Statement<never>[] {
  const [linkPeople, linkItems] = [linksToPersonas.statementsFor(where), linksToWorkItems.statementsFor(where)]
  return ({ personas, workItems }, key) => [...linkPeople(personas, key), ...linkItems(workItems, key)]
}

const EXPERIMENT_LINK_FIELDS = ['personas', 'workItems'] as const

const insertExperiment = insertStatement(experiment, CreateExperiment, {
  values: { productId, externalKey: lastTakenKey('EX') },
  except: EXPERIMENT_LINK_FIELDS,
})
const emitExperimentCreated = experiment.emit('created')
const replaceLinksOfInserted = createLinkReplacer(experiment.justInserted)

export const createExperiment = (db: Database, { personas, workItems, ...body }: z.output<typeof CreateExperiment>) =>
  experiment.save(db, {
    references: referencesOfExperiment({ personas, workItems, ...body }),
    statements: [
      takeNumber('EX'),
      insertExperiment(body),
      ...replaceLinksOfInserted({ personas, workItems }, {}),
      emitExperimentCreated({}),
    ],
    returning: experiment.inserted(),
  })

export const getExperiment = experiment.get

export const listExperiments = makeListReader(experiment, ListExperiments, {
  sorts: { createdAt: experiments.createdAt },
  filters: { status: unindexedWithSort(experiments.updatedAt)(equalsAny(experiments.status)) },
}).page

export const exportExperiments = makeExportReader(experiment, experiments.createdAt)

export const listPersonaExperiments = makeListReader(experimentOfPersona, ListPersonaExperiments, {
  sorts: { createdAt: experimentPersonas.createdAt },
}).page

const experimentNotStopped = experiment.refuseIf(
  'conflict:Only a stopped experiment has a result. Stop the experiment and send the result.',
  sql`${experiments.status} <> 'stopped'`,
)
const hypothesisNeededWhileRunning = experiment.refuseIf(
  'conflict:A running experiment needs a hypothesis. Change the hypothesis instead of clearing it.',
  sql`${experiments.status} = 'running'`,
)

const updateExperiment = updateStatement(experiment, ModifyExperiment, { except: EXPERIMENT_LINK_FIELDS })
const replaceLinksOfExperiment = createLinkReplacer(experiment.byKey)

export function modifyExperiment(
  db: Database,
  key: ExperimentKey,
  { personas, workItems, ...body }: z.output<typeof ModifyExperiment>,
  ifMatch: string | null,
) {
  const links = { personas, workItems }
  const changedLinks = [...(personas ? [linksToPersonas.change] : []), ...(workItems ? [linksToWorkItems.change] : [])]
  const values = { ...key, ...linksToPersonas.bind(personas ?? []), ...linksToWorkItems.bind(workItems ?? []) }
  const rules: Guard[] = [
    ...(body.result === undefined ? [] : [experimentNotStopped(key)]),
    ...(body.hypothesis === undefined || body.hypothesis?.trim() ? [] : [hypothesisNeededWhileRunning(key)]),
  ]
  return experiment.save(db, {
    guards: [...experiment.writeGuards(key, ifMatch), ...rules],
    references: referencesOfExperiment({ ...links, ...body }),
    statements: [...updateExperiment(values, body, changedLinks), ...replaceLinksOfExperiment(links, key)],
    returning: experiment.returningByKey(key),
  })
}

export const { remove: removeExperiment, restore: restoreExperiment } = makeLifecycle(experiment)

const experimentAlreadyStarted = experiment.refuseIf(
  'conflict:Only a draft can be started. This experiment has already been started.',
  sql`${experiments.status} <> 'draft'`,
)
const hypothesisMissing = experiment.refuseIf(
  'conflict:An experiment needs a hypothesis before it starts. Add a hypothesis with a PUT.',
  sql`trim(coalesce(${experiments.hypothesis}, '')) = ''`,
)
const markExperimentStarted = updateWhere(
  experiment,
  experiment.byKey,
  { status: sql`'running'`, startedAt: sql`${caller.now}` },
  { happening: 'started' },
)

export const startExperiment = (db: Database, key: ExperimentKey) =>
  experiment.save(db, {
    guards: [...experiment.writeGuards(key), experimentAlreadyStarted(key), hypothesisMissing(key)],
    statements: markExperimentStarted(key),
    returning: experiment.returningByKey(key),
  })

const experimentNotRunning = experiment.refuseIf(
  'conflict:Only a running experiment can be stopped. Start a draft first, or modify the result of a stopped experiment.',
  sql`${experiments.status} <> 'running'`,
)
const markExperimentStopped = updateStatement(
  experiment,
  StopExperiment.extend({ status: z.literal('stopped'), stoppedAt: z.int() }),
  {
    happening: 'stopped',
  },
)

export const stopExperiment = (db: Database, key: ExperimentKey, body: z.output<typeof StopExperiment>, now: number) =>
  experiment.save(db, {
    guards: [...experiment.writeGuards(key), experimentNotRunning(key)],
    statements: markExperimentStopped(key, { ...body, status: 'stopped', stoppedAt: now }),
    returning: experiment.returningByKey(key),
  })
