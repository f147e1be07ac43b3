import { canRead, PEOPLE_AREAS } from '../../http/auth'
import type { HandlerInput, HandlerReply } from '../../http/operation'
import { invalidValueError } from '../../text/errors'
import { sanitizeMailBody } from '../../text/html/rich-text'
import { normalizeHtmlVariables } from './fill-html'
import { type MailingLimits, readMailingLimits } from './mailing-limits'
import type { AcceptedMailing } from './queries/accept'
import { createMailAcceptedMessage, createMailing, type MailContent, type NewMailing } from './statements'

interface MailingBody extends Omit<MailContent, 'text'> {
  text?: string | undefined
}

type SendRequest = Pick<HandlerInput<unknown, unknown, MailingBody>, 'body' | 'env' | 'actor' | 'origin' | 'enqueue'>

export async function sendMailing(
  { body, env, actor, origin, enqueue }: SendRequest,
  to: string,
  accept: (mailing: NewMailing, most: MailingLimits) => Promise<AcceptedMailing>,
): Promise<HandlerReply<{ email: string }[]>> {
  const content = await sanitizeMailBody(body.html, '/html')
  if (!content.html.trim()) {
    throw invalidValueError(
      '/html',
      'The HTML is empty after scripts and other unsafe parts are removed. Send a message.',
    )
  }
  const html = await normalizeHtmlVariables(content.html)
  const letter = createMailing({ ...body, html, text: body.text ?? content.text }, env, origin)
  const { id, total, addresses, isReplay } = await accept(letter, readMailingLimits(env))
  // A scheduled mailing waits for the cron, but slices become recipients right away.
  if (total && !isReplay) enqueue(createMailAcceptedMessage(actor.subscriptionId, letter))
  const done = body.scheduledAt === undefined ? 'was sent' : 'is scheduled'
  const more =
    total > addresses.length ? ` The mailing has ${total} recipients; the first ${addresses.length} are listed.` : ''
  return {
    data: canRead(actor, 'mail', ...PEOPLE_AREAS) ? addresses : addresses.map(() => ({ email: '' })),
    message: `The e-mail ${done} to ${to}.${more}`,
    location: `/api/v2/emails/${id}`,
  }
}
