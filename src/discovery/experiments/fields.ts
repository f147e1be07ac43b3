import { sql } from 'drizzle-orm'
import { covered } from '../../db/access'
import { among, computedList, type Field, linkedWhileThere, longText, moment, nullableDecimal } from '../../db/field'
import { linkedKeys } from '../../db/links'
import { type Key, record } from '../../db/record'
import { experimentPersonas, experiments, experimentWorkItems } from '../../db/schema/experiments'
import { kpis } from '../../db/schema/kpis'
import { opportunities, personas } from '../../db/schema/personas'
import { workItems } from '../../db/schema/work-items'
import { caller } from '../../db/statement'
import { persona } from '../personas/fields'
import type { Decision, Result, Status } from './schema'

const key = { experiment_external_key: experiments.externalKey }
export type ExperimentKey = Key<typeof key>

/** Links of an experiment, by the member of the body. */
export const LINKS = {
  personas: {
    ...{ table: experimentPersonas, holder: experimentPersonas.experimentId, target: experimentPersonas.personaId },
    ...{ targets: personas, of: experiments.id, also: experiments.createdAt },
  },
  workItems: {
    ...{ table: experimentWorkItems, holder: experimentWorkItems.experimentId, target: experimentWorkItems.workItemId },
    ...{ targets: workItems, of: experiments.id },
  },
} as const

const nullable = <T extends string>(column: typeof experiments.result | typeof experiments.decision) =>
  among<T>(column) as Field<T | null, T | null, T | null>

export const experiment = record('experiment', {
  table: experiments,
  within: 'product',
  key,
  fields: {
    id: experiments.id,
    externalKey: experiments.externalKey,
    initiativeId: experiments.productId,
    title: experiments.title,
    hypothesis: longText(experiments.hypothesis),
    method: longText(experiments.method),
    successCriteria: longText(experiments.successCriteria),
    targetValue: nullableDecimal(experiments.targetValue),
    actualValue: nullableDecimal(experiments.actualValue),
    status: among<Status>(experiments.status),
    result: nullable<Result>(experiments.result),
    decision: nullable<Decision>(experiments.decision),
    learnings: longText(experiments.learnings),
    kpi: linkedWhileThere(experiments.kpiId, kpis.externalKey),
    opportunity: linkedWhileThere(experiments.opportunityId, opportunities.externalKey),
    startedAt: moment(experiments.startedAt),
    stoppedAt: moment(experiments.stoppedAt),
    createdAt: moment(experiments.createdAt),
    updatedAt: moment(experiments.updatedAt),
  },
  detail: {
    personas: computedList<string>(linkedKeys(LINKS.personas)),
    workItems: computedList<string>(linkedKeys(LINKS.workItems)),
  },
})

export const experimentOfPersona = record('experiment', {
  table: experimentPersonas,
  within: { parent: persona, by: experimentPersonas.personaId },
  key: {},
  id: experimentPersonas.experimentId,
  name: experiments.externalKey,
  joins: sql`CROSS JOIN ${experiments} ON ${experiments.id} = ${experimentPersonas.experimentId}
    AND ${experiments.subscriptionId} = ${caller.subscription} AND ${experiments.deletedAt} IS NULL
    AND ${covered(sql`${experiments.productId}`)}`,
  fields: experiment.fields,
})
