import type { TenantTable } from '../../src/db/sql/home-ids'
import { insertQuietRow } from './quiet-row'

/** SQL of a value by column. `:id` is the workspace, `:sealed` a secret of the workspace. */
type RowValues = Record<string, string>

interface DueRow {
  table: string
  values: RowValues
  /** The workspace has the row already. */
  isUpdate?: true
}

const insert = (table: string, values: RowValues): DueRow => ({ table, values })
const update = (table: string, values: RowValues): DueRow => ({ table, values, isUpdate: true })

const sealed = { secret: ':sealed', sealed_by: "'test-old'" }

/** Rows on which each job of the cron acts. */
export const DUE_ROWS_BY_JOB: Record<string, DueRow[]> = {
  'enqueue due mail': [
    insert('email_slices', { email_id: ':id', recipients: "'[]'", next_attempt_at: '1' }),
    insert('email_chunks', { email_id: ':id', status: "'pending'", next_attempt_at: '1' }),
  ],
  'report outages of the mail provider': [insert('mail_outages', { since: '1', failed_at: '1' })],
  'erase recipients of old mailings': [
    insert('emails', { reference: "'erased-:id'", completed_at: '1' }),
    insert('emails', { reference: "'forgotten-:id'", completed_at: '1', erased_at: '1' }),
  ],
  'enqueue erasures': [insert('erasures', { next_attempt_at: '1' })],
  'publish scheduled changelog entries': [
    insert('changelog_entries', { external_key: "'CE-1'", status: "'scheduled'", publish_at: '1' }),
  ],
  'enqueue notices': [
    insert('feedback_notices', { created_at: '1' }),
    insert('notices', { created_at: '1' }),
    insert('notice_digests', { due_at: '1' }),
  ],
  'enqueue confirmations': [insert('segment_confirmations', { due_at: '1' })],
  'enqueue and clean up import runs': [
    insert('imports', { reference: "'due-:id'", status: "'pending'", next_attempt_at: '1' }),
    insert('imports', {
      ...{ reference: "'stored-:id'", status: "'completed'", object_key: "':id/import'" },
      ...{ next_attempt_at: '1', finished_at: '1' },
    }),
    insert('imports', { reference: "'journal-:id'", status: "'completed'", next_attempt_at: '1' }),
  ],
  'start nightly backups': [update('backup_schedule', { next_at: '1' })],
  'enqueue and clean up exports': [
    insert('exports', { object_key: "':id/queued'", next_attempt_at: '1' }),
    insert('exports', { object_key: "':id/file'", status: "'completed'", archive: "'{}'", next_attempt_at: '1' }),
    insert('exports', { object_key: "':id/ended'", status: "'expired'", next_attempt_at: '1' }),
  ],
  'enqueue webhooks': [insert('webhook_feeds', { next_look_at: '1' })],
  'enqueue received hooks': [insert('incoming_receipts', { status: "'queued'", next_attempt_at: '1' })],
  // The move itself.
  'enqueue moves of workspaces': [],
  'encrypt webhook secrets again': [insert('webhooks', sealed), insert('incoming_webhooks', sealed)],
  'encrypt client secrets again': [
    update('sign_in_settings', { client_secret: sealed.secret, sealed_by: sealed.sealed_by }),
  ],
  'encrypt secrets of portals again': [
    update('portals', { end_user_secret: sealed.secret, sealed_by: sealed.sealed_by }),
  ],
  'check verified domains': [insert('sign_in_domains', { domain: "'w:id.example'", next_check_at: '1' })],
  'encrypt keys of erased addresses again': [insert('address_keys', sealed)],
  'delete old responses and deliveries': [
    insert('idempotency_keys', { created_at: '1' }),
    insert('dead_letters', { failed_at: '1' }),
    insert('sign_ins', { nonce: "'n:id'", expires_at: '1' }),
    insert('api_keys', { jti: "'old-:id'", kind: "'session'", created_at: '1', expires_at: '1' }),
    insert('webhook_deliveries', { status: "'failed'", created_at: '1' }),
    insert('incoming_receipts', { status: "'processed'", created_at: '1' }),
    insert('incoming_records', { seen_at: '1' }),
  ],
  'archive the log': [update('log_keeping', { next_look_at: '1' })],
  'replay dead letters': [
    insert('dead_letters', { message: `'{"kind":"webhook.wake","subscriptionId"::id}'`, replay_at: '1' }),
  ],
  'measure stored bytes': [insert('written_rows', { measured_at: '0' })],
  'purge removed records': [insert('teams', { name: "'Removed'", deleted_at: '1' })],
  'erase workspaces': [update('subscriptions', { erase_at: '1' })],
  // Objects instead of rows.
  'delete objects without a record': [],
  // Values that a move copies or the new home fills.
  'fill new columns': [],
}

export function makeDueRow({ table, values, isUpdate }: DueRow, tables: readonly TenantTable[], id: number) {
  const bound = Object.entries(values).map(([name, text]) => [name, text.replaceAll(':id', String(id))] as const)
  if (isUpdate) {
    const assignments = bound.map(([name, value]) => `${name} = ${value}`)
    return `UPDATE ${table} SET ${assignments} WHERE ${table === 'subscriptions' ? 'id' : 'subscription_id'} = ${id}`
  }
  const found = tables.find(({ name }) => name === table)
  if (!found) throw new Error(`The schema has no table ${table}`)
  return insertQuietRow(found, id, Object.fromEntries(bound))
}
