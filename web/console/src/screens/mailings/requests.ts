import type { Operations } from 'groundwork-client'
import { client } from '../../api/client'
import { queries, useQuery } from '../../api/queries'
import { GROUPS, type Group } from './place'

export type Mailing = Operations['listEmails']['data'][number]
export type Recipient = Operations['listEmailRecipients']['data'][number]
export type Rendered = Operations['getEmailRecipient']['data']
export type Segment = Operations['listSegments']['data'][number]
export type Member = Operations['listSegmentUsers']['data'][number]
export type MailPreview = Operations['previewSegmentEmail']['data']
export type Message = NonNullable<MailPreview['message']>

const RESOURCE = 'email'
export const PAGE = 50
const MAX_SEGMENTS = 100
const POLL_MS = 3_000

/** Records of the first pages, and whether there are more. */
export interface Pages<R> {
  records: R[]
  hasMore: boolean
}

async function takePages<R>(records: AsyncIterable<R>, limit: number): Promise<Pages<R>> {
  const found: R[] = []
  for await (const record of records) {
    if (found.length === limit) return { records: found, hasMore: true }
    found.push(record)
  }
  return { records: found, hasMore: false }
}

const ENDED: readonly Mailing['status'][] = ['completed', 'canceled']
export const isEnded = ({ status }: Mailing): boolean => ENDED.includes(status)
const isMoving = (mailing: Mailing): boolean => !isEnded(mailing) && mailing.status !== 'scheduled'

export const useMailings = (group: Group, limit: number) =>
  useQuery<Pages<Mailing>>({
    queryKey: [RESOURCE, 'list', group, limit],
    queryFn: () => takePages(client.each('listEmails', { kind: [...GROUPS[group]], limit: PAGE }), limit),
    refetchInterval: ({ state }) => (state.data?.records.some(isMoving) ? POLL_MS : false),
  })

/** Reads again while messages leave: not each message has an event. */
export const useMailing = (emailId: number) =>
  useQuery<Mailing>({
    queryKey: [RESOURCE, 'one', emailId],
    queryFn: () => client.getEmail({ emailId }),
    refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? POLL_MS : false),
  })

export const RECIPIENT_FILTERS = {
  all: undefined,
  problems: ['failed', 'bounced', 'complained'],
  skipped: ['suppressed', 'canceled'],
} as const satisfies Record<string, readonly Recipient['status'][] | undefined>
export type RecipientFilter = keyof typeof RECIPIENT_FILTERS

/** `version` changes with the outcome of messages. */
export function useRecipients(emailId: number, filter: RecipientFilter, limit: number, version: string) {
  const status = RECIPIENT_FILTERS[filter]
  return useQuery<Pages<Recipient>>({
    queryKey: [RESOURCE, 'recipients', emailId, filter, limit, version],
    queryFn: () =>
      takePages(
        client.each('listEmailRecipients', { emailId, limit: PAGE, ...(status && { status: [...status] }) }),
        limit,
      ),
  })
}

export const useRendered = (emailId: number, position: number) =>
  useQuery<Rendered>({
    queryKey: [RESOURCE, 'message', emailId, position],
    queryFn: () => client.getEmailRecipient({ emailId, position }),
  })

export const useSegments = () =>
  useQuery<Segment[]>({
    queryKey: ['segment', 'names'],
    queryFn: () => client.listSegments({ limit: MAX_SEGMENTS, sort: ['name'] }),
  }).data

const MAX_READERS = 100

/** The newest members, who can be chosen as readers of a preview. */
export const useReaders = (segmentId: number | undefined) =>
  useQuery<Member[]>({
    queryKey: ['segment', 'readers', segmentId],
    queryFn: () => client.listSegmentUsers({ segmentId: segmentId ?? 0, limit: MAX_READERS }),
    enabled: segmentId !== undefined,
  }).data ?? []

export interface PreviewInput {
  segmentId: number
  subject: string
  html: string
  userId: number | undefined
}

export const usePreview = (input: PreviewInput | undefined) =>
  useQuery<MailPreview>({
    queryKey: ['suppression', 'preview', input],
    queryFn: ({ signal }) => {
      const { segmentId, subject, html, userId } = input as PreviewInput
      const body = { ...(subject && { subject }), ...(html && { html }), ...(userId !== undefined && { userId }) }
      return client.previewSegmentEmail({ segmentId, body }, { signal })
    },
    enabled: input !== undefined,
  })

export const readAgain = () => queries.invalidateQueries({ queryKey: [RESOURCE] })

interface MailBody {
  subject: string
  html: string
  replyTo?: string
  scheduledAt?: string
}

/** Returns the id of the mailing. */
export async function sendMail(segmentId: number, body: MailBody): Promise<number> {
  const { headers } = await client.request('sendSegmentEmail', { segmentId, body })
  await readAgain()
  return Number(headers.get('location')?.split('/').at(-1))
}

export async function sendTest(email: string, { subject, html, replyTo }: MailBody): Promise<void> {
  await client.sendTestEmail({ body: { to: [email], subject, html, ...(replyTo && { replyTo }) } })
  await readAgain()
}

export async function sendCancel(emailId: number): Promise<void> {
  await client.cancelEmail({ emailId })
  await readAgain()
}
