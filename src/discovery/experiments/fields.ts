import { type SQL, sql } from 'drizzle-orm'
import { covered } from '../../db/access'
import { among, computedList, type Field, linkedWhileThere, longText, moment, nullableDecimal } from '../../db/field'
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

// What is removed stays linked, hidden as it is.
const keys = (from: SQL) => sql`(SELECT json_group_array(key) FROM (${from}))`
export const presentPersonas = keys(sql`SELECT p.external_key AS key FROM ${experimentPersonas} l
    CROSS JOIN ${personas} p ON p.id = l.persona_id AND p.subscription_id = ${caller.subscription} AND p.deleted_at IS NULL
  WHERE l.subscription_id = ${caller.subscription} AND l.experiment_id = ${experiments.id} ORDER BY p.id`)
export const presentItems = keys(sql`SELECT w.external_key AS key FROM ${experimentWorkItems} l
    CROSS JOIN ${workItems} w ON w.id = l.work_item_id AND w.subscription_id = ${caller.subscription} AND w.deleted_at IS NULL
  WHERE l.subscription_id = ${caller.subscription} AND l.experiment_id = ${experiments.id} ORDER BY w.id`)

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
  detail: { personas: computedList<string>(presentPersonas), workItems: computedList<string>(presentItems) },
})

/** Those of the persona in the path, by its links. */
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
