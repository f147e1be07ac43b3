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

export const createStoryMapActivity = operation({
  id: 'createStoryMapActivity',
  of: 'story_map',
  route: 'POST /api/initiatives/{product_external_key}/storyMap/{storyMapId}/activities',
  summary: 'Create an activity of a story map',
  description: 'The new activity is the last, unless you send `beforeId` or `afterId`.',
  params: StoryMapParams,
  body: CreateActivity,
  data: Activity,
  message: 'Activity saved',
  location: '/api/initiatives/{product_external_key}/storyMap/{storyMapId}/activities/{id}',
  handle: ({ params, body, db }) => write.activityQueries.create(db, params, body),
})

export const getStoryMapActivity = operation({
  id: 'getStoryMapActivity',
  of: 'story_map_activity',
  route: 'GET /api/initiatives/{product_external_key}/storyMap/{storyMapId}/activities/{activityId}',
  summary: 'Retrieve an activity of a story map',
  description: 'The activity, with the ids of its neighbors.',
  params: ActivityParams,
  data: Activity,
  errors: ['story_map_not_found', 'activity_not_found'],
  handle: ({ params, db }) => write.activityQueries.get(db, params),
})

export const modifyStoryMapActivity = operation({
  id: 'modifyStoryMapActivity',
  of: 'story_map_activity',
  route: 'PUT /api/initiatives/{product_external_key}/storyMap/{storyMapId}/activities/{activityId}',
  summary: 'Modify an activity of a story map',
  description: 'Changes the fields that you send. `beforeId` or `afterId` moves the activity with its steps.',
  params: ActivityParams,
  body: ModifyActivity,
  data: Activity,
  errors: ['story_map_not_found', 'activity_not_found'],
  message: 'Activity saved',
  handle: ({ params, body, db, ifMatch }) => write.activityQueries.modify(db, params, body, ifMatch),
})

export const removeStoryMapActivity = operation({
  id: 'removeStoryMapActivity',
  of: 'story_map_activity',
  route: 'DELETE /api/initiatives/{product_external_key}/storyMap/{storyMapId}/activities/{activityId}',
  summary: 'Remove an activity of a story map',
  description: 'An activity with steps is a 409, unless `moveTo` names another activity. The steps move to its end.',
  conflicts: ['in_use'],
  params: ActivityParams,
  query: RemoveActivity,
  errors: ['story_map_not_found', 'activity_not_found'],
  message: 'Activity removed',
  handle: ({ params, query, db, ifMatch }) => remove.removeActivity(db, params, query.moveTo, ifMatch),
})

export const createStoryMapStep = operation({
  id: 'createStoryMapStep',
  of: 'story_map',
  route: 'POST /api/initiatives/{product_external_key}/storyMap/{storyMapId}/steps',
  summary: 'Create a step of a story map',
  description: 'The new step is the last of its activity, unless you send `beforeId` or `afterId`.',
  params: StoryMapParams,
  body: CreateStep,
  data: Step,
  message: 'Step saved',
  location: '/api/initiatives/{product_external_key}/storyMap/{storyMapId}/steps/{id}',
  handle: ({ params, body, db }) => write.stepQueries.create(db, params, body),
})

export const getStoryMapStep = operation({
  id: 'getStoryMapStep',
  of: 'story_map_step',
  route: 'GET /api/initiatives/{product_external_key}/storyMap/{storyMapId}/steps/{stepId}',
  summary: 'Retrieve a step of a story map',
  description: 'The step, with the ids of its neighbors.',
  params: StepParams,
  data: Step,
  errors: ['story_map_not_found', 'step_not_found'],
  handle: ({ params, db }) => write.stepQueries.get(db, params),
})

export const modifyStoryMapStep = operation({
  id: 'modifyStoryMapStep',
  of: 'story_map_step',
  route: 'PUT /api/initiatives/{product_external_key}/storyMap/{storyMapId}/steps/{stepId}',
  summary: 'Modify a step of a story map',
  description:
    'Changes the fields that you send. `beforeId`, `afterId` or another `activityId` moves the step with its cards.',
  params: StepParams,
  body: ModifyStep,
  data: Step,
  errors: ['story_map_not_found', 'step_not_found'],
  message: 'Step saved',
  handle: ({ params, body, db, ifMatch }) => write.stepQueries.modify(db, params, body, ifMatch),
})

export const removeStoryMapStep = operation({
  id: 'removeStoryMapStep',
  of: 'story_map_step',
  route: 'DELETE /api/initiatives/{product_external_key}/storyMap/{storyMapId}/steps/{stepId}',
  summary: 'Remove a step of a story map',
  description: 'A step with cards is a 409, unless `moveTo` names another step. The cards move to its end.',
  conflicts: ['in_use'],
  params: StepParams,
  query: RemoveStep,
  errors: ['story_map_not_found', 'step_not_found'],
  message: 'Step removed',
  handle: ({ params, query, db, ifMatch }) => remove.removeStep(db, params, query.moveTo, ifMatch),
})

export const createStoryMapSwimlane = operation({
  id: 'createStoryMapSwimlane',
  of: 'story_map',
  route: 'POST /api/initiatives/{product_external_key}/storyMap/{storyMapId}/swimlanes',
  summary: 'Create a swimlane of a story map',
  description:
    'The new swimlane is the last, unless you send `beforeId` or `afterId`. `versionKey` names a solution version.',
  params: StoryMapParams,
  body: CreateSwimlane,
  data: Swimlane,
  message: 'Swimlane saved',
  location: '/api/initiatives/{product_external_key}/storyMap/{storyMapId}/swimlanes/{id}',
  handle: ({ params, body, db }) => write.swimlaneQueries.create(db, params, body),
})

export const getStoryMapSwimlane = operation({
  id: 'getStoryMapSwimlane',
  of: 'story_map_swimlane',
  route: 'GET /api/initiatives/{product_external_key}/storyMap/{storyMapId}/swimlanes/{swimlaneId}',
  summary: 'Retrieve a swimlane of a story map',
  description: 'The swimlane, with the ids of its neighbors.',
  params: SwimlaneParams,
  data: Swimlane,
  errors: ['story_map_not_found', 'swimlane_not_found'],
  handle: ({ params, db }) => write.swimlaneQueries.get(db, params),
})

export const modifyStoryMapSwimlane = operation({
  id: 'modifyStoryMapSwimlane',
  of: 'story_map_swimlane',
  route: 'PUT /api/initiatives/{product_external_key}/storyMap/{storyMapId}/swimlanes/{swimlaneId}',
  summary: 'Modify a swimlane of a story map',
  description: 'Changes the fields that you send. `beforeId` or `afterId` moves the swimlane.',
  params: SwimlaneParams,
  body: ModifySwimlane,
  data: Swimlane,
  errors: ['story_map_not_found', 'swimlane_not_found'],
  message: 'Swimlane saved',
  handle: ({ params, body, db, ifMatch }) => write.swimlaneQueries.modify(db, params, body, ifMatch),
})

export const removeStoryMapSwimlane = operation({
  id: 'removeStoryMapSwimlane',
  of: 'story_map_swimlane',
  route: 'DELETE /api/initiatives/{product_external_key}/storyMap/{storyMapId}/swimlanes/{swimlaneId}',
  summary: 'Remove a swimlane of a story map',
  description: 'The cards stay in their steps, in the swimlane that `moveTo` names or without a swimlane.',
  params: SwimlaneParams,
  query: RemoveSwimlane,
  errors: ['story_map_not_found', 'swimlane_not_found'],
  message: 'Swimlane removed',
  handle: ({ params, query, db, ifMatch }) => remove.removeSwimlane(db, params, query.moveTo, ifMatch),
})
