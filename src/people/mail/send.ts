import { PEOPLE, reads } from '../../http/auth'
import type { Input, Reply } from '../../http/operation'
import { invalid } from '../../text/errors'
import { mailBody } from '../../text/html'
import { type PerHour, perHour } from './bounds'
import type { Accepted } from './queries/accept'
import { type Letter, type NewMailing, newMailing, wakes } from './statements'

interface Body extends Omit<Letter, 'text'> {
  text?: string | undefined
}

type Asking = Pick<Input<unknown, unknown, Body>, 'body' | 'env' | 'actor' | 'origin' | 'wake'>

/**
 * Accepts the mailing of a request, enqueues delivery, and returns the recipients; `to` describes the recipients in the
 * message.
 */
export async function send(
  { body, env, actor, origin, wake }: Asking,
  to: string,
  accept: (letter: NewMailing, most: PerHour) => Promise<Accepted>,
): Promise<Reply<{ email: string }[]>> {
  const content = await mailBody(body.html, '/html')
  if (!content.html.trim()) {
    throw invalid('/html', 'Nothing is left of the HTML once scripts and the like are out. Send a message.')
  }
  const letter = newMailing({ ...body, html: content.html, text: body.text ?? content.text }, env, origin)
  const { id, total, addresses, replayed } = await accept(letter, perHour(env))
  // A scheduled mailing waits for the cron, but slices become recipients right away.
  if (total && !replayed) wake(wakes(actor.subscriptionId, letter))
  const done = body.scheduledAt === undefined ? 'was sent' : 'is scheduled'
  const more = total > addresses.length ? ` They are ${total}; the first ${addresses.length} are listed.` : ''
  return {
    data: reads(actor, 'mail', ...PEOPLE) ? addresses : addresses.map(() => ({ email: '' })),
    message: `The e-mail ${done} to ${to}.${more}`,
    location: `/api/v2/emails/${id}`,
  }
}
