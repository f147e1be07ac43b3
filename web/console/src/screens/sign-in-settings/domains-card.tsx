import type { RefObject } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { useChange, type Versioned } from '../../api/change'
import { ConflictBanner } from '../../parts/conflict-banner'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { RecordTable } from '../../parts/record-table'
import { showToast } from '../../state/toast'
import { formatMoment } from '../../texts/formats'
import { DnsRecords, proofOf } from '../settings/dns-records'
import { leaveRow } from '../settings/leave-row'
import { acceptSignIn, readSignIn, type SignIn, sendSignIn } from './requests'
import { texts } from './texts/texts'

const findWaiting = ({ domains, verifiedDomains }: SignIn): string[] =>
  domains.filter((domain) => !verifiedDomains.includes(domain))

interface DomainsCardProps {
  stored: Versioned<SignIn>
  workspaceId: number
  may: boolean
  main: RefObject<HTMLElement | null>
}

export function DomainsCard({ stored, workspaceId, may, main }: DomainsCardProps) {
  const { record } = stored
  const [typed, setTyped] = useState('')
  const [isMissing, setMissing] = useState(false)
  const { save, conflict, failure } = useChange<SignIn>({
    current: stored,
    read: readSignIn,
    accept: acceptSignIn,
    async send(change, etag) {
      const sent = await sendSignIn(change, etag)
      setTyped('')
      setMissing(change.domains?.join() === record.domains.join() && findWaiting(sent.record).length > 0)
      return sent
    },
  })
  const latest = useRef(record)
  latest.current = record
  function remove(domain: string): void {
    leaveRow(main.current)
    save({ domains: record.domains.filter((one) => one !== domain) })
    showToast(texts.domains.removed(domain), () => save({ domains: [...latest.current.domains, domain] }))
  }
  const waiting = findWaiting(record)
  return (
    <section class="stack" aria-labelledby="domains">
      <h2 class="h3" id="domains">
        {texts.domains.title}
      </h2>
      <p class="sm muted">{texts.domains.hint}</p>
      {failure && <Failure title={texts.domains.failed} error={failure.error} onRetry={failure.retry} />}
      {conflict && (
        <ConflictBanner
          conflict={conflict}
          show={(_, value) => String(value ?? '')}
          name={(field) => texts.fields[field]}
        />
      )}
      {may && (
        <AddForm
          value={typed}
          onInput={setTyped}
          onAdd={() => save({ domains: [...record.domains, typed.trim().toLowerCase()] })}
        />
      )}
      {record.domains.length === 0 && <p>{texts.domains.none}</p>}
      {record.domains.length > 0 && (
        <RecordTable
          records={record.domains}
          keyOf={(domain) => domain}
          columns={[
            { title: texts.domains.domain, show: (domain) => <span class="b wrap-text">{domain}</span> },
            { title: texts.domains.state, show: (domain) => <DomainState settings={record} domain={domain} /> },
          ]}
          actions={
            may
              ? {
                  title: texts.domains.actions,
                  show: (domain) => (
                    <button
                      class="btn ghost icon small danger"
                      type="button"
                      aria-label={texts.domains.remove(domain)}
                      onClick={() => remove(domain)}
                    >
                      <Icon name="remove" />
                    </button>
                  ),
                }
              : undefined
          }
        />
      )}
      {waiting.length > 0 && (
        <>
          <div class="row wrap">
            <p class="grow">{texts.domains.records}</p>
            {may && (
              <button class="btn small" type="button" onClick={() => save({ domains: record.domains })}>
                {texts.domains.check}
              </button>
            )}
          </div>
          <p role="status">{isMissing && texts.domains.stillMissing}</p>
          <DnsRecords
            records={waiting.map((name) => ({
              ...{ type: 'TXT' as const, name, value: proofOf(workspaceId), why: texts.domains.proof },
            }))}
          />
        </>
      )}
    </section>
  )
}

interface AddFormProps {
  value: string
  onInput: (value: string) => void
  onAdd: () => void
}

const AddForm = ({ value, onInput, onAdd }: AddFormProps) => (
  <form
    class="field"
    onSubmit={(event) => {
      event.preventDefault()
      onAdd()
    }}
  >
    <label for="sign-in-domain">{texts.domains.label}</label>
    <div class="row">
      <input
        class="input"
        id="sign-in-domain"
        required
        maxLength={253}
        autocomplete="off"
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <button class="btn" type="submit">
        {texts.domains.add}
      </button>
    </div>
  </form>
)

const DomainState = ({ settings, domain }: { settings: SignIn; domain: string }) => {
  const missingSince = settings.domainChecks.find((check) => check.domain === domain)?.missingSince
  if (missingSince) return <span class="danger">{texts.domains.missing(formatMoment(missingSince))}</span>
  const isVerified = settings.verifiedDomains.includes(domain)
  return (
    <span class="row">
      <Icon name={isVerified ? 'done' : 'clock'} />
      {isVerified ? texts.domains.verified : texts.domains.waiting}
    </span>
  )
}
