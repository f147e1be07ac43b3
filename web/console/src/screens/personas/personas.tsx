import { useEffect, useMemo, useState } from 'preact/hooks'
import { type Me, mayChange } from '../../api/me'
import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { leaveRow, useListKeys } from '../../parts/list-keys'
import { Skeleton } from '../../parts/skeleton'
import { Bar } from '../../shell/bar'
import { useKeys } from '../../state/keys'
import { chosenProduct } from '../../state/product'
import { showCreated } from '../../state/toast'
import type { ScreenProps } from '../screens'
import { Board } from './board'
import { type BoardView, createBoardView } from './board-view'
import { type CastState, createCastState } from './cast-state'
import { DetailPane, useShownValue } from './detail-pane'
import { ListPane } from './list-pane'
import { PersonaDialog } from './persona-dialog'
import { isShown, pathOfPersona, readView, show, toRows, type View } from './place'
import { RecordConflict } from './record-conflict'
import type { Cast, ListedPersona } from './requests'
import { texts } from './texts/texts'
import { ViewSwitch } from './view-switch'

export default function PersonaScreen({ me, main }: ScreenProps) {
  const state = useMemo(createCastState, [])
  const board = useMemo(createBoardView, [])
  const view = readView()
  const may = mayChange(me, 'personas')
  const [isCreating, create] = useState(false)
  useEffect(() => {
    void state.read()
    return state.follow()
  }, [state])
  useKeys(useMemo(() => (may ? [{ keys: 'c', label: texts.keys.create, run: () => create(true) }] : []), [may]))
  const cast = state.shown.value
  const { isBoard, persona } = view
  return (
    <>
      <Bar title={texts.title}>
        {may && (
          <button class={persona ? 'btn small' : 'btn small primary'} type="button" onClick={() => create(true)}>
            <Icon name="plus" />
            {texts.create}
          </button>
        )}
      </Bar>
      <main id="main" ref={main} tabIndex={-1} class={isBoard ? 'board' : persona ? 'panes detail' : 'panes'}>
        {isBoard ? (
          <BoardStep {...{ me, state, board, cast }} />
        ) : (
          <Panes {...{ me, view, state, cast }} onCreate={() => create(true)} />
        )}
      </main>
      {isCreating && (
        <PersonaDialog
          segments={cast?.segments ?? []}
          segment={view.segment}
          onClose={() => create(false)}
          onCreate={(key) => {
            void state.read()
            if (isBoard) board.focusOn(key)
            else show({ persona: key, segment: '' })
            showCreated(key, pathOfPersona(key))
          }}
        />
      )}
    </>
  )
}

/** The personas of the chosen product, and of all products. */
const listOfProduct = (cast: Cast | undefined): ListedPersona[] =>
  (cast?.personas ?? []).filter(
    ({ product }) => chosenProduct.value === null || product === null || product === chosenProduct.value,
  )

/** What did not work. */
function Notices({ state, cast }: { state: CastState; cast: Cast | undefined }) {
  const failure = state.failure.value
  const error = state.error.value
  return (
    <>
      {failure && <Failure title={failure.title} error={failure.error} onRetry={failure.retry} />}
      {error !== undefined && !cast && (
        <Failure title={texts.listFailed} error={error} onRetry={() => void state.read()} />
      )}
    </>
  )
}

interface StepProps {
  me: Me
  state: CastState
  cast: Cast | undefined
}

function Panes({ me, view, state, cast, onCreate }: StepProps & { view: View; onCreate: () => void }) {
  const personas = listOfProduct(cast).filter((persona) => isShown(view, persona))
  const rows = toRows(view, personas)
  useListKeys(rows, texts.keys)
  const removeSelected = () => {
    if (!view.persona) return
    leaveRow(rows, view.persona)
    state.remove(view.persona)
  }
  return (
    <>
      <ListPane {...{ view, personas, onCreate }} cast={cast} may={mayChange(me, 'personas')}>
        {!view.persona && <Notices state={state} cast={cast} />}
      </ListPane>
      <section class="pane" aria-label={texts.detail}>
        {view.persona && <Notices state={state} cast={cast} />}
        {view.persona ? (
          <DetailPane key={view.persona} {...{ me, view, state }} personaKey={view.persona} onRemove={removeSelected} />
        ) : (
          <Empty icon="persona" title={texts.none} hint={texts.noneHint} />
        )}
      </section>
    </>
  )
}

function BoardStep({ me, state, board, cast }: StepProps & { board: BoardView }) {
  const conflict = state.conflict.value
  const personas = listOfProduct(cast)
  const may = mayChange(me, 'personas')
  const show = useShownValue(cast?.segments ?? [])
  return (
    <>
      <div class="tools">
        <ViewSwitch isBoard />
        <span class="sm muted" role="status">
          {cast && texts.found(personas.length)}
        </span>
        {may && (
          <button
            class="btn small push"
            type="button"
            onClick={() => {
              board.editedSegment.value = 'new'
            }}
          >
            <Icon name="plus" />
            {texts.newSegment}
          </button>
        )}
      </div>
      {(conflict || state.failure.value || state.error.value !== undefined) && (
        <div class="notices">
          {conflict && (
            <RecordConflict
              {...{ conflict, show }}
              product={conflict.theirs.product ?? undefined}
              name={() => texts.fields.boardSegmentId}
            />
          )}
          <Notices state={state} cast={cast} />
        </div>
      )}
      {!cast && state.error.value === undefined && <Skeleton lines={6} />}
      {cast && <Board {...{ state, cast, personas, may }} view={board} />}
    </>
  )
}
