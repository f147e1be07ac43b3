import type { Versioned } from '../../api/change'
import { useDraft } from '../../api/draft'
import { ConflictBanner } from '../../parts/conflict-banner'
import { DraftFoot } from '../../parts/draft-foot'
import { Failure } from '../../parts/failure'
import { portalOrigin } from '../../state/portal-origin'
import { showToast } from '../../state/toast'
import { AccessCard } from './access-card'
import { ContentCard } from './content-card'
import { LookCard } from './look-card'
import { acceptPortal, type Portal, readPortal, sendPortal } from './requests'
import { texts } from './texts/texts'

interface PortalFormProps {
  stored: Versioned<Portal>
  workspace: string
  may: boolean
}

/** A part of the form. */
export interface PartProps {
  portal: Portal
  edit: (change: Partial<Portal>) => void
}

export const addressOf = (slug: string): string => `${new URL(portalOrigin).host}/p/${slug}`

function consequenceOf(before: string | null, after: string | null): string {
  if (before === after) return ''
  if (after === null) return texts.access.closes
  return before === null ? texts.access.opens(addressOf(after)) : texts.access.moves(addressOf(after))
}

const showValue = (value: Portal[keyof Portal]): string => (Array.isArray(value) ? value.join(', ') : String(value))

export function PortalForm({ stored, workspace, may }: PortalFormProps) {
  const draft = useDraft<Portal>({
    current: stored,
    read: readPortal,
    accept: acceptPortal,
    async send(change, etag) {
      const sent = await sendPortal(change, etag)
      showToast(texts.saved)
      return sent
    },
  })
  const { value: portal, edit } = draft
  if (!portal) return null
  return (
    <form
      class="stack loose"
      onSubmit={(event) => {
        event.preventDefault()
        draft.submit()
      }}
    >
      {draft.failure && <Failure title={texts.saveFailed} error={draft.failure.error} onRetry={draft.failure.retry} />}
      {draft.conflict && (
        <ConflictBanner
          conflict={draft.conflict}
          show={(_, value) => showValue(value)}
          name={(field) => texts.fields[field]}
        />
      )}
      <fieldset class="stack loose" disabled={!may}>
        <AccessCard portal={portal} edit={edit} />
        <LookCard portal={portal} edit={edit} workspace={workspace} may={may} openSlug={stored.record.slug} />
        <ContentCard portal={portal} edit={edit} />
      </fieldset>
      {may && (
        <DraftFoot
          action={texts.save}
          isChanged={draft.isChanged}
          isSaving={draft.isSaving || draft.conflict !== undefined}
          onDiscard={draft.discard}
        >
          {consequenceOf(stored.record.slug, portal.slug)}
        </DraftFoot>
      )}
    </form>
  )
}
