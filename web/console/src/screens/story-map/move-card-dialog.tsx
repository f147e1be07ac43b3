import { useState } from 'preact/hooks'
import { Modal } from '../../parts/modal'
import { texts as shellTexts } from '../../texts/texts'
import { BESIDE, findSpot, isSameCell, listCards, listSteps, type Spot, type StoryMap } from './map-model'
import type { MapState } from './map-state'
import type { MapView } from './map-view'
import { texts } from './texts/texts'

interface MoveCardDialogProps {
  cardKey: string
  map: StoryMap
  state: MapState
  view: MapView
}

const NO_LANE = ''

/** A card that is not on the map goes onto it. */
const findFirstChoice = (map: StoryMap, own: Spot | undefined): number =>
  own && own.stepId !== BESIDE ? own.stepId : (listSteps(map)[0]?.id ?? BESIDE)

/** The same choice as a drag, as a form. */
export function MoveCardDialog({ cardKey, map, state, view }: MoveCardDialogProps) {
  const own = findSpot(map, cardKey)
  const [stepId, setStepId] = useState(findFirstChoice(map, own))
  const [swimlaneId, setSwimlaneId] = useState(own?.swimlaneId ?? null)
  const cell = { stepId, swimlaneId: stepId === BESIDE ? null : swimlaneId }
  const others = listCards(map, cell).filter(({ externalKey }) => externalKey !== cardKey)
  const [chosen, setChosen] = useState<number>()
  const index = chosen ?? (own && isSameCell(own, cell) ? own.index : others.length)
  const close = () => {
    view.movedCard.value = undefined
  }
  const spot = { ...cell, index: Math.min(index, others.length) }
  const isThere = own !== undefined && isSameCell(own, spot) && (stepId === BESIDE || own.index === spot.index)
  const reason = isThere ? (listSteps(map).length ? texts.isThere : texts.noStep) : undefined
  const title = own?.stepId === BESIDE ? texts.placeOne(cardKey) : texts.moveOne(cardKey)
  return (
    <Modal label={title} onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          close()
          void state.place(cardKey, spot)
          view.focusOn(cardKey)
        }}
      >
        <header>
          <h2 class="h3">{title}</h2>
        </header>
        <div class="body stack">
          <Choice
            id="card-step"
            label={texts.step}
            value={String(stepId)}
            onChoose={(value) => {
              setStepId(Number(value))
              setChosen(undefined)
            }}
            options={[
              ...listSteps(map).map(({ id, title: text }) => ({ value: String(id), text })),
              { value: String(BESIDE), text: texts.unplaced },
            ]}
          />
          {stepId !== BESIDE && (
            <>
              <Choice
                id="card-lane"
                label={texts.swimlane}
                value={swimlaneId === null ? NO_LANE : String(swimlaneId)}
                onChoose={(value) => {
                  setSwimlaneId(value === NO_LANE ? null : Number(value))
                  setChosen(undefined)
                }}
                options={[
                  ...map.map.swimlanes.map(({ id, title: text }) => ({ value: String(id), text })),
                  { value: NO_LANE, text: texts.noSwimlane },
                ]}
              />
              <Choice
                id="card-place"
                label={texts.position}
                value={String(index)}
                onChoose={(value) => setChosen(Number(value))}
                options={[
                  { value: '0', text: texts.first },
                  ...others.map(({ externalKey, summary }, n) => ({
                    value: String(n + 1),
                    text: texts.after(`${externalKey} ${summary}`),
                  })),
                ]}
              />
            </>
          )}
        </div>
        <footer>
          {reason && (
            <p class="sm muted grow" id="move-reason">
              {reason}
            </p>
          )}
          <button class="btn" type="button" onClick={close}>
            {shellTexts.cancel}
          </button>
          <button
            class="btn primary"
            type="submit"
            disabled={reason !== undefined}
            aria-describedby={reason && 'move-reason'}
          >
            {own?.stepId === BESIDE ? texts.placeHere : texts.moveHere}
          </button>
        </footer>
      </form>
    </Modal>
  )
}

interface ChoiceProps {
  id: string
  label: string
  value: string
  options: readonly { value: string; text: string }[]
  onChoose: (value: string) => void
}

export const Choice = ({ id, label, value, options, onChoose }: ChoiceProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    <select class="select" id={id} value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.text}
        </option>
      ))}
    </select>
  </div>
)
