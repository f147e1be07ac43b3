import * as z from 'zod'
import { PEOPLE, reads } from '../../http/auth'
import { operation } from '../../http/operation'
import { invalid } from '../../text/errors'
import { mailBody } from '../../text/html'
import { SegmentParams } from '../segments/schema'
import { perHour } from './bounds'
import { shown } from './delivery/render'
import * as queries from './queries'
import {
  Addressee,
  ListRecipients,
  Mailing,
  MailingParams,
  Recipient,
  RecipientParams,
  RenderedMessage,
  SendMailing,
} from './schema'
import { newMailing, wakes } from './statements'

export const sendSegmentEmail = operation({
  id: 'sendSegmentEmail',
  method: 'post',
  path: '/api/v2/segments/{segmentId}/email',
  tag: 'Segments',
  summary: 'Send e-mail to all members of a segment',
  description:
    'Answers at once with the recipients; the queue delivers. `Location` names the mailing, which says how far it is. ' +
    'Members who unsubscribed are not recipients. The addresses are empty where the key reads neither mail nor people (`mail:read`, `segments:read`, `products:read`). A segment is mailed so often within an hour as the service is set to (`MAILINGS_PER_HOUR`, 20 unless set otherwise), and all segments of the workspace together (`WORKSPACE_MAILINGS_PER_HOUR`, 200); beyond that, 429.',
  scope: 'mail:write',
  workspaceWide: true,
  params: SegmentParams,
  body: SendMailing,
  data: z.array(Addressee),
  errors: ['segment_not_found'],
  async handle({ params, body, db, env, actor, origin, wake }) {
    const content = await mailBody(body.html, '/html')
    if (!content.html.trim()) {
      throw invalid('/html', 'Nothing is left of the HTML once scripts and the like are out. Send a message.')
    }
    const letter = newMailing({ ...content, subject: body.subject }, env, origin)
    const { id, addresses, replayed } = await queries.acceptMailing(db, params, letter, perHour(env))
    if (addresses.length && !replayed) wake(wakes(actor.subscriptionId, letter))
    return {
      data: reads(actor, 'mail', ...PEOPLE) ? addresses : addresses.map(() => ({ email: '' })),
      message: 'The e-mail was sent to all members of the segment.',
      location: `/api/v2/emails/${id}`,
    }
  },
})

export const getEmail = operation({
  id: 'getEmail',
  method: 'get',
  path: '/api/v2/emails/{emailId}',
  tag: 'Mail',
  summary: 'Retrieve a mailing, with its totals and progress',
  description:
    'Its totals say how many messages are waiting, were taken by the mail provider, failed, or were suppressed.',
  scope: 'mail:read',
  params: MailingParams,
  data: Mailing,
  errors: ['email_not_found'],
  handle: ({ params, db }) => queries.getMailing(db, params),
})

export const listEmailRecipients = operation({
  id: 'listEmailRecipients',
  method: 'get',
  path: '/api/v2/emails/{emailId}/recipients',
  tag: 'Mail',
  summary: 'List the recipients of a mailing, and what became of each message',
  description: 'In the order in which they were frozen when the mailing was accepted.',
  scope: 'mail:read',
  params: MailingParams,
  query: ListRecipients,
  data: z.array(Recipient),
  errors: ['email_not_found'],
  handle: ({ params, query, db }) => queries.listRecipients(db, query, params),
})

export const getEmailRecipient = operation({
  id: 'getEmailRecipient',
  method: 'get',
  path: '/api/v2/emails/{emailId}/recipients/{position}',
  tag: 'Mail',
  summary: 'Retrieve a recipient with the message as it is sent',
  description:
    "The message is made again from what was accepted, so it reads as this recipient got it or will get it, but for the unsubscribe link: that is the recipient's alone, and the one shown leads nowhere.",
  scope: 'mail:read',
  params: RecipientParams,
  data: RenderedMessage,
  errors: ['email_not_found', 'recipient_not_found'],
  async handle({ params, db, env }) {
    const { content, recipient } = await queries.getRecipient(db, params)
    const { data, version } = recipient
    const { position: _, ...message } = shown(content, { ...content, ...data }, env.MAIL_FROM)
    return { data: { ...data, message }, version }
  },
})
