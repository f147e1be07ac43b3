import * as z from 'zod'
import type { Actor } from '../../db/sql/actor'
import type { Env } from '../../env'
import { ALL_RECIPIENTS_COST_REASON, declareCeiling, PAGE_RECORDS_COST_REASON } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { SegmentParams } from '../segments/schema'
import { previewMessage } from './delivery/render'
import { hideVariables } from './hide-variables'
import * as accepting from './queries/accept'
import { cancelMailing } from './queries/cancel'
import * as queries from './queries/read'
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
import { sendMailing } from './send'

const RESPONSE_DESCRIPTION =
  'Returns the recipients at once; the queue delivers the messages. `Location` names the mailing, which shows the progress. ' +
  'The addresses are empty if the key may read neither mail nor people (`mail:read`, `segments:read`, `products:read`). '

const VARIABLES_DESCRIPTION =
  'Subject, HTML and text can contain the variables `{{firstName}}`, `{{lastName}}`, `{{email}}`, `{{unsubscribeUrl}}` and `{{attributes.<name>}}`. A variable without a value is empty, and an unknown variable is a 400. '

const LIMIT_DESCRIPTION =
  'The setting `WORKSPACE_MAILINGS_PER_HOUR` limits the mailings of the workspace per hour (default 200). More mailings are a 429.'

export const sendSegmentEmail = operation({
  id: 'sendSegmentEmail',
  ceiling: declareCeiling(270_000, ALL_RECIPIENTS_COST_REASON),
  of: 'segment',
  route: 'POST /api/v2/segments/{segmentId}/email',
  storesRecords: true,
  summary: 'Send e-mail to all members of a segment',
  description: `${RESPONSE_DESCRIPTION}Members who unsubscribed are not recipients, nor are members whose confirmation is pending (see \`doubleOptIn\`). The rules of a dynamic segment select the recipients when the mailing is accepted, which takes an additional round trip; rules that exceed the budget are a 400 (see \`Rules\`). The response lists the first recipients, at most 50,000 and at most 4 MB; the message has the total. ${VARIABLES_DESCRIPTION}The setting \`MAILINGS_PER_HOUR\` limits the mailings to a segment per hour (default 20). ${LIMIT_DESCRIPTION}`,
  weight: 'bulk',
  scope: 'mail:write',
  workspaceWide: true,
  params: SegmentParams,
  body: SendMailing,
  acceptsUnknownMembers: true,
  data: z.array(Addressee),
  errors: ['segment_not_found'],
  handle: (asked) =>
    sendMailing(asked, 'all members of the segment', (letter, most) =>
      accepting.mailSegment(asked.db, asked.params, letter, most),
    ),
})

export const sendMembersEmail = operation({
  id: 'sendMembersEmail',
  ceiling: declareCeiling(27_000, ALL_RECIPIENTS_COST_REASON),
  of: 'segment',
  route: 'POST /api/v2/segments/email-members',
  storesRecords: true,
  summary: 'Send e-mail to selected idea-manager members',
  description: `Select the members by ids or by addresses. Each member gets one message. ${RESPONSE_DESCRIPTION}Members who stopped all e-mail of the workspace are not recipients. An unknown id or address is a 400. ${VARIABLES_DESCRIPTION}${LIMIT_DESCRIPTION}`,
  weight: 'bulk',
  scope: 'mail:write',
  workspaceWide: true,
  body: MailMembers,
  data: z.array(Addressee),
  handle: (asked) =>
    sendMailing(asked, 'the selected members', (letter, most) => {
      const { userIds, emails = [] } = asked.body
      return accepting.mailMembers(asked.db, userIds ? 'userIds' : 'emails', userIds ?? emails, letter, most)
    }),
})

export const sendTestEmail = operation({
  id: 'sendTestEmail',
  ceiling: declareCeiling(27_000, ALL_RECIPIENTS_COST_REASON),
  of: 'email',
  route: 'POST /api/v2/emails/test',
  storesRecords: true,
  summary: 'Send a test of an e-mail',
  description: `Sends to up to five addresses, including addresses of people who are not members or who unsubscribed. ${VARIABLES_DESCRIPTION}Variables of an address without a member are empty. ${LIMIT_DESCRIPTION}`,
  weight: 'replay',
  workspaceWide: true,
  body: SendTest,
  data: z.array(Addressee),
  handle: (asked) =>
    sendMailing(asked, 'the addresses of the test', (letter, most) =>
      accepting.mailTestAddresses(asked.db, asked.body.to, letter, most),
    ),
})

export const listEmails = operation({
  id: 'listEmails',
  ceiling: declareCeiling(31_000, PAGE_RECORDS_COST_REASON),
  of: 'email',
  route: 'GET /api/v2/emails',
  summary: 'List mailings',
  description:
    'Mailings with totals and progress, newest first, including mailings that the service sends on its own, like invitations.',
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
    'The totals count the messages that are waiting, accepted by the mail provider, failed, suppressed or canceled.',
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
    'Stops all messages that are not sent yet. A message in transit to the mail provider counts when its outcome is known. A mailing that has ended, and the mail of a sign-in, is a 409.',
  workspaceWide: true,
  ignoresQuota: true,
  params: MailingParams,
  data: Mailing,
  message: 'E-mail canceled',
  handle: ({ params, db }) => cancelMailing(db, params),
})

export const listEmailRecipients = operation({
  id: 'listEmailRecipients',
  ceiling: declareCeiling(41_000, PAGE_RECORDS_COST_REASON),
  of: 'email',
  route: 'GET /api/v2/emails/{emailId}/recipients',
  summary: 'List the recipients of a mailing, with the status of each message',
  description: 'Recipients in the order of their positions, fixed when the mailing was accepted.',
  params: MailingParams,
  query: ListRecipients,
  data: z.array(Recipient),
  handle: ({ params, query, db }) => queries.listRecipients(db, query, params),
})

/** `npm start` sends no mail: there a key with every scope reads the code of a sign-in. */
const findRevealingSecrets = (env: Env, { scopes }: Actor): string | undefined =>
  env.LOCAL_URL && env.MAIL_PROVIDER === 'outbox' && scopes.includes('*') ? env.SIGNING_SECRETS : undefined

export const getEmailRecipient = operation({
  id: 'getEmailRecipient',
  of: 'recipient',
  route: 'GET /api/v2/emails/{emailId}/recipients/{position}',
  summary: 'Retrieve a recipient with the rendered message',
  description:
    "The message is rendered again from the accepted content and the recipient's current data. Links to unsubscribe, to confirm or to accept an invitation are private to the recipient, so the response shows links without effect, and no code of a sign-in. Texts about ideas and versions in a mailing of kind `feedback` or `release` stay variables, like `{{title}}`, if the key may not read them (`feedback:read`, `backlog:read`, its products).",
  params: RecipientParams,
  data: RenderedMessage,
  errors: ['email_not_found', 'recipient_not_found'],
  async handle({ params, db, env, actor }) {
    const { content, recipient } = await queries.getRecipient(db, params)
    const { data, version } = recipient
    const said = hideVariables(content, actor)
    const { position: _, ...message } = await previewMessage(
      said,
      { ...said, ...data },
      env.MAIL_FROM,
      findRevealingSecrets(env, actor),
    )
    return { data: { ...data, message }, version }
  },
})
