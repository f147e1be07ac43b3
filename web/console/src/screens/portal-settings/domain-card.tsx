import { useState } from 'preact/hooks'
import { useChange, type Versioned } from '../../api/change'
import { Banner } from '../../parts/banner'
import { ConflictBanner } from '../../parts/conflict-banner'
import { Failure } from '../../parts/failure'
import { showToast } from '../../state/toast'
import { DnsRecords, proofOf } from '../settings/dns-records'
import { acceptPortal, type Portal, readPortal, sendPortal } from './requests'
import { texts } from './texts/texts'

interface DomainCardProps {
  stored: Versioned<Portal>
  workspaceId: number
  may: boolean
}

export function DomainCard({ stored, workspaceId, may }: DomainCardProps) {
  const portal = stored.record
  const { domain, domainVerified } = portal
  const [typed, setTyped] = useState<string>()
  const [isMissing, setMissing] = useState(false)
  const { save, conflict, failure, isSaving } = useChange<Portal>({
    current: stored,
    read: readPortal,
    accept: acceptPortal,
    async send(change, etag) {
      setMissing(false)
      const sent = await sendPortal(change, etag)
      setTyped(undefined)
      if (change.domain === null && domain !== null)
        showToast(texts.domain.removed(domain), () => save({ domain }, sent.record))
      if (sent.record.domainVerified && !domainVerified) showToast(texts.domain.found(sent.record.domain ?? ''))
      setMissing(!sent.record.domainVerified && change.domain === domain)
      return sent
    },
  })
  const name = (typed ?? domain ?? '').trim().toLowerCase()
  return (
    <section class="card pad stack" aria-labelledby="portal-domain">
      <h2 class="h3" id="portal-domain">
        {texts.domain.title}
      </h2>
      {failure && <Failure title={texts.domain.failed} error={failure.error} onRetry={failure.retry} />}
      {conflict && (
        <ConflictBanner
          conflict={conflict}
          show={(_, value) => String(value ?? '')}
          name={(field) => texts.fields[field]}
        />
      )}
      <form
        class="stack tight"
        onSubmit={(event) => {
          event.preventDefault()
          save({ domain: name })
        }}
      >
        <div class="field">
          <label for="portal-host">{texts.domain.label}</label>
          <input
            class="input"
            id="portal-host"
            required
            maxLength={253}
            autocomplete="off"
            spellcheck={false}
            disabled={!may}
            aria-describedby="portal-host-hint"
            value={typed ?? domain ?? ''}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <p class="hint" id="portal-host-hint">
            {texts.domain.hint}
          </p>
        </div>
        {may && (
          <div class="row wrap">
            <button class="btn" type="submit" disabled={!name || name === domain || isSaving} aria-busy={isSaving}>
              {texts.domain.save}
            </button>
            {domain && (
              <button class="btn ghost danger" type="button" disabled={isSaving} onClick={() => save({ domain: null })}>
                {texts.domain.remove}
              </button>
            )}
          </div>
        )}
      </form>
      {domain && (
        <>
          <Banner
            tone={domainVerified ? 'green' : 'amber'}
            icon={domainVerified ? 'done' : 'clock'}
            title={domainVerified ? texts.domain.verified(domain) : texts.domain.waiting(domain)}
            action={
              may &&
              !domainVerified && (
                <button class="btn small" type="button" disabled={isSaving} onClick={() => save({ domain })}>
                  {texts.domain.check}
                </button>
              )
            }
          >
            <p>{domainVerified ? texts.domain.verifiedHint : texts.domain.waitingHint}</p>
            <p role="status">{isMissing && texts.domain.stillMissing}</p>
            {portal.slug === null && <p>{texts.domain.closed}</p>}
          </Banner>
          {!domainVerified && (
            <DnsRecords
              records={[
                {
                  type: 'TXT',
                  name: `_groundwork.${domain}`,
                  value: proofOf(workspaceId),
                  why: texts.domain.proof,
                },
                { type: 'CNAME', name: domain, value: texts.domain.target, why: texts.domain.route },
              ]}
            />
          )}
        </>
      )}
    </section>
  )
}
