import * as z from 'zod'
import { exportOperation } from '../../export-operation'
import { ExportQuery } from '../../files/write'
import { ALL_RECORDS_COST_REASON, declareCeiling } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { ProductParams } from '../../http/schemas'
import { PersonaParams } from '../personas/schema'
import * as queries from './queries'
import {
  CreateExperiment,
  Experiment,
  ExperimentDetail,
  ExperimentParams,
  ListExperiments,
  ListPersonaExperiments,
  ModifyExperiment,
  StopExperiment,
} from './schema'

export const createExperiment = operation({
  id: 'createExperiment',
  of: 'experiment',
  route: 'POST /api/initiatives/{product_external_key}/experiments',
  summary: 'Create an experiment',
  description: 'The experiment is a draft and gets the next key `EX-<number>`. Link other records by their keys.',
  params: ProductParams,
  body: CreateExperiment,
  data: ExperimentDetail,
  message: 'Experiment saved',
  location: '/api/initiatives/{product_external_key}/experiments/{externalKey}',
  handle: ({ body, db }) => queries.createExperiment(db, body),
})

export const listExperiments = operation({
  id: 'listExperiments',
  of: 'experiment',
  route: 'GET /api/initiatives/{product_external_key}/experiments',
  summary: 'List experiments',
  description: 'The newest experiments come first. Retrieve an experiment to see its personas and work items.',
  params: ProductParams,
  query: ListExperiments,
  data: z.array(Experiment),
  handle: ({ query, db }) => queries.listExperiments(db, query),
})

export const exportExperiments = exportOperation({
  id: 'exportExperiments',
  ceiling: declareCeiling(680_000, ALL_RECORDS_COST_REASON, 4_000_000),
  of: 'experiment',
  route: 'GET /api/initiatives/{product_external_key}/experiments/export',
  summary: 'Export the experiments',
  description: 'Downloads all experiments, oldest first, with the keys of their personas and work items.',
  params: ProductParams,
  query: ExportQuery,
  read: ({ db }) => ({ name: 'experiments', ...queries.exportExperiments(db) }),
})

export const getExperiment = operation({
  id: 'getExperiment',
  of: 'experiment',
  route: 'GET /api/initiatives/{product_external_key}/experiments/{experiment_external_key}',
  summary: 'Retrieve an experiment',
  description: 'Returns the experiment with the keys of its personas and work items.',
  params: ExperimentParams,
  data: ExperimentDetail,
  handle: ({ params, db }) => queries.getExperiment(db, params),
})

export const modifyExperiment = operation({
  id: 'modifyExperiment',
  of: 'experiment',
  route: 'PUT /api/initiatives/{product_external_key}/experiments/{experiment_external_key}',
  summary: 'Modify an experiment',
  description:
    'Changes the fields that you send; `null` clears a field. A result before the experiment is stopped is a 409. Clearing the hypothesis of a running experiment is a 409.',
  params: ExperimentParams,
  body: ModifyExperiment,
  data: ExperimentDetail,
  message: 'Experiment saved',
  handle: ({ params, body, db, ifMatch }) => queries.modifyExperiment(db, params, body, ifMatch),
})

export const removeExperiment = operation({
  id: 'removeExperiment',
  of: 'experiment',
  route: 'DELETE /api/initiatives/{product_external_key}/experiments/{experiment_external_key}',
  summary: 'Remove an experiment',
  description: 'Linked records stay. You can restore the experiment for 30 days.',
  params: ExperimentParams,
  message: 'Experiment removed',
  handle: ({ params, db, ifMatch }) => queries.removeExperiment(db, params, ifMatch),
})

export const restoreExperiment = operation({
  id: 'restoreExperiment',
  of: 'experiment',
  route: 'POST /api/initiatives/{product_external_key}/experiments/{experiment_external_key}/restore',
  summary: 'Restore a removed experiment',
  description: 'Restores the experiment with its links.',
  params: ExperimentParams,
  data: ExperimentDetail,
  message: 'Experiment restored',
  handle: ({ params, db }) => queries.restoreExperiment(db, params),
})

export const startExperiment = operation({
  id: 'startExperiment',
  of: 'experiment',
  route: 'POST /api/initiatives/{product_external_key}/experiments/{experiment_external_key}/start',
  summary: 'Start an experiment',
  description: 'The experiment must be a draft with a hypothesis, or the response is a 409.',
  params: ExperimentParams,
  data: ExperimentDetail,
  message: 'Experiment started',
  handle: ({ params, db }) => queries.startExperiment(db, params),
})

export const stopExperiment = operation({
  id: 'stopExperiment',
  of: 'experiment',
  route: 'POST /api/initiatives/{product_external_key}/experiments/{experiment_external_key}/stop',
  summary: 'Stop an experiment',
  description: 'Stores the result and the learnings. An experiment that is not running is a 409.',
  params: ExperimentParams,
  body: StopExperiment,
  data: ExperimentDetail,
  message: 'Experiment stopped',
  handle: ({ params, body, db, now }) => queries.stopExperiment(db, params, body, now),
})

export const listPersonaExperiments = operation({
  id: 'listPersonaExperiments',
  of: 'experiment',
  route: 'GET /api/v2/persona/{persona_external_key}/experiments',
  summary: 'List the experiments about a persona',
  description: 'The newest experiments come first. The list contains experiments of the products that your key covers.',
  params: PersonaParams,
  query: ListPersonaExperiments,
  data: z.array(Experiment),
  errors: ['persona_not_found'],
  handle: ({ params, query, db }) => queries.listPersonaExperiments(db, query, params),
})
