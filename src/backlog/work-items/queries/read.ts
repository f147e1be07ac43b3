import { makeListReader } from '../../../db/records/list'
import { sortOptional } from '../../../db/records/sorts'
import { workItems } from '../../../db/schema/work-items'
import { ListWorkItems } from '../list'
import { createListFilters } from './filters'
import { epic, feature, story } from './record'

const WORK_ITEM_SORTS = {
  createdAt: workItems.createdAt,
  order: workItems.rank,
  updatedAt: workItems.updatedAt,
  score: workItems.score,
  businessValue: sortOptional(workItems.businessValueNumber, workItems.createdAt),
  startDate: sortOptional(workItems.startDate, workItems.createdAt),
  endDate: sortOptional(workItems.endDate, workItems.createdAt),
}

export const getEpic = epic.get
export const listEpics = makeListReader(epic, ListWorkItems, {
  sorts: WORK_ITEM_SORTS,
  filters: createListFilters('epic'),
}).page

export const getFeature = feature.get
export const listFeatures = makeListReader(feature, ListWorkItems, {
  sorts: WORK_ITEM_SORTS,
  filters: createListFilters('feature'),
}).page

export const getUserStory = story.get
export const listUserStories = makeListReader(story, ListWorkItems, {
  sorts: WORK_ITEM_SORTS,
  filters: createListFilters('userstory'),
}).page
