import { useState } from 'preact/hooks'
import { ConflictBanner } from '../../parts/conflict-banner'
import { Failure } from '../../parts/failure'
import { Modal } from '../../parts/modal'
import { texts as shellTexts } from '../../texts/texts'
import { useVersions } from '../backlog/requests'
import type { StoryMap } from './map-model'
import { holdsParts, listSiblings, type MapState } from './map-state'
import type { EditedPart, MapView } from './map-view'
import { Choice } from './move-card-dialog'
import type { PartFields } from './requests'
import { texts } from './texts/texts'
import { type PartForm, usePartForm } from './use-part-form'

interface PartDialogProps {
  part: EditedPart
  map: StoryMap
  state: MapState
  view: MapView
}

const NO_VERSION = ''

/** The form of a new or a present activity, step or swimlane. */
export function PartDialog({ part, map, state, view }: PartDialogProps) {
  const { kind, id } = part
  const close = () => {
    view.editedPart.value = undefined
  }
  const form = usePartForm(part, map, state, close)
  const [versionKey, setVersionKey] = useState(form.present?.versionKey ?? null)
  const versions = useVersions(state.at.product)
  const label = form.present ? texts.edit[kind](form.present.title ?? '') : texts.new[kind]
  const show = (field: keyof PartFields, value: PartFields[keyof PartFields]): string =>
    field === 'activityId'
      ? (map.map.activities.find((one) => one.id === value)?.title ?? '')
      : field === 'versionKey'
        ? (versions.find(({ externalKey }) => externalKey === value)?.name ?? texts.noVersion)
        : String(value)
  return (
    <Modal label={label} onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const title = String(new FormData(event.currentTarget).get('title')).trim()
          void form.save(form.toChange({ title, versionKey }))
        }}
      >
        <header>
          <h2 class="h3">{label}</h2>
        </header>
        <div class="body stack">
          {form.error !== undefined && <Failure title={texts.failed.save} error={form.error} />}
          {form.conflict && (
            <ConflictBanner conflict={form.conflict} show={show} name={(field) => texts.fields[field]} />
          )}
          <div class="field">
            <label for="part-title">{texts.partTitle}</label>
            <input
              class="input"
              id="part-title"
              name="title"
              required
              pattern=".*\S.*"
              maxLength={200}
              autofocus
              defaultValue={form.present?.title ?? ''}
            />
          </div>
          {kind === 'step' && (
            <Choice
              id="part-activity"
              label={texts.activity}
              value={String(form.activityId)}
              onChoose={(value) => form.chooseActivity(Number(value))}
              options={map.map.activities.map(({ id: one, title }) => ({ value: String(one), text: title }))}
            />
          )}
          {kind === 'swimlane' && (
            <Choice
              id="part-version"
              label={texts.version}
              value={versionKey ?? NO_VERSION}
              onChoose={(value) => setVersionKey(value === NO_VERSION ? null : value)}
              options={[
                { value: NO_VERSION, text: texts.noVersion },
                ...versions.map(({ externalKey, name }) => ({ value: externalKey, text: name })),
              ]}
            />
          )}
          <PositionField form={form} />
          {id !== undefined && <Removal {...{ kind, id, map, state, close }} />}
        </div>
        <footer>
          <button class="btn" type="button" onClick={close}>
            {shellTexts.cancel}
          </button>
          <button class="btn primary" type="submit" aria-busy={form.isSending} disabled={form.isSending}>
            {form.present ? texts.savePart[kind] : texts.createPart[kind]}
          </button>
        </footer>
      </form>
    </Modal>
  )
}

const PositionField = ({ form: { siblings, position, setPosition } }: { form: PartForm }) =>
  siblings.length > 0 && (
    <Choice
      id="part-position"
      label={texts.position}
      value={String(position)}
      onChoose={(value) => setPosition(Number(value))}
      options={[
        { value: '0', text: texts.first },
        ...siblings.map(({ title }, n) => ({ value: String(n + 1), text: texts.after(title) })),
      ]}
    />
  )

interface RemovalProps {
  kind: EditedPart['kind']
  id: number
  map: StoryMap
  state: MapState
  close: () => void
}

/** Steps and cards of a removed part go to another part. */
function Removal({ kind, id, map, state, close }: RemovalProps) {
  const others = (kind === 'step' ? map.map.activities.flatMap(({ steps }) => steps) : listSiblings(map, kind)).filter(
    (other) => other.id !== id,
  )
  const [moveTo, setMoveTo] = useState(others[0]?.id)
  const needsTarget = kind !== 'swimlane' && holdsParts(map, kind, id)
  const isForbidden = needsTarget && moveTo === undefined
  return (
    <fieldset class="stack tight removal">
      {needsTarget && moveTo !== undefined && (
        <Choice
          id="part-target"
          label={texts.contentGoesTo[kind]}
          value={String(moveTo)}
          onChoose={(value) => setMoveTo(Number(value))}
          options={others.map((other) => ({ value: String(other.id), text: other.title }))}
        />
      )}
      {isForbidden && (
        <p class="hint" id="removal-hint">
          {texts.mustMove[kind]}
        </p>
      )}
      <button
        class="btn small"
        type="button"
        disabled={isForbidden}
        aria-describedby={isForbidden ? 'removal-hint' : undefined}
        onClick={() => {
          close()
          state.removePart(kind, id, needsTarget ? moveTo : undefined)
        }}
      >
        {texts.removePart[kind]}
      </button>
    </fieldset>
  )
}
