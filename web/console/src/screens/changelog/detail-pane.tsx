import { useMemo, useState } from 'preact/hooks'
import { useChange, type Versioned } from '../../api/change'
import { Banner } from '../../parts/banner'
import { ConflictBanner } from '../../parts/conflict-banner'
import { Failure } from '../../parts/failure'
import { focusDetail } from '../../parts/list-keys'
import { Loaded } from '../../parts/loaded'
import { useKeys } from '../../state/keys'
import { showToast } from '../../state/toast'
import { EntryForm } from './entry-form'
import { Heading } from './heading'
import { DETAIL_TITLE, type View } from './place'
import { Properties } from './properties'
import { PublishDialog } from './publish-dialog'
import { changeOf, type Entry, readAgain, sendSchedule, takeBack, useEntry, usePreview } from './requests'
import { ShownEntry } from './shown-entry'
import { texts } from './texts/texts'

interface PaneProps {
  view: View
  /** Key of the entry. */
  id: string
  may: boolean
  knownLabels: readonly string[]
  isEditing: boolean
  onEdit: (isEditing: boolean) => void
  onRemove: () => void
}

export const DetailPane = (props: PaneProps) => (
  <Loaded query={useEntry(props.id)} failed={texts.loadFailed}>
    {(current) => <Detail {...props} current={current} />}
  </Loaded>
)

function Detail({
  view,
  id,
  may,
  knownLabels,
  isEditing,
  onEdit,
  onRemove,
  current,
}: PaneProps & { current: Versioned<Entry> }) {
  const { shown, save, conflict, failure } = useChange<Entry>({ current, ...changeOf(id) })
  const entry = shown ?? current.record
  const { data: preview } = usePreview(id)
  const [isPublishing, publish] = useState(false)
  const [failed, fail] = useState<{ error: unknown; retry: () => void }>()
  const run = (send: () => Promise<unknown>, done: string) => {
    fail(undefined)
    send()
      .then(readAgain)
      .then(() => showToast(done))
      .catch((error: unknown) => fail({ error, retry: () => run(send, done) }))
  }
  const closeForm = () => {
    onEdit(false)
    requestAnimationFrame(() => focusDetail(DETAIL_TITLE))
  }
  const backToDraft = () => run(() => takeBack(id), texts.wasTakenBack(id))
  const isPublished = entry.status === 'published'
  const actions = {
    ...(may && !isEditing && { edit: () => onEdit(true), remove: onRemove }),
    ...(may && !isEditing && !isPublished && { publish: () => publish(true) }),
    ...(may && isPublished && { takeBack: backToDraft }),
    ...(may &&
      entry.status === 'scheduled' && { unschedule: () => run(() => sendSchedule(id, null), texts.wasTakenBack(id)) }),
  }
  useDetailKeys(actions, [id, entry.status, isEditing, may, onRemove])
  return (
    <div class="wide stack loose">
      {conflict && (
        <ConflictBanner
          conflict={conflict}
          name={(field) => texts.fields[field as keyof typeof texts.fields] ?? field}
          show={(_, value) => (Array.isArray(value) ? value.join(', ') : String(value ?? '—'))}
        />
      )}
      {failure && <Failure title={texts.notSaved} error={failure.error} onRetry={failure.retry} />}
      {failed && <Failure title={texts.notSaved} error={failed.error} onRetry={failed.retry} />}
      <Heading entry={entry} view={view} {...actions} />
      {isPublished && preview?.isShown === false && (
        <Banner tone="amber" icon="warn" title={texts.hiddenInPortal}>
          {texts.hiddenInPortalHint}
        </Banner>
      )}
      {isEditing ? (
        <EntryForm entry={entry} onSave={save} onClose={closeForm} />
      ) : (
        <section class="card pad" aria-label={texts.preview}>
          <ShownEntry entry={entry} preview={preview} />
        </section>
      )}
      <Properties {...{ entry, preview, knownLabels, may, save }} />
      {isPublishing && <PublishDialog entry={entry} onClose={() => publish(false)} />}
    </div>
  )
}

interface DetailActions {
  edit?: () => void
  publish?: () => void
  remove?: () => void
}

function useDetailKeys({ edit, publish, remove }: DetailActions, when: readonly unknown[]): void {
  useKeys(
    useMemo(
      () => [
        ...(edit ? [{ keys: 'e', label: texts.keys.edit, run: edit }] : []),
        ...(publish ? [{ keys: 'p', label: texts.keys.publish, run: publish }] : []),
        ...(remove ? [{ keys: 'Backspace', label: texts.keys.remove, run: remove }] : []),
      ],
      when,
    ),
  )
}
