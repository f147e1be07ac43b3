import * as z from 'zod'
import { operation } from '../../http/operation'
import { listQuery } from '../../http/pagination'
import { invalid } from '../../text/errors'
import { mailBody } from '../../text/html'
import { iso } from '../../text/moments'
import { SegmentParams } from '../segments/schema'
import { chunkSize } from './provider'
import * as queries from './queries'
import { render } from './render'
import { Addressee, Email, EmailParams, Recipient, RecipientParams, RenderedMessage, SendEmail } from './schema'

export const sendSegmentEmail = operation({
  id: 'sendSegmentEmail',
  method: 'post',
  path: '/api/v2/segments/{segmentId}/email',
  tag: 'Segments',
  summary: 'Send e-mail to all members of a segment',
  description:
    'Answers at once with the recipients; the queue delivers. `Location` names the mailing, which says how far it is. ' +
    'Members who unsubscribed are not recipients.',
  scope: 'mail:write',
  workspaceWide: true,
  params: SegmentParams,
  body: SendEmail,
  data: z.array(Addressee),
  errors: ['segment_not_found'],
  async handle({ params, body, db, env, actor, origin, wake }) {
    const content = await mailBody(body.html, '/html')
    if (!content.html.trim()) {
      throw invalid('/html', 'Nothing is left of the HTML once scripts and the like are out. Send a message.')
    }
    const { id, addresses, replayed } = await queries.acceptEmail(db, {
      ...content,
      segmentId: params.segmentId,
      reference: crypto.randomUUID(),
      subject: body.subject,
      baseUrl: origin,
      chunkSize: chunkSize(env),
    })
    if (addresses.length && !replayed)
      wake({ kind: 'mail.accepted', subscriptionId: actor.subscriptionId, emailId: id })
    return {
      data: addresses,
      message: 'The e-mail was sent to all members of the segment.',
      location: `/api/v2/emails/${id}`,
    }
  },
})

/** The outcomes count up, so their sum tells one state of a mailing from the next. */
function versionOf({ status, sent, failed, suppressed }: queries.EmailRow): number {
  return 1 + sent + failed + suppressed + ['queued', 'sending', 'completed'].indexOf(status)
}

function toEmail(row: queries.EmailRow): z.input<typeof Email> {
  const { id, segmentId, subject, total, sent, failed, suppressed } = row
  const settled = sent + failed + suppressed
  return {
    id,
    segmentId,
    subject,
    status: row.status as z.input<typeof Email>['status'],
    totals: { recipients: total, waiting: total - settled, sent, failed, suppressed },
    progress: total ? Math.floor((100 * settled) / total) : 100,
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
    completedAt: iso(row.completedAt),
  }
}

export const getEmail = operation({
  id: 'getEmail',
  method: 'get',
  path: '/api/v2/emails/{emailId}',
  tag: 'Mail',
  summary: 'Retrieve a mailing, with its totals and progress',
  description:
    'Its totals say how many messages are waiting, were taken by the mail provider, failed, or were suppressed.',
  scope: 'mail:read',
  params: EmailParams,
  data: Email,
  errors: ['email_not_found'],
  async handle({ params, db }) {
    const row = await queries.getEmail(db, params.emailId)
    return { data: toEmail(row), version: versionOf(row) }
  },
})

function toRecipient(row: queries.RecipientRow): z.input<typeof Recipient> {
  const status = row.status as z.input<typeof Recipient>['status']
  return { ...row, status, updatedAt: iso(row.updatedAt) }
}

export const listEmailRecipients = operation({
  id: 'listEmailRecipients',
  method: 'get',
  path: '/api/v2/emails/{emailId}/recipients',
  tag: 'Mail',
  summary: 'List the recipients of a mailing, and what became of each message',
  description: 'In the order in which they were frozen when the mailing was accepted.',
  scope: 'mail:read',
  params: EmailParams,
  query: listQuery(['position', '-position']),
  data: z.array(Recipient),
  errors: ['email_not_found'],
  async handle({ params, query, db }) {
    const { rows, next } = await queries.listRecipients(db, params.emailId, query)
    return { data: rows.map(toRecipient), next }
  },
})

const OUTCOMES = Recipient.shape.status.options

/** Two outcomes may fall into one millisecond. */
function versionOfRecipient({ status }: z.input<typeof Recipient>, updatedAt: number): number {
  return updatedAt * OUTCOMES.length + OUTCOMES.indexOf(status)
}

export const getEmailRecipient = operation({
  id: 'getEmailRecipient',
  method: 'get',
  path: '/api/v2/emails/{emailId}/recipients/{position}',
  tag: 'Mail',
  summary: 'Retrieve a recipient with the message as it is sent',
  description: 'The message is made again from what was accepted, so it reads as this recipient got it or will get it.',
  scope: 'mail:read',
  params: RecipientParams,
  data: RenderedMessage,
  errors: ['email_not_found', 'recipient_not_found'],
  async handle({ params, db, actor, env }) {
    const { content, recipient } = await queries.getRecipient(db, params.emailId, params.position)
    const mailing = { ...content, subscriptionId: actor.subscriptionId }
    const sender = { from: env.MAIL_FROM, secrets: env.SIGNING_SECRETS }
    const { position: _, ...message } = await render(mailing, recipient, sender)
    const shown = toRecipient(recipient)
    return { data: { ...shown, message }, version: versionOfRecipient(shown, recipient.updatedAt) }
  },
})
