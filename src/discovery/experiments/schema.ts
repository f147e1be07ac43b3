import * as z from 'zod'
import { createListQuery, createRestorableQuery, updatedSinceParameter } from '../../http/pagination'
import {
  decimal,
  externalKey,
  line,
  numberedKeyPattern,
  ProductParams,
  severalOf,
  Timestamp,
  text,
} from '../../http/schemas'

const MAX_TEXT_LENGTH = 10_000
const MAX_PERSONAS_PER_EXPERIMENT = 100
// Same limit as the items of a solution version.
const MAX_ITEMS_PER_EXPERIMENT = 1_000

const EXPERIMENT_STATUSES = ['draft', 'running', 'stopped'] as const
const EXPERIMENT_RESULTS = ['validated', 'invalidated', 'inconclusive'] as const
const EXPERIMENT_DECISIONS = ['persevere', 'pivot', 'stop'] as const

export const ExperimentParams = ProductParams.extend({
  experiment_external_key: externalKey('EX', 'The key of the experiment.'),
})

const createKeySchema = (what: string, ...prefixes: [string, ...string[]]) => {
  const spelled = new RegExp(prefixes.map((prefix) => numberedKeyPattern(prefix).source).join('|'))
  return text(30).regex(spelled, `Must be the external key of ${what}, like ${prefixes[0]}-1`)
}

const experimentDecision = z.enum(EXPERIMENT_DECISIONS, { error: 'Must be "persevere", "pivot" or "stop"' })
const experimentResult = z.enum(EXPERIMENT_RESULTS, { error: 'Must be "validated", "invalidated" or "inconclusive"' })

const commonExperimentFields = {
  hypothesis: text(MAX_TEXT_LENGTH)
    .nullish()
    .meta({ description: 'Assumption to test. Required to start the experiment.' }),
  method: text(MAX_TEXT_LENGTH).nullish(),
  successCriteria: text(MAX_TEXT_LENGTH).nullish(),
  targetValue: decimal().nullish().meta({ description: 'Decimal text or a number.' }),
  actualValue: decimal().nullish().meta({ description: 'Decimal text or a number.' }),
  learnings: text(MAX_TEXT_LENGTH).nullish(),
  kpi: createKeySchema('a KPI', 'KPI')
    .nullish()
    .meta({ description: 'External key of the KPI that the experiment should change.' }),
  opportunity: createKeySchema('an opportunity', 'OP')
    .nullish()
    .meta({ description: 'External key of the opportunity to test.' }),
}

const experimentLinkFields = {
  personas: z.array(createKeySchema('a persona', 'PE')).max(MAX_PERSONAS_PER_EXPERIMENT).optional().meta({
    description: 'External keys of personas. A modify replaces all personas of the experiment.',
  }),
  workItems: z
    .array(createKeySchema('a work item', 'EP', 'FE', 'US'))
    .max(MAX_ITEMS_PER_EXPERIMENT)
    .optional()
    .meta({
      description: 'External keys of work items of the product. A modify replaces all work items of the experiment.',
    }),
}

export const CreateExperiment = z
  .object({ title: line(500), ...commonExperimentFields, ...experimentLinkFields })
  .meta({
    id: 'CreateExperiment',
    examples: [
      {
        title: 'Dark screen at night',
        hypothesis: 'Nurses hand over faster where the screen does not blind them.',
        method: 'Two wards, two weeks, one of them dark.',
        successCriteria: 'A handover takes a tenth less.',
        targetValue: '10.00',
      },
    ],
  })

export const ModifyExperiment = z
  .object({
    title: line(500).optional(),
    ...commonExperimentFields,
    result: experimentResult.optional().meta({ description: 'Result of a stopped experiment.' }),
    decision: experimentDecision.nullish(),
    ...experimentLinkFields,
  })
  .meta({ id: 'ModifyExperiment', examples: [{ method: 'Three wards, a month.', targetValue: '12.50' }] })

export const StopExperiment = z
  .object({
    result: experimentResult,
    decision: experimentDecision.optional(),
    learnings: text(MAX_TEXT_LENGTH).optional(),
    actualValue: decimal().optional(),
  })
  .meta({
    id: 'StopExperiment',
    examples: [
      { result: 'validated', decision: 'persevere', learnings: 'It took an eighth less.', actualValue: '12.50' },
    ],
  })

export const ListExperiments = createRestorableQuery(['-createdAt', 'createdAt']).extend({
  status: severalOf(z.enum(EXPERIMENT_STATUSES)).optional().meta({
    description:
      'Only experiments with this status. With several values, separated by commas, a page looks at 10,000 experiments.',
  }),
})

export const ListPersonaExperiments = createListQuery(['-createdAt', 'createdAt']).extend(updatedSinceParameter())

const DecimalText = z.string().meta({ description: 'Decimal text with two places.', examples: ['12.50'] })

export const Experiment = z
  .object({
    id: z.int(),
    externalKey: z.string(),
    initiativeId: z.int(),
    title: z.string(),
    hypothesis: z.string().nullable(),
    method: z.string().nullable(),
    successCriteria: z.string().nullable(),
    targetValue: DecimalText.nullable(),
    actualValue: DecimalText.nullable(),
    status: z.enum(EXPERIMENT_STATUSES),
    result: z.enum(EXPERIMENT_RESULTS).nullable(),
    decision: z.enum(EXPERIMENT_DECISIONS).nullable(),
    learnings: z.string().nullable(),
    kpi: z.string().nullable(),
    opportunity: z.string().nullable(),
    startedAt: Timestamp.nullable(),
    stoppedAt: Timestamp.nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Experiment', description: 'Test of a hypothesis, with method and result.' })

export const ExperimentDetail = Experiment.extend({
  personas: z.array(z.string()).meta({ description: 'External keys of the personas.' }),
  workItems: z.array(z.string()).meta({ description: 'External keys of the work items.' }),
}).meta({ id: 'ExperimentDetail' })

export type ExperimentStatus = (typeof EXPERIMENT_STATUSES)[number]
export type ExperimentResult = (typeof EXPERIMENT_RESULTS)[number]
export type ExperimentDecision = (typeof EXPERIMENT_DECISIONS)[number]
