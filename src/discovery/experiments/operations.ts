import * as z from 'zod'
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
  description: 'Its key is the next `EX-<number>`, and it is a draft. It is linked to others by their keys.',
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
  description: 'The newest first; personas and work items come with the single experiment.',
  params: ProductParams,
  query: ListExperiments,
  data: z.array(Experiment),
  handle: ({ query, db }) => queries.listExperiments(db, query),
})

export const getExperiment = operation({
  id: 'getExperiment',
  of: 'experiment',
  route: 'GET /api/initiatives/{product_external_key}/experiments/{experiment_external_key}',
  summary: 'Retrieve an experiment',
  description: 'With the keys of its personas and work items.',
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
    'Changes the fields that are sent; `null` clears one. A result before the experiment is stopped, and no hypothesis while it runs, are a 409.',
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
  description: 'What it is linked to stays. It can be restored for 30 days.',
  params: ExperimentParams,
  message: 'Experiment removed',
  handle: ({ params, db, ifMatch }) => queries.removeExperiment(db, params, ifMatch),
})

export const restoreExperiment = operation({
  id: 'restoreExperiment',
  of: 'experiment',
  route: 'POST /api/initiatives/{product_external_key}/experiments/{experiment_external_key}/restore',
  summary: 'Restore a removed experiment',
  description: 'With its links.',
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
  description: 'A draft that has a hypothesis; any other is a 409.',
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
  description: 'With its result, and what was learned. One that is not running is a 409.',
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
  description: 'The newest first, of the products that the key covers.',
  params: PersonaParams,
  query: ListPersonaExperiments,
  data: z.array(Experiment),
  errors: ['persona_not_found'],
  handle: ({ params, query, db }) => queries.listPersonaExperiments(db, query, params),
})
