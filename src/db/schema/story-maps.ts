import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { idColumns, removableColumns, versionColumns } from './columns'

export const storyMaps = sqliteTable('story_maps', {
  ...idColumns,
  productId: integer('product_id').notNull(),
  title: text().notNull(),
  description: text(),
  partCount: integer('part_count').notNull().default(0),
  cardCount: integer('card_count').notNull().default(0),
  ...removableColumns,
})

export const storyMapActivities = sqliteTable('story_map_activities', {
  ...idColumns,
  storyMapId: integer('story_map_id').notNull(),
  title: text().notNull(),
  color: text(),
  rank: text().notNull(),
  ...versionColumns,
})

export const storyMapSteps = sqliteTable('story_map_steps', {
  ...idColumns,
  storyMapId: integer('story_map_id').notNull(),
  activityId: integer('activity_id').notNull(),
  title: text().notNull(),
  color: text(),
  rank: text().notNull(),
  ...versionColumns,
})

export const storyMapSwimlanes = sqliteTable('story_map_swimlanes', {
  ...idColumns,
  storyMapId: integer('story_map_id').notNull(),
  title: text().notNull(),
  solutionVersionId: integer('solution_version_id'),
  rank: text().notNull(),
  ...versionColumns,
})

export const storyMapCards = sqliteTable('story_map_cards', {
  ...idColumns,
  storyMapId: integer('story_map_id').notNull(),
  stepId: integer('step_id').notNull(),
  swimlaneId: integer('swimlane_id'),
  workItemId: integer('work_item_id').notNull(),
  rank: text().notNull(),
})
