import { sql } from 'drizzle-orm'
import { linkedKeysJson } from '../../db/records/links'
import { type Key, record } from '../../db/records/record'
import { experimentPersonas, experiments, experimentWorkItems } from '../../db/schema/experiments'
import { kpis } from '../../db/schema/kpis'
import { opportunities, personas } from '../../db/schema/personas'
import { workItems } from '../../db/schema/work-items'
import { coversProduct } from '../../db/sql/access'
import {
  computedList,
  enumField,
  type Field,
  linkedNameUnlessRemoved,
  longText,
  moment,
  nullableDecimal,
} from '../../db/sql/field'
import { caller } from '../../db/sql/statement'
import { persona } from '../personas/fields'
import type { ExperimentDecision, ExperimentResult, ExperimentStatus } from './schema'

const experimentKeyColumns = { experiment_external_key: experiments.externalKey }
export type ExperimentKey = Key<typeof experimentKeyColumns>

export const EXPERIMENT_LINKS = {
  personas: {
    ...{ table: experimentPersonas, holder: experimentPersonas.experimentId, target: experimentPersonas.personaId },
    ...{ targetTable: personas, holderIdColumn: experiments.id, extraColumn: experiments.createdAt },
  },
  workItems: {
    ...{ table: experimentWorkItems, holder: experimentWorkItems.experimentId, target: experimentWorkItems.workItemId },
    ...{ targetTable: workItems, holderIdColumn: experiments.id },
  },
} as const

const nullableEnumField = <T extends string>(column: typeof experiments.result | typeof experiments.decision) =>
  enumField<T>(column) as Field<T | null, T | null, T | null>

export const experiment = record('experiment', {
  table: experiments,
  scope: 'product',
  key: experimentKeyColumns,
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
    status: enumField<ExperimentStatus>(experiments.status),
    result: nullableEnumField<ExperimentResult>(experiments.result),
    decision: nullableEnumField<ExperimentDecision>(experiments.decision),
    learnings: longText(experiments.learnings),
    kpi: linkedNameUnlessRemoved(experiments.kpiId, kpis.externalKey),
    opportunity: linkedNameUnlessRemoved(experiments.opportunityId, opportunities.externalKey),
    startedAt: moment(experiments.startedAt),
    stoppedAt: moment(experiments.stoppedAt),
    createdAt: moment(experiments.createdAt),
    updatedAt: moment(experiments.updatedAt),
  },
  detail: {
    personas: computedList<string>(linkedKeysJson(EXPERIMENT_LINKS.personas)),
    workItems: computedList<string>(linkedKeysJson(EXPERIMENT_LINKS.workItems)),
  },
})

export const experimentOfPersona = record('experiment', {
  table: experimentPersonas,
  scope: { parent: persona, by: experimentPersonas.personaId },
  key: {},
  id: experimentPersonas.experimentId,
  name: experiments.externalKey,
  joins: sql`CROSS JOIN ${experiments} ON ${experiments.id} = ${experimentPersonas.experimentId}
    AND ${experiments.subscriptionId} = ${caller.subscription} AND ${experiments.deletedAt} IS NULL
    AND ${coversProduct(sql`${experiments.productId}`)}`,
  fields: experiment.fields,
})
