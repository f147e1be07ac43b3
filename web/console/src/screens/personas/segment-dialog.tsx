import { useEffect, useState } from 'preact/hooks'
import { useChange, type Versioned } from '../../api/change'
import { ConflictBanner } from '../../parts/conflict-banner'
import { Failure } from '../../parts/failure'
import { FormDialog } from '../../parts/form-dialog'
import { Modal } from '../../parts/modal'
import { Skeleton } from '../../parts/skeleton'
import { texts as shellTexts } from '../../texts/texts'
import type { CastState } from './cast-state'
import { type BoardSegment, changeOfSegment, type SegmentFields, sendNewSegment, useSegment } from './requests'
import { texts } from './texts/texts'

interface DialogProps {
  state: CastState
  onClose: () => void
}

function toFields(form: FormData): SegmentFields {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  return { name: text('name'), color: text('color') || null, ...(text('order') && { order: Number(text('order')) }) }
}

export const NewSegmentDialog = ({ state, onClose }: DialogProps) => (
  <FormDialog
    title={texts.newSegment}
    action={texts.createSegment}
    failed={texts.segmentNotSaved}
    onClose={onClose}
    onSubmit={async (form) => {
      await sendNewSegment(toFields(form))
      await state.read()
    }}
  >
    <SegmentFieldset />
  </FormDialog>
)

export function EditSegmentDialog(props: DialogProps & { id: number }) {
  const { data, error, refetch } = useSegment(props.id)
  if (data) return <EditForm {...props} current={data} />
  return (
    <Modal label={texts.segment} onClose={props.onClose}>
      <div class="pad">
        {error ? (
          <Failure title={texts.segmentFailed} error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton lines={3} />
        )}
      </div>
    </Modal>
  )
}

const MAX_ORDER = 1_000_000_000

/** Only what the person has changed. */
function pickChanges(fields: SegmentFields, base: BoardSegment): Partial<BoardSegment> {
  const changed = Object.entries(fields).filter(([name, value]) => base[name as keyof SegmentFields] !== value)
  return Object.fromEntries(changed)
}

/** Stays open until the service has stored the change, or a conflict is settled. */
function EditForm({ id, state, onClose, current }: DialogProps & { id: number; current: Versioned<BoardSegment> }) {
  const { save, conflict, failure, isSaving } = useChange<BoardSegment>({
    current,
    ...changeOfSegment(id, () => void state.read()),
  })
  const [base] = useState(current.record)
  const [isSent, setSent] = useState(false)
  useEffect(() => {
    if (isSent && !isSaving && !conflict && !failure) onClose()
  }, [isSent, isSaving, conflict, failure])
  const label = texts.editSegment(base.name)
  return (
    <Modal label={label} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const change = pickChanges(toFields(new FormData(event.currentTarget)), base)
          if (Object.keys(change).length) save(change, base)
          setSent(true)
        }}
      >
        <header>
          <h2 class="h3">{label}</h2>
        </header>
        <div class="body stack">
          {conflict && (
            <ConflictBanner
              conflict={conflict}
              name={(field) => texts.segmentFields[field as keyof SegmentFields]}
              show={(_, value) => String(value ?? '—')}
            />
          )}
          {failure && <Failure title={texts.segmentNotSaved} error={failure.error} onRetry={failure.retry} />}
          <SegmentFieldset segment={base} />
          <button
            class="btn small danger fit"
            type="button"
            onClick={() => {
              onClose()
              state.removeSegment(base)
            }}
          >
            {texts.removeSegment}
          </button>
        </div>
        <footer>
          <button class="btn" type="button" onClick={onClose}>
            {shellTexts.cancel}
          </button>
          <button class="btn primary" type="submit" aria-busy={isSaving} disabled={isSaving}>
            {texts.saveSegment}
          </button>
        </footer>
      </form>
    </Modal>
  )
}

const SegmentFieldset = ({ segment }: { segment?: BoardSegment }) => (
  <>
    <label class="field">
      <span class="label">{texts.segmentFields.name}</span>
      <input
        class="input"
        name="name"
        required
        pattern=".*\S.*"
        maxLength={200}
        defaultValue={segment?.name}
        autofocus
      />
    </label>
    <label class="field">
      <span class="label">{texts.segmentFields.color}</span>
      <input
        class="input"
        name="color"
        maxLength={50}
        placeholder={texts.placeholders.color}
        defaultValue={segment?.color ?? ''}
      />
    </label>
    <div class="field">
      <label for="segment-order">{texts.segmentFields.order}</label>
      <input
        class="input"
        id="segment-order"
        name="order"
        type="number"
        min={0}
        max={MAX_ORDER}
        required={segment !== undefined}
        aria-describedby="segment-order-hint"
        defaultValue={segment?.order}
      />
      <p class="hint" id="segment-order-hint">
        {segment ? texts.orderHint : texts.newOrderHint}
      </p>
    </div>
  </>
)
