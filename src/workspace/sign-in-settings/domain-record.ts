import * as z from 'zod'
import { fetchJson, OutboundError } from '../webhooks/outbound'

const DEFAULT_RESOLVER = 'https://cloudflare-dns.com/dns-query'
const TXT_RECORD_TYPE = 16

/** The record names the service too, because other installations have a workspace with the same id. */
export const makeDomainRecord = (serviceUrl: string, subscriptionId: number): string =>
  `groundwork-verification=${new URL(serviceUrl).host}/${subscriptionId}`

const NO_ERROR = 0
const NO_SUCH_DOMAIN = 3

const DnsAnswer = z.object({
  Status: z.int().optional(),
  Answer: z.array(z.object({ type: z.int(), data: z.string() })).optional(),
})

/** A long record is several quoted strings. */
const readTxtData = (data: string) =>
  data.startsWith('"') ? Array.from(data.matchAll(/"((?:[^"\\]|\\.)*)"/g), ([, part]) => part).join('') : data

export interface ResolverRules {
  DNS_RESOLVER?: string | undefined
  loopback: boolean
}

export type DomainLookup = 'found' | 'missing' | 'failed'

/** Asks a resolver over HTTPS (the JSON of DNS over HTTPS), because a Worker has no other way to resolve names. */
export async function lookUpDomainRecord(
  domain: string,
  record: string,
  { DNS_RESOLVER, loopback }: ResolverRules,
): Promise<DomainLookup> {
  const url = new URL(DNS_RESOLVER || DEFAULT_RESOLVER)
  url.searchParams.set('name', domain)
  url.searchParams.set('type', 'TXT')
  try {
    const answer = await fetchJson(url.href, { headers: { accept: 'application/dns-json' } }, { loopback })
    const { Status = NO_ERROR, Answer = [] } = DnsAnswer.parse(answer)
    if (Answer.some(({ type, data }) => type === TXT_RECORD_TYPE && readTxtData(data) === record)) return 'found'
    return Status === NO_ERROR || Status === NO_SUCH_DOMAIN ? 'missing' : 'failed'
  } catch (cause) {
    if (cause instanceof OutboundError || cause instanceof z.ZodError) return 'failed'
    throw cause
  }
}

export const hasDomainRecord = async (domain: string, record: string, rules: ResolverRules): Promise<boolean> =>
  (await lookUpDomainRecord(domain, record, rules)) === 'found'
