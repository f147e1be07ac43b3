import type { Settings } from '../../env'

const DEFAULT_DELAY_MINUTES = 60
const MINUTE_MS = 60_000

/** Milliseconds that a mail waits for what else happens to the same people. */
export function readNoticeDelayMs({ NOTICE_DELAY_MINUTES }: Pick<Settings, 'NOTICE_DELAY_MINUTES'>): number {
  const set = NOTICE_DELAY_MINUTES ?? ''
  return (/^\d{1,5}$/.test(set) ? Number(set) : DEFAULT_DELAY_MINUTES) * MINUTE_MS
}
