import * as z from 'zod'
import { ALL_RECIPIENTS, RECORDS_OF_PAGE, walk } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { SegmentParams } from '../segments/schema'
import { shown } from './delivery/render'
import * as accepting from './queries/accept'
import { cancelMailing } from './queries/cancel'
import * as queries from './queries/read'
import { readable } from './readable'
import {
  Addressee,
  ListMailings,
  ListRecipients,
  Mailing,
  MailingParams,
  MailMembers,
  Recipient,
  RecipientParams,
  RenderedMessage,
  SendMailing,
  SendTest,
} from './schema'
import { send } from './send'

const ANSWERED =
  'Answers at once with the recipients; the queue delivers. `Location` names the mailing, which says how far it is. ' +
  'The addresses are empty where the key reads neither mail nor people (`mail:read`, `segments:read`, `products:read`). '

const WRITTEN =
  'Subject, HTML and text may have the variables `{{firstName}}`, `{{lastName}}`, `{{email}}`, `{{unsubscribeUrl}}` and `{{attributes.<name>}}`; what is not known of a recipient is empty. '

const BOUNDED =
  'All mailings of the workspace together are as many within an hour as the service is set to (`WORKSPACE_MAILINGS_PER_HOUR`, 200 unless set otherwise); beyond that, 429.'

export const sendSegmentEmail = operation({
  id: 'sendSegmentEmail',
  ceiling: walk(270_000, ALL_RECIPIENTS),
  of: 'segment',
  route: 'POST /api/v2/segments/{segmentId}/email',
  summary: 'Send e-mail to all members of a segment',
  description: `${ANSWERED}Members who unsubscribed are not recipients. Of a dynamic segment they are those whom its rules mean when the mailing is accepted; its rules are read first, in a round trip of their own, and rules that take too much work for the members of the workspace are a 400 (see \`Rules\`). Of more than 50,000, or than fit into 4 MB, the first are answered, and the message says how many they are. ${WRITTEN}A segment is mailed so often within an hour as the service is set to (\`MAILINGS_PER_HOUR\`, 20 unless set otherwise). ${BOUNDED}`,
  weight: 'bulk',
  scope: 'mail:write',
  workspaceWide: true,
  params: SegmentParams,
  body: SendMailing,
  data: z.array(Addressee),
  errors: ['segment_not_found'],
  handle: (asked) =>
    send(asked, 'all members of the segment', (letter, most) =>
      accepting.mailSegment(asked.db, asked.params, letter, most),
    ),
})

export const sendMembersEmail = operation({
  id: 'sendMembersEmail',
  ceiling: walk(27_000, ALL_RECIPIENTS),
  of: 'segment',
  route: 'POST /api/v2/segments/email-members',
  summary: 'Send e-mail to selected idea-manager members',
  description: `By their ids or their addresses, each once. ${ANSWERED}Members who stopped all e-mail of the workspace are not recipients; an id or address that is nobody's is a 400. ${WRITTEN}${BOUNDED}`,
  weight: 'bulk',
  scope: 'mail:write',
  workspaceWide: true,
  body: MailMembers,
  data: z.array(Addressee),
  handle: (asked) =>
    send(asked, 'the selected members', (letter, most) => {
      const { userIds, emails = [] } = asked.body
      return accepting.mailMembers(asked.db, userIds ? 'userIds' : 'emails', userIds ?? emails, letter, most)
    }),
})

export const sendTestEmail = operation({
  id: 'sendTestEmail',
  ceiling: walk(27_000, ALL_RECIPIENTS),
  of: 'email',
  route: 'POST /api/v2/emails/test',
  summary: 'Send a test of an e-mail',
  description: `To up to five addresses, also of people who are no members or want no e-mail. ${WRITTEN}Variables of an address that is no member's are empty. ${BOUNDED}`,
  weight: 'replay',
  workspaceWide: true,
  body: SendTest,
  data: z.array(Addressee),
  handle: (asked) =>
    send(asked, 'the addresses of the test', (letter, most) =>
      accepting.mailTest(asked.db, asked.body.to, letter, most),
    ),
})

export const listEmails = operation({
  id: 'listEmails',
  ceiling: walk(31_000, RECORDS_OF_PAGE),
  of: 'email',
  route: 'GET /api/v2/emails',
  summary: 'List mailings',
  description:
    'The newest first, each with its totals and progress, also what the service sends by itself, like invitations.',
  query: ListMailings,
  data: z.array(Mailing),
  handle: ({ query, db }) => queries.listMailings(db, query),
})

export const getEmail = operation({
  id: 'getEmail',
  of: 'email',
  route: 'GET /api/v2/emails/{emailId}',
  summary: 'Retrieve a mailing, with its totals and progress',
  description:
    'Its totals say how many messages are waiting, were taken by the mail provider, failed, were suppressed, or were canceled.',
  params: MailingParams,
  data: Mailing,
  handle: ({ params, db }) => queries.getMailing(db, params),
})

export const cancelEmail = operation({
  id: 'cancelEmail',
  of: 'email',
  route: 'POST /api/v2/emails/{emailId}/cancel',
  summary: 'Cancel a mailing',
  description:
    'What has not gone does not go; what is on its way to the mail provider at this moment is counted once it is known. One that has ended is a 409.',
  workspaceWide: true,
  stops: true,
  params: MailingParams,
  data: Mailing,
  message: 'E-mail canceled',
  handle: ({ params, db }) => cancelMailing(db, params),
})

export const listEmailRecipients = operation({
  id: 'listEmailRecipients',
  of: 'email',
  route: 'GET /api/v2/emails/{emailId}/recipients',
  summary: 'List the recipients of a mailing, and what became of each message',
  description: 'In the order in which they were frozen when the mailing was accepted.',
  params: MailingParams,
  query: ListRecipients,
  data: z.array(Recipient),
  handle: ({ params, query, db }) => queries.listRecipients(db, query, params),
})

export const getEmailRecipient = operation({
  id: 'getEmailRecipient',
  of: 'recipient',
  route: 'GET /api/v2/emails/{emailId}/recipients/{position}',
  summary: 'Retrieve a recipient with the message as it is sent',
  description:
    "The message is made again from what was accepted, so it reads as this recipient got it or will get it, but for the unsubscribe link: that is the recipient's alone, and the one shown leads nowhere. What one of kind `feedback` or `release` says of ideas and versions stays a variable, like `{{title}}`, to a key that may not read these (`feedback:read`, `backlog:read`, its products).",
  params: RecipientParams,
  data: RenderedMessage,
  errors: ['email_not_found', 'recipient_not_found'],
  async handle({ params, db, env, actor }) {
    const { content, recipient } = await queries.getRecipient(db, params)
    const { data, version } = recipient
    const said = readable(content, actor)
    const { position: _, ...message } = shown(said, { ...said, ...data }, env.MAIL_FROM)
    return { data: { ...data, message }, version }
  },
})
