import { useMemo } from 'preact/hooks'
import { BoardColumn } from './board-column'
import { type BoardView, listColumns } from './board-view'
import type { CastState } from './cast-state'
import { MoveDialog } from './move-dialog'
import type { Cast, ListedPersona } from './requests'
import { EditSegmentDialog, NewSegmentDialog } from './segment-dialog'
import { texts } from './texts/texts'
import { useBoardKeys } from './use-board-keys'

interface BoardProps {
  state: CastState
  view: BoardView
  cast: Cast
  personas: readonly ListedPersona[]
  may: boolean
}

/** The personas by segment. A card changes its segment by drag, by keys, or by the form of its button. */
export function Board({ state, view, cast, personas, may }: BoardProps) {
  const columns = useMemo(() => listColumns(cast, personas), [cast, personas])
  const onKeyDown = useBoardKeys({ state, view, columns, mayChange: may })
  const moved = personas.find(({ externalKey }) => externalKey === view.movedCard.value)
  const edited = view.editedSegment.value
  const closeSegment = () => {
    view.editedSegment.value = undefined
  }
  const first = columns.find((column) => column.personas.length)?.personas[0]?.externalKey
  const hasCurrent = personas.some(({ externalKey }) => externalKey === view.current.value)
  return (
    <>
      <section class="single" aria-label={texts.board} onKeyDown={onKeyDown}>
        <div class="columns">
          {columns.map((column) => (
            <BoardColumn
              key={column.segmentId ?? 'none'}
              {...{ column, state, view }}
              tabStop={hasCurrent ? view.current.value : first}
              mayChange={may}
            />
          ))}
        </div>
      </section>
      {moved && <MoveDialog {...{ state, view }} persona={moved} segments={cast.segments} />}
      {edited === 'new' && <NewSegmentDialog state={state} onClose={closeSegment} />}
      {typeof edited === 'number' && <EditSegmentDialog id={edited} state={state} onClose={closeSegment} />}
      <p class={view.carrying.carried.value ? 'lift-note' : 'sr'} role="status">
        {view.spoken.value}
      </p>
    </>
  )
}
