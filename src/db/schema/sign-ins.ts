import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/**
 * Sign-ins by mail. Begins with a keyed hash of the address instead of the tenant: an address that signs in names no
 * workspace yet, and unknown addresses have a row too. The mail goes out with the workspace of `subscription_id`; 0 for
 * no mail.
 */
export const signIns = sqliteTable(
  'sign_ins',
  {
    addressHash: text('address_hash').notNull(),
    subscriptionId: integer('subscription_id').notNull(),
    userId: integer('user_id').notNull(),
    nonce: text().notNull(),
    tries: integer().notNull().default(0),
    /** Mails since `sent_since`. */
    sent: integer().notNull().default(1),
    sentSince: integer('sent_since').notNull(),
    expiresAt: integer('expires_at').notNull(),
    usedAt: integer('used_at'),
  },
  (t) => [
    primaryKey({ columns: [t.addressHash] }),
    uniqueIndex('sign_ins_nonce').on(t.nonce),
    index('sign_ins_expired').on(t.expiresAt),
    index('sign_ins_person').on(t.subscriptionId, t.userId),
  ],
)
