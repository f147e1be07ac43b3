import type * as z from 'zod'
import { canRead, PEOPLE_AREAS } from '../../../http/auth'
import { declareCeiling, EVERY_MEMBER_COST_REASON } from '../../../http/ceiling'
import { operation } from '../../../http/operation'
import { invalidValueError } from '../../../text/errors'
import { sanitizeMailBody } from '../../../text/html/rich-text'
import { SegmentParams } from '../../segments/schema'
import { previewMessage } from '../delivery/render'
import { normalizeHtmlVariables } from '../fill-html'
import { normalizeVariables } from '../variables'
import { findAudience, type PersonRow } from './queries'
import { MAX_COUNTED_MEMBERS, MailingPreview, PreviewMailing } from './schema'

const NOBODY_SKIPPED = { unsubscribe: 0, hard_bounce: 0, complaint: 0, manual: 0, unconfirmed: 0 }

interface PreviewContext {
  from: string
  baseUrl: string
}

/** Renders with the same steps as a mailing, which stores the sanitized HTML and the text of it. */
async function renderPreview(
  { subject, html, text, replyTo }: z.output<typeof PreviewMailing>,
  { userId: _, skipReason: __, ...reader }: PersonRow,
  { from, baseUrl }: PreviewContext,
): Promise<z.input<typeof MailingPreview>['message']> {
  if (subject === undefined || html === undefined) return null
  const content = await sanitizeMailBody(html, '/html')
  if (!content.html.trim()) return null
  const stored = {
    ...{ kind: 'segment', replyTo: replyTo ?? null, baseUrl, variables: null },
    subject: normalizeVariables(subject),
    html: await normalizeHtmlVariables(content.html),
    text: normalizeVariables(text ?? content.text),
  }
  const { position: ___, ...message } = await previewMessage(stored, { ...reader, position: 0, own: null }, from)
  return message
}

export const previewSegmentEmail = operation({
  id: 'previewSegmentEmail',
  ceiling: declareCeiling(225_000, EVERY_MEMBER_COST_REASON),
  of: 'segment',
  bulk: true,
  route: 'POST /api/v2/segments/{segmentId}/email/preview',
  summary: 'Preview an e-mail to a segment',
  description:
    'Counts the recipients of a mailing before you send it, says which members are skipped and why, and which recipients a file of an import names as unsubscribed, and renders the message for one member. Nothing is sent or stored. Send no subject or HTML to count the recipients only. The rules of a dynamic segment are evaluated; rules that exceed the budget are a 400 (see `Rules`). A key that may not read people (`segments:read`, `products:read`) gets the counts only.',
  weight: 'preview',
  scope: 'mail:read',
  params: SegmentParams,
  body: PreviewMailing,
  data: MailingPreview,
  errors: ['segment_not_found'],
  async handle({ params, body, db, env, actor, origin }) {
    const { audience, person } = await findAudience(db, { ...params, userId: body.userId ?? null })
    if (body.userId !== undefined && !person)
      throw invalidValueError(
        '/userId',
        'No member of the segment has this id. Leave `userId` out for the first recipient.',
      )
    const shown = person && canRead(actor, ...PEOPLE_AREAS) ? person : undefined
    const counts = JSON.parse(audience?.skipped ?? '{}') as Partial<z.input<typeof MailingPreview>['skipped']>
    const data: z.input<typeof MailingPreview> = {
      recipients: audience?.recipients ?? 0,
      skipped: { ...NOBODY_SKIPPED, ...counts },
      skippedMembers: canRead(actor, ...PEOPLE_AREAS) ? JSON.parse(audience?.skippedMembers ?? '[]') : [],
      withoutName: { firstName: audience?.withoutFirstName ?? 0, lastName: audience?.withoutLastName ?? 0 },
      refusedElsewhere: {
        people: audience?.refusedPeople ?? 0,
        imports: JSON.parse(audience?.refusingImports ?? '[]'),
      },
      isComplete: (audience?.counted ?? 0) < MAX_COUNTED_MEMBERS,
      member: shown ? { userId: shown.userId, email: shown.email, skipReason: shown.skipReason } : null,
      message: shown ? await renderPreview(body, shown, { from: env.MAIL_FROM, baseUrl: origin }) : null,
    }
    return { data }
  },
})
