import type { RefObject } from 'preact'
import type { Versioned } from '../../api/change'
import { useDraft } from '../../api/draft'
import { type Me, maySee } from '../../api/me'
import { useProducts } from '../../api/products'
import { Choices } from '../../parts/choices'
import { ConflictBanner } from '../../parts/conflict-banner'
import { DraftFoot } from '../../parts/draft-foot'
import { Failure } from '../../parts/failure'
import { Skeleton } from '../../parts/skeleton'
import { showToast } from '../../state/toast'
import type { ScreenProps } from '../screens'
import { SettingsPage } from '../settings/settings-page'
import { Members } from './members'
import { changeOf, type Team, useTeam } from './requests'
import { texts } from './texts/texts'

export default function TeamPage({ me, main, params: [id] }: ScreenProps) {
  const teamId = Number(id)
  const { data: stored, error, refetch } = useTeam(teamId)
  return (
    <SettingsPage me={me} main={main} path="/settings/teams" record={stored?.record.name ?? ''}>
      {error && !stored && <Failure title={texts.loadFailed} error={error} onRetry={() => refetch()} />}
      {!stored && !error && <Skeleton />}
      {stored && <TeamParts me={me} main={main} stored={stored} />}
    </SettingsPage>
  )
}

interface TeamPartsProps {
  me: Me
  main: RefObject<HTMLElement | null>
  stored: Versioned<Team>
}

const TeamParts = ({ me, main, stored }: TeamPartsProps) => {
  const may = maySee(me, 'products:write')
  return (
    <>
      {!may && <p class="sm muted">{texts.readerHint}</p>}
      <TeamForm stored={stored} may={may} />
      <Members stored={stored} may={may} main={main} />
    </>
  )
}

const showValue = (value: Team[keyof Team]): string => (Array.isArray(value) ? value.join(', ') : String(value))

function TeamForm({ stored, may }: { stored: Versioned<Team>; may: boolean }) {
  const products = useProducts()
  const change = changeOf(stored.record.id)
  const draft = useDraft<Team>({
    ...change,
    current: stored,
    async send(body, etag) {
      const sent = await change.send(body, etag)
      showToast(texts.saved(sent.record.name))
      return sent
    },
  })
  const { value: team, edit } = draft
  if (!team) return null
  return (
    <form
      class="card pad stack"
      aria-labelledby="team-form"
      onSubmit={(event) => {
        event.preventDefault()
        draft.submit()
      }}
    >
      <h2 class="h3" id="team-form">
        {texts.rename}
      </h2>
      {draft.failure && <Failure title={texts.saveFailed} error={draft.failure.error} onRetry={draft.failure.retry} />}
      {draft.conflict && (
        <ConflictBanner
          conflict={draft.conflict}
          show={(_, value) => showValue(value)}
          name={(field) => texts.fields[field]}
        />
      )}
      <fieldset class="stack" disabled={!may}>
        <label class="field">
          <span class="label">{texts.name}</span>
          <input
            class="input"
            required
            pattern=".*\S.*"
            maxLength={200}
            autocomplete="off"
            value={team.name}
            onInput={({ currentTarget }) => edit({ name: currentTarget.value })}
          />
        </label>
        <Choices
          title={texts.products}
          hint={products.length ? '' : texts.noProducts}
          choices={products.map(({ externalKey, name }) => ({ id: externalKey, name }))}
          chosen={team.products}
          onChange={(keys) => edit({ products: keys })}
        />
      </fieldset>
      {may && (
        <DraftFoot
          action={texts.save}
          isChanged={draft.isChanged}
          isSaving={draft.isSaving || draft.conflict !== undefined}
          onDiscard={draft.discard}
        />
      )}
    </form>
  )
}
