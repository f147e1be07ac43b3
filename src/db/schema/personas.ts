import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import {
  externalIdColumns,
  hasExternalId,
  idColumns,
  isAnyRow,
  isRemoved,
  isVisible,
  removableColumns,
  versionColumns,
} from './columns'

export const personas = sqliteTable(
  'personas',
  {
    ...idColumns,
    productId: integer('product_id'),
    externalKey: text('external_key').notNull(),
    name: text().notNull(),
    occupation: text(),
    quote: text(),
    description: text(),
    color: text(),
    goals: text().notNull().default('[]'),
    pains: text().notNull().default('[]'),
    ...removableColumns,
    avatar: text(),
    boardSegmentId: integer('board_segment_id'),
    ...externalIdColumns,
  },
  (t) => [
    uniqueIndex('personas_key').on(t.subscriptionId, t.externalKey),
    index('personas_created').on(t.subscriptionId, t.createdAt, t.id).where(isVisible),
    index('personas_removed').on(t.deletedAt).where(isRemoved),
    index('personas_product').on(t.subscriptionId, t.productId, t.createdAt, t.id).where(isVisible),
    index('personas_heavy')
      .on(t.subscriptionId)
      .where(sql`coalesce(octet_length(description), 0) + octet_length(goals) + octet_length(pains) > 40000`),
    index('personas_board_segment')
      .on(t.subscriptionId, t.boardSegmentId, t.createdAt, t.id)
      .where(sql`deleted_at IS NULL AND board_segment_id IS NOT NULL`),
    uniqueIndex('personas_external_id').on(t.subscriptionId, t.source, t.externalId).where(hasExternalId),
    index('personas_updated').on(t.subscriptionId, t.updatedAt, t.id).where(isVisible),
    index('personas_removed_list').on(t.subscriptionId, t.deletedAt).where(isRemoved),
  ],
)

export const personaSummaries = sqliteTable(
  'persona_summaries',
  {
    ...idColumns,
    personaId: integer('persona_id').notNull(),
    type: text().notNull(),
    text: text().notNull(),
    ...removableColumns,
  },
  (t) => [
    index('persona_summaries_persona').on(t.subscriptionId, t.personaId, t.createdAt, t.id).where(isVisible),
    index('persona_summaries_removed').on(t.deletedAt).where(isRemoved),
    index('persona_summaries_heavy').on(t.subscriptionId).where(sql`octet_length(text) > 40000`),
    index('persona_summaries_tenant').on(t.subscriptionId, t.id).where(isAnyRow),
    index('persona_summaries_updated').on(t.subscriptionId, t.personaId, t.updatedAt, t.id).where(isVisible),
    index('persona_summaries_removed_list').on(t.subscriptionId, t.personaId, t.deletedAt).where(isRemoved),
  ],
)

export const personaDocumentation = sqliteTable(
  'persona_documentation',
  {
    subscriptionId: integer('subscription_id').notNull(),
    personaId: integer('persona_id').notNull(),
    title: text().notNull().default(''),
    content: text().notNull().default(''),
    ...versionColumns,
  },
  (t) => [primaryKey({ columns: [t.subscriptionId, t.personaId] })],
)

export const opportunities = sqliteTable(
  'opportunities',
  {
    ...idColumns,
    productId: integer('product_id'),
    personaId: integer('persona_id').notNull(),
    summaryId: integer('summary_id').notNull(),
    externalKey: text('external_key').notNull(),
    summary: text().notNull(),
    description: text().notNull().default(''),
    color: text().notNull().default(''),
    spread: text().notNull().default(''),
    intensity: text().notNull().default(''),
    progress: text().notNull().default('to-do'),
    status: text().notNull().default('active'),
    teamId: integer('team_id'),
    order: integer().notNull(),
    planOrder: integer('plan_order').notNull(),
    ...removableColumns,
  },
  (t) => [
    uniqueIndex('opportunities_key').on(t.subscriptionId, t.externalKey),
    index('opportunities_removed').on(t.deletedAt).where(isRemoved),
    index('opportunities_persona').on(t.subscriptionId, t.personaId, t.createdAt, t.id).where(isVisible),
    index('opportunities_heavy').on(t.subscriptionId).where(sql`octet_length(description) > 40000`),
    index('opportunities_updated').on(t.subscriptionId, t.personaId, t.updatedAt, t.id).where(isVisible),
    index('opportunities_removed_list').on(t.subscriptionId, t.personaId, t.deletedAt).where(isRemoved),
  ],
)
