import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { idColumns, isAnyRow, isRemoved, isVisible, removableColumns, versionColumns } from './columns'

export const storyMaps = sqliteTable(
  'story_maps',
  {
    ...idColumns,
    productId: integer('product_id').notNull(),
    title: text().notNull(),
    description: text(),
    partCount: integer('part_count').notNull().default(0),
    cardCount: integer('card_count').notNull().default(0),
    ...removableColumns,
  },
  (t) => [
    index('story_maps_created').on(t.productId, t.createdAt, t.id).where(isVisible),
    index('story_maps_removed').on(t.deletedAt).where(isRemoved),
    index('story_maps_heavy').on(t.subscriptionId).where(sql`coalesce(octet_length(description), 0) > 40000`),
    index('story_maps_tenant').on(t.subscriptionId, t.id).where(isAnyRow),
    index('story_maps_updated').on(t.productId, t.updatedAt, t.id).where(isVisible),
    index('story_maps_removed_list').on(t.productId, t.deletedAt).where(isRemoved),
  ],
)

export const storyMapActivities = sqliteTable(
  'story_map_activities',
  {
    ...idColumns,
    storyMapId: integer('story_map_id').notNull(),
    title: text().notNull(),
    color: text(),
    rank: text().notNull(),
    ...versionColumns,
  },
  (t) => [index('story_map_activities_rank').on(t.subscriptionId, t.storyMapId, t.rank)],
)

export const storyMapSteps = sqliteTable(
  'story_map_steps',
  {
    ...idColumns,
    storyMapId: integer('story_map_id').notNull(),
    activityId: integer('activity_id').notNull(),
    title: text().notNull(),
    color: text(),
    rank: text().notNull(),
    ...versionColumns,
  },
  (t) => [index('story_map_steps_rank').on(t.subscriptionId, t.storyMapId, t.activityId, t.rank)],
)

export const storyMapSwimlanes = sqliteTable(
  'story_map_swimlanes',
  {
    ...idColumns,
    storyMapId: integer('story_map_id').notNull(),
    title: text().notNull(),
    solutionVersionId: integer('solution_version_id'),
    rank: text().notNull(),
    ...versionColumns,
  },
  (t) => [
    index('story_map_swimlanes_rank').on(t.subscriptionId, t.storyMapId, t.rank),
    index('story_map_swimlanes_version')
      .on(t.subscriptionId, t.solutionVersionId)
      .where(sql`solution_version_id IS NOT NULL`),
  ],
)

export const storyMapCards = sqliteTable(
  'story_map_cards',
  {
    ...idColumns,
    storyMapId: integer('story_map_id').notNull(),
    stepId: integer('step_id').notNull(),
    swimlaneId: integer('swimlane_id'),
    workItemId: integer('work_item_id').notNull(),
    rank: text().notNull(),
  },
  (t) => [
    uniqueIndex('story_map_cards_story').on(t.subscriptionId, t.workItemId, t.storyMapId),
    index('story_map_cards_rank').on(t.subscriptionId, t.storyMapId, t.stepId, t.rank),
    index('story_map_cards_swimlane').on(t.subscriptionId, t.swimlaneId).where(sql`swimlane_id IS NOT NULL`),
  ],
)
