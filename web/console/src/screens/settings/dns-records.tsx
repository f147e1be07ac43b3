import { RecordTable } from '../../parts/record-table'
import { texts } from './texts/texts'

export interface DnsRecord {
  type: 'TXT' | 'CNAME'
  name: string
  value: string
  why: string
}

/** The text that proves a domain to the service (docs/api-conventions.md). */
export const proofOf = (workspaceId: number): string => `groundwork-verification=${location.host}/${workspaceId}`

/** Records that the owner of a domain publishes. */
export const DnsRecords = ({ records }: { records: readonly DnsRecord[] }) => (
  <RecordTable
    records={records}
    keyOf={({ type, name }) => `${type} ${name}`}
    columns={[
      { title: texts.dns.type, show: ({ type }) => type },
      { title: texts.dns.name, show: ({ name }) => <span class="wrap-text">{name}</span> },
      { title: texts.dns.value, show: ({ value }) => <span class="wrap-text">{value}</span> },
      { title: texts.dns.why, show: ({ why }) => why, isMuted: true },
    ]}
  />
)
