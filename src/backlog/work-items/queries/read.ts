import { list } from '../../../db/list'
import { workItems } from '../../../db/schema/work-items'
import { ListWorkItems } from '../schema'
import { epic, feature, story } from './record'

const sorts = { createdAt: workItems.createdAt }

export const getEpic = epic.get
export const listEpics = list(epic, ListWorkItems, { sorts }).page

export const getFeature = feature.get
export const listFeatures = list(feature, ListWorkItems, { sorts }).page

export const getUserStory = story.get
export const listUserStories = list(story, ListWorkItems, { sorts }).page
