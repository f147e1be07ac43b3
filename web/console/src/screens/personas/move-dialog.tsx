import { useState } from 'preact/hooks'
import { AskDialog } from '../../parts/ask-dialog'
import type { BoardView } from './board-view'
import type { CastState } from './cast-state'
import type { BoardSegment, ListedPersona } from './requests'
import { texts } from './texts/texts'

interface MoveDialogProps {
  persona: ListedPersona
  segments: readonly BoardSegment[]
  state: CastState
  view: BoardView
}

/** The same choice as a drag of a card, as a form. */
export function MoveDialog({ persona, segments, state, view }: MoveDialogProps) {
  const [chosen, choose] = useState(String(persona.boardSegmentId ?? ''))
  return (
    <AskDialog
      title={texts.moveOne(persona.name)}
      action={texts.moveHere}
      failed={texts.failed.move(persona.externalKey)}
      onAct={() => state.move(persona, chosen ? Number(chosen) : null)}
      onClose={() => {
        view.movedCard.value = undefined
      }}
      onDone={() => view.focusOn(persona.externalKey)}
    >
      <div class="field">
        <label for="move-segment">{texts.segment}</label>
        <select
          class="select"
          id="move-segment"
          value={chosen}
          onChange={({ currentTarget: { value } }) => choose(value)}
        >
          {segments.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          <option value="">{texts.noSegment}</option>
        </select>
      </div>
    </AskDialog>
  )
}
