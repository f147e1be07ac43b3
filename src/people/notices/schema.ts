import * as z from 'zod'

/** Notices of these kinds are about an idea that the person follows. */
export const FOLLOWED_KINDS = ['status', 'release', 'reply'] as const
export const NOTICE_KINDS = [...FOLLOWED_KINDS, 'changelog', 'mention', 'assignment'] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

export const NOTIFY_CHOICES = ['later', 'now', 'none'] as const
export type NotifyChoice = (typeof NOTIFY_CHOICES)[number]

export const Notify = z.enum(NOTIFY_CHOICES, { error: 'Must be "later", "now" or "none"' })

/** Reasons for which a public comment on an idea mails nobody. */
export const REASONS_WITHOUT_REPLY_MAIL = [
  'notOfTeam',
  'anonymous',
  'own',
  'removed',
  'left',
  'stopped',
  'suppressed',
] as const
export type ReasonWithoutReplyMail = (typeof REASONS_WITHOUT_REPLY_MAIL)[number]
