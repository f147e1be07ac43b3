import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { useKeys } from '../../state/keys'
import { type BoardView, type Column, idOfCard } from './board-view'
import type { CastState } from './cast-state'
import { texts } from './texts/texts'

interface BoardKeyOptions {
  state: CastState
  view: BoardView
  columns: readonly Column[]
  mayChange: boolean
}

/** The keys of the board. Answers the listener for the keys of the card with the focus. */
export function useBoardKeys(options: BoardKeyOptions): (event: KeyboardEvent) => void {
  const { view, columns, mayChange } = options
  const latest = useRef(options)
  latest.current = options
  const actions = useMemo(() => createActions(() => latest.current), [])
  useKeys(
    useMemo(
      () => [
        { keys: 'ArrowDown', label: texts.keys.down, run: () => actions.step(1) },
        { keys: 'j', label: texts.keys.down, run: () => actions.step(1) },
        { keys: 'ArrowUp', label: texts.keys.up, run: () => actions.step(-1) },
        { keys: 'k', label: texts.keys.up, run: () => actions.step(-1) },
        { keys: 'ArrowRight', label: texts.keys.right, run: () => actions.turn(1) },
        { keys: 'ArrowLeft', label: texts.keys.left, run: () => actions.turn(-1) },
        { keys: 'Escape', label: texts.keys.takeBack, run: actions.takeBack },
        ...(mayChange
          ? [
              { keys: 'm', label: texts.keys.move, run: actions.choose },
              { keys: 'Backspace', label: texts.keys.remove, run: actions.remove },
            ]
          : []),
      ],
      [actions, mayChange],
    ),
  )
  const asked = view.focusAsked.value
  useLayoutEffect(() => {
    const hasLostFocus = document.activeElement === document.body
    if (asked && hasLostFocus) document.getElementById(idOfCard(view.current.value))?.focus()
  }, [columns])
  useLayoutEffect(() => {
    if (asked) document.getElementById(idOfCard(view.current.value))?.focus()
  }, [asked])
  return (event) => {
    const isOnCard = event.target instanceof HTMLAnchorElement && event.target.id.startsWith(idOfCard(''))
    if (!mayChange || !isOnCard || event.defaultPrevented) return
    const isCarrying = view.carrying.carried.value !== undefined
    if (event.key !== ' ' && !(event.key === 'Enter' && isCarrying)) return
    event.preventDefault()
    if (isCarrying) actions.drop()
    else actions.lift()
  }
}

const nameOfColumn = (column: Column | undefined): string => column?.segment?.name ?? texts.noSegment

function createActions(read: () => BoardKeyOptions) {
  const findColumn = (key: string | undefined) =>
    read().columns.find(({ personas }) => personas.some(({ externalKey }) => externalKey === key))
  const indexOfCard = (column: Column | undefined, key: string | undefined) =>
    column?.personas.findIndex(({ externalKey }) => externalKey === key) ?? -1
  const findCard = () => {
    const key = read().view.current.value
    return findColumn(key)?.personas.find(({ externalKey }) => externalKey === key)
  }

  function step(by: 1 | -1): void {
    const { view, columns } = read()
    if (view.carrying.carried.value !== undefined) return
    const key = view.current.value
    const column = findColumn(key) ?? columns.find(({ personas }) => personas.length)
    const next = column?.personas[Math.max(0, findColumn(key) ? indexOfCard(column, key) + by : 0)]
    if (next) view.focusOn(next.externalKey)
  }

  function turn(by: 1 | -1): void {
    const { view, columns } = read()
    const { carried, target } = view.carrying
    if (carried.value !== undefined) {
      const at = columns.findIndex(({ segmentId }) => segmentId === target.value?.segmentId)
      const next = columns[at + by]
      if (!next) return
      target.value = { segmentId: next.segmentId }
      view.spoken.value = texts.moving(findCard()?.name ?? '', nameOfColumn(next))
      return
    }
    const own = findColumn(view.current.value)
    const row = Math.max(0, indexOfCard(own, view.current.value))
    for (let n = own ? columns.indexOf(own) + by : 0; n >= 0 && n < columns.length; n += by) {
      const personas = columns[n]?.personas ?? []
      const next = personas[Math.min(row, personas.length - 1)]
      if (!next) continue
      view.focusOn(next.externalKey)
      return
    }
  }

  function lift(): void {
    const { view } = read()
    const persona = findCard()
    const column = findColumn(view.current.value)
    if (!persona || !column) return
    view.carrying.carried.value = persona.externalKey
    view.carrying.target.value = { segmentId: column.segmentId }
    view.spoken.value = texts.lifted(persona.name, nameOfColumn(column))
  }

  function drop(): void {
    const { view, state, columns } = read()
    const persona = findCard()
    const target = view.carrying.target.value
    view.carrying.end()
    if (!persona || !target) return
    const column = columns.find(({ segmentId }) => segmentId === target.segmentId)
    view.spoken.value = texts.moved(persona.name, nameOfColumn(column))
    state.move(persona, target.segmentId)
    view.focusOn(persona.externalKey)
  }

  function takeBack(): void {
    const { view } = read()
    const persona = findCard()
    if (view.carrying.carried.value === undefined) return
    view.carrying.end()
    view.spoken.value = texts.takenBack(persona?.name ?? '')
  }

  /** The next card of the column gets the focus, or the card before. */
  function remove(): void {
    const { view, state } = read()
    const key = view.current.value
    const column = findColumn(key)
    if (!key || !column || view.carrying.carried.value !== undefined) return
    const at = indexOfCard(column, key)
    const next = column.personas[at + 1] ?? column.personas[at - 1]
    view.focusOn(next?.externalKey)
    state.remove(key)
  }

  return {
    ...{ step, turn, lift, drop, takeBack, remove },
    choose() {
      const { view } = read()
      if (findCard()) view.movedCard.value = view.current.value
    },
  }
}
