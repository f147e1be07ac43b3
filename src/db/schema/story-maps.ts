import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const storyMaps = sqliteTable('story_maps', {
  id: integer().primaryKey(),
  subscriptionId: integer('subscription_id').notNull(),
  productId: integer('product_id').notNull(),
  title: text().notNull(),
  description: text(),
  partCount: integer('part_count').notNull().default(0),
  cardCount: integer('card_count').notNull().default(0),
  version: integer().notNull().default(1),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  deletedAt: integer('deleted_at'),
})

export const storyMapActivities = sqliteTable('story_map_activities', {
  id: integer().primaryKey(),
  subscriptionId: integer('subscription_id').notNull(),
  storyMapId: integer('story_map_id').notNull(),
  title: text().notNull(),
  color: text(),
  rank: text().notNull(),
  version: integer().notNull().default(1),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export const storyMapSteps = sqliteTable('story_map_steps', {
  id: integer().primaryKey(),
  subscriptionId: integer('subscription_id').notNull(),
  storyMapId: integer('story_map_id').notNull(),
  activityId: integer('activity_id').notNull(),
  title: text().notNull(),
  color: text(),
  rank: text().notNull(),
  version: integer().notNull().default(1),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export const storyMapSwimlanes = sqliteTable('story_map_swimlanes', {
  id: integer().primaryKey(),
  subscriptionId: integer('subscription_id').notNull(),
  storyMapId: integer('story_map_id').notNull(),
  title: text().notNull(),
  solutionVersionId: integer('solution_version_id'),
  rank: text().notNull(),
  version: integer().notNull().default(1),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export const storyMapCards = sqliteTable('story_map_cards', {
  id: integer().primaryKey(),
  subscriptionId: integer('subscription_id').notNull(),
  storyMapId: integer('story_map_id').notNull(),
  stepId: integer('step_id').notNull(),
  swimlaneId: integer('swimlane_id'),
  workItemId: integer('work_item_id').notNull(),
  rank: text().notNull(),
})
