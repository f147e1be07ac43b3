import * as z from 'zod'
import { NOTICE_KINDS, type NoticeKind } from '../notices/schema'

export const DIGEST_CHOICES = ['off', 'daily', 'weekly'] as const
export type DigestChoice = (typeof DIGEST_CHOICES)[number]

/** Kinds that only colleagues get. */
const TEAM_KINDS: readonly NoticeKind[] = ['assignment']
export const kindsOfPerson = (isColleague: boolean): NoticeKind[] =>
  NOTICE_KINDS.filter((kind) => isColleague || !TEAM_KINDS.includes(kind))

/** The form of the page. A browser sends only the checked kinds. */
export const PreferencesForm = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('save'),
    kind: z.array(z.enum(NOTICE_KINDS)),
    digest: z.enum(DIGEST_CHOICES),
  }),
  z.object({ action: z.literal('stop') }),
])

/** Preferences as their event shows them. */
export const MailPreferences = z
  .object({
    id: z.int().meta({ description: 'Id of the member.' }),
    digest: z.enum(DIGEST_CHOICES),
    stoppedKinds: z
      .array(z.enum(NOTICE_KINDS))
      .meta({ description: 'Kinds of changes that the member gets no mail about.' }),
  })
  .meta({ id: 'MailPreferences', description: 'Mail that a member wants about changes.' })
