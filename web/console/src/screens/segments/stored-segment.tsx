import { useMemo, useState } from 'preact/hooks'
import { useChange, type Versioned } from '../../api/change'
import { mayChange, maySee } from '../../api/me'
import { ConflictBanner } from '../../parts/conflict-banner'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { Bar } from '../../shell/bar'
import { useKeys } from '../../state/keys'
import { goTo } from '../../state/place'
import type { ScreenProps } from '../screens'
import { type FailedAct, removeWithUndo } from './remove-segment'
import { changeOf, type Segment } from './requests'
import { describeRules } from './rules'
import { SaveActions } from './save-actions'
import { SegmentPage } from './segment-page'
import { CRUMB, texts } from './texts/texts'
import { useDraft } from './use-draft'

export function showField(field: keyof Segment, value: Segment[keyof Segment]): string {
  if (field === 'rules') return describeRules(value as Segment['rules'])
  if (typeof value === 'boolean') return value ? texts.yes : texts.no
  return String(value ?? '') || '–'
}

export function StoredSegment({ me, main, current }: ScreenProps & { current: Versioned<Segment> }) {
  const may = mayChange(me, 'segments')
  const segment = current.record
  const edit = useDraft(segment)
  const [failed, fail] = useState<FailedAct>()
  const change = changeOf(segment.id)
  const { save, conflict, failure, isSaving } = useChange<Segment>({
    ...{ current, ...change },
    async send(fields, etag) {
      const stored = await change.send(fields, etag)
      edit.discard()
      return stored
    },
  })
  const store = () => {
    if (edit.changes && edit.isDirty && edit.isReady && !isSaving && !conflict) save(edit.changes, edit.base)
  }
  const remove = () => void removeWithUndo(segment, fail, () => goTo('/segments'))
  useKeys(
    useMemo(
      () => (may ? [{ keys: 'Backspace', label: texts.keys.remove, run: remove }] : []),
      [may, segment.id, segment.name],
    ),
  )
  return (
    <>
      <Bar title={segment.name} crumb={CRUMB}>
        {may && (
          <>
            <button class="btn small ghost danger" type="button" aria-label={texts.remove} onClick={remove}>
              <Icon name="remove" />
              <span class="only-wide">{texts.remove}</span>
            </button>
            <SaveActions
              action={texts.save}
              isDirty={edit.isDirty}
              isReady={!conflict}
              reason={edit.reason}
              isSaving={isSaving}
              onSave={store}
              onDiscard={edit.discard}
            />
          </>
        )}
      </Bar>
      <SegmentPage
        {...{ edit, may, main }}
        seesMail={maySee(me, 'mail:read')}
        stored={segment}
        error={failure?.error}
        notices={
          <>
            {failed && <Failure {...failed} />}
            {failure && <Failure title={texts.notSaved} error={failure.error} onRetry={failure.retry} />}
            {conflict && (
              <ConflictBanner
                conflict={{
                  ...conflict,
                  takeTheirs() {
                    edit.discard()
                    conflict.takeTheirs()
                  },
                }}
                show={showField}
                name={(field) => texts.fields[field] ?? field}
              />
            )}
          </>
        }
      />
    </>
  )
}
