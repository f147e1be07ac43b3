import { listReader } from '../../../db/records/list'
import { workItems } from '../../../db/schema/work-items'
import { ListWorkItems } from '../list'
import { filtersOf } from './filters'
import { epic, feature, story } from './record'

const sorts = {
  createdAt: workItems.createdAt,
  order: workItems.rank,
  updatedAt: workItems.updatedAt,
  score: workItems.score,
  businessValue: workItems.businessValueNumber,
  startDate: workItems.startDate,
  endDate: workItems.endDate,
}

export const getEpic = epic.get
export const listEpics = listReader(epic, ListWorkItems, { sorts, filters: filtersOf('epic') }).page

export const getFeature = feature.get
export const listFeatures = listReader(feature, ListWorkItems, { sorts, filters: filtersOf('feature') }).page

export const getUserStory = story.get
export const listUserStories = listReader(story, ListWorkItems, { sorts, filters: filtersOf('userstory') }).page
