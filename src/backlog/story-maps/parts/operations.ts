import * as z from 'zod'
import { operation } from '../../../http/operation'
import { StoryMapParams } from '../schema'
import * as remove from './queries/remove'
import * as write from './queries/write'
import {
  Activity,
  ActivityParams,
  CreateActivity,
  CreateStep,
  CreateSwimlane,
  ModifyActivity,
  ModifyStep,
  ModifySwimlane,
  RemoveActivity,
  RemoveStep,
  RemoveSwimlane,
  Step,
  StepParams,
  Swimlane,
  SwimlaneParams,
} from './schema'

interface OfMap {
  product_external_key: string
  storyMapId: number
}

const locationOf = ({ product_external_key, storyMapId }: OfMap, kind: string, id: number) =>
  `/api/initiatives/${product_external_key}/storyMap/${storyMapId}/${kind}/${id}`

export const createStoryMapActivity = operation({
  id: 'createStoryMapActivity',
  method: 'post',
  path: '/api/initiatives/{product_external_key}/storyMap/{storyMapId}/activities',
  tag: 'Story maps',
  summary: 'Create an activity of a story map',
  description: 'At the end, or where `beforeId` or `afterId` says.',
  scope: 'backlog:write',
  status: 201,
  params: StoryMapParams,
  body: CreateActivity,
  data: Activity,
  errors: ['story_map_not_found'],
  async handle({ params, body, db }) {
    const { data } = await write.activities.create(db, params, body)
    return { data, message: 'Activity saved', location: locationOf(params, 'activities', data.id) }
  },
})

export const getStoryMapActivity = operation({
  id: 'getStoryMapActivity',
  method: 'get',
  path: '/api/initiatives/{product_external_key}/storyMap/{storyMapId}/activities/{activityId}',
  tag: 'Story maps',
  summary: 'Retrieve an activity of a story map',
  description: 'Alone, with those that it stands between.',
  scope: 'backlog:read',
  params: ActivityParams,
  data: Activity,
  errors: ['story_map_not_found', 'activity_not_found'],
  handle: ({ params, db }) => write.activities.get(db, params),
})

export const modifyStoryMapActivity = operation({
  id: 'modifyStoryMapActivity',
  method: 'put',
  path: '/api/initiatives/{product_external_key}/storyMap/{storyMapId}/activities/{activityId}',
  tag: 'Story maps',
  summary: 'Modify an activity of a story map',
  description: 'Changes what is sent; `beforeId` or `afterId` moves it, with its steps.',
  scope: 'backlog:write',
  params: ActivityParams,
  body: ModifyActivity,
  data: Activity,
  errors: ['story_map_not_found', 'activity_not_found'],
  conditional: true,
  message: 'Activity saved',
  handle: ({ params, body, db, ifMatch }) => write.activities.modify(db, params, body, ifMatch),
})

export const removeStoryMapActivity = operation({
  id: 'removeStoryMapActivity',
  method: 'delete',
  path: '/api/initiatives/{product_external_key}/storyMap/{storyMapId}/activities/{activityId}',
  tag: 'Story maps',
  summary: 'Remove an activity of a story map',
  description: 'One with steps is a 409, unless `moveTo` names another activity, to whose end they move.',
  scope: 'backlog:write',
  params: ActivityParams,
  query: RemoveActivity,
  data: z.object({}),
  errors: ['story_map_not_found', 'activity_not_found'],
  conditional: true,
  message: 'Activity removed',
  handle: ({ params, query, db, ifMatch }) => remove.removeActivity(db, params, query.moveTo, ifMatch),
})

export const createStoryMapStep = operation({
  id: 'createStoryMapStep',
  method: 'post',
  path: '/api/initiatives/{product_external_key}/storyMap/{storyMapId}/steps',
  tag: 'Story maps',
  summary: 'Create a step of a story map',
  description: 'At the end of its activity, or where `beforeId` or `afterId` says.',
  scope: 'backlog:write',
  status: 201,
  params: StoryMapParams,
  body: CreateStep,
  data: Step,
  errors: ['story_map_not_found'],
  async handle({ params, body, db }) {
    const { data } = await write.steps.create(db, params, body)
    return { data, message: 'Step saved', location: locationOf(params, 'steps', data.id) }
  },
})

export const getStoryMapStep = operation({
  id: 'getStoryMapStep',
  method: 'get',
  path: '/api/initiatives/{product_external_key}/storyMap/{storyMapId}/steps/{stepId}',
  tag: 'Story maps',
  summary: 'Retrieve a step of a story map',
  description: 'Alone, with those that it stands between.',
  scope: 'backlog:read',
  params: StepParams,
  data: Step,
  errors: ['story_map_not_found', 'step_not_found'],
  handle: ({ params, db }) => write.steps.get(db, params),
})

export const modifyStoryMapStep = operation({
  id: 'modifyStoryMapStep',
  method: 'put',
  path: '/api/initiatives/{product_external_key}/storyMap/{storyMapId}/steps/{stepId}',
  tag: 'Story maps',
  summary: 'Modify a step of a story map',
  description: 'Changes what is sent; `beforeId`, `afterId` or another `activityId` moves it, with its cards.',
  scope: 'backlog:write',
  params: StepParams,
  body: ModifyStep,
  data: Step,
  errors: ['story_map_not_found', 'step_not_found'],
  conditional: true,
  message: 'Step saved',
  handle: ({ params, body, db, ifMatch }) => write.steps.modify(db, params, body, ifMatch),
})

export const removeStoryMapStep = operation({
  id: 'removeStoryMapStep',
  method: 'delete',
  path: '/api/initiatives/{product_external_key}/storyMap/{storyMapId}/steps/{stepId}',
  tag: 'Story maps',
  summary: 'Remove a step of a story map',
  description: 'One with cards is a 409, unless `moveTo` names another step, to whose end they move.',
  scope: 'backlog:write',
  params: StepParams,
  query: RemoveStep,
  data: z.object({}),
  errors: ['story_map_not_found', 'step_not_found'],
  conditional: true,
  message: 'Step removed',
  handle: ({ params, query, db, ifMatch }) => remove.removeStep(db, params, query.moveTo, ifMatch),
})

export const createStoryMapSwimlane = operation({
  id: 'createStoryMapSwimlane',
  method: 'post',
  path: '/api/initiatives/{product_external_key}/storyMap/{storyMapId}/swimlanes',
  tag: 'Story maps',
  summary: 'Create a swimlane of a story map',
  description: 'At the end, or where `beforeId` or `afterId` says; for a solution version, if `versionKey` names one.',
  scope: 'backlog:write',
  status: 201,
  params: StoryMapParams,
  body: CreateSwimlane,
  data: Swimlane,
  errors: ['story_map_not_found'],
  async handle({ params, body, db }) {
    const { data } = await write.swimlanes.create(db, params, body)
    return { data, message: 'Swimlane saved', location: locationOf(params, 'swimlanes', data.id) }
  },
})

export const getStoryMapSwimlane = operation({
  id: 'getStoryMapSwimlane',
  method: 'get',
  path: '/api/initiatives/{product_external_key}/storyMap/{storyMapId}/swimlanes/{swimlaneId}',
  tag: 'Story maps',
  summary: 'Retrieve a swimlane of a story map',
  description: 'Alone, with those that it stands between.',
  scope: 'backlog:read',
  params: SwimlaneParams,
  data: Swimlane,
  errors: ['story_map_not_found', 'swimlane_not_found'],
  handle: ({ params, db }) => write.swimlanes.get(db, params),
})

export const modifyStoryMapSwimlane = operation({
  id: 'modifyStoryMapSwimlane',
  method: 'put',
  path: '/api/initiatives/{product_external_key}/storyMap/{storyMapId}/swimlanes/{swimlaneId}',
  tag: 'Story maps',
  summary: 'Modify a swimlane of a story map',
  description: 'Changes what is sent; `beforeId` or `afterId` moves it.',
  scope: 'backlog:write',
  params: SwimlaneParams,
  body: ModifySwimlane,
  data: Swimlane,
  errors: ['story_map_not_found', 'swimlane_not_found'],
  conditional: true,
  message: 'Swimlane saved',
  handle: ({ params, body, db, ifMatch }) => write.swimlanes.modify(db, params, body, ifMatch),
})

export const removeStoryMapSwimlane = operation({
  id: 'removeStoryMapSwimlane',
  method: 'delete',
  path: '/api/initiatives/{product_external_key}/storyMap/{storyMapId}/swimlanes/{swimlaneId}',
  tag: 'Story maps',
  summary: 'Remove a swimlane of a story map',
  description: 'Its cards stay in their steps, without a swimlane or in the one that `moveTo` names.',
  scope: 'backlog:write',
  params: SwimlaneParams,
  query: RemoveSwimlane,
  data: z.object({}),
  errors: ['story_map_not_found', 'swimlane_not_found'],
  conditional: true,
  message: 'Swimlane removed',
  handle: ({ params, query, db, ifMatch }) => remove.removeSwimlane(db, params, query.moveTo, ifMatch),
})
