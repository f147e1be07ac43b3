import { useRef } from 'preact/hooks'
import { useDraggable, useDropZone } from '../../parts/drag'
import { Icon } from '../../parts/icon'
import { BASE } from '../../state/place'
import { formatNumber } from '../../texts/formats'
import { type BoardPlace, type BoardView, type Column, idOfCard } from './board-view'
import type { CastState } from './cast-state'
import { ColorDot } from './color-dot'
import { Picture } from './picture'
import { pathOfPersona } from './place'
import type { ListedPersona } from './requests'
import { texts } from './texts/texts'

interface BoardColumnProps {
  column: Column
  state: CastState
  view: BoardView
  /** The only card in the tab order. */
  tabStop: string | undefined
  mayChange: boolean
}

export function BoardColumn({ column, state, view, tabStop, mayChange }: BoardColumnProps) {
  const { segmentId, segment, personas } = column
  const { carried, target } = view.carrying
  const element = useRef<HTMLElement>(null)
  useDropZone<BoardPlace>(
    {
      ...{ element, mayChange, carrying: view.carrying },
      findTarget: () => ({ segmentId }),
      isOwn: (place) => place?.segmentId === segmentId,
      drop(key) {
        const persona = state.shown.value?.personas.find(({ externalKey }) => externalKey === key)
        if (persona) state.move(persona, segmentId)
      },
    },
    [state, segmentId],
  )
  const isTarget = target.value?.segmentId === segmentId
  const takesCard = isTarget && !personas.some(({ externalKey }) => externalKey === carried.value)
  const title = `segment-${segmentId ?? 'none'}`
  return (
    <section ref={element} class={isTarget ? 'column target' : 'column'} aria-labelledby={title}>
      <header>
        <ColorDot color={segment?.color ?? null} />
        <h2 class="name truncate" id={title}>
          {segment?.name ?? texts.noSegment}
        </h2>
        <span class="count">{formatNumber(personas.length)}</span>
        {segment && mayChange && (
          <button
            class="btn ghost icon small push"
            type="button"
            aria-label={texts.editSegment(segment.name)}
            onClick={() => {
              view.editedSegment.value = segment.id
            }}
          >
            <Icon name="pencil" />
          </button>
        )}
      </header>
      <ul>
        {takesCard && <li class="slot" aria-hidden="true" />}
        {personas.map((persona) => (
          <Card
            key={persona.externalKey}
            {...{ persona, view, mayChange }}
            isTabStop={persona.externalKey === tabStop}
            isCarried={persona.externalKey === carried.value}
          />
        ))}
      </ul>
    </section>
  )
}

interface CardProps {
  persona: ListedPersona
  view: BoardView
  isTabStop: boolean
  isCarried: boolean
  mayChange: boolean
}

function Card({ persona, view, isTabStop, isCarried, mayChange }: CardProps) {
  const { externalKey: key, name, occupation } = persona
  const element = useRef<HTMLLIElement>(null)
  useDraggable({ element, key, carrying: view.carrying, mayChange })
  return (
    <li ref={element} class={isCarried ? 'work carried' : 'work'} data-key={key}>
      <div class="row">
        <Picture persona={persona} />
        <div class="grow">
          <h3 class="name truncate">
            <a
              class="stretch"
              id={idOfCard(key)}
              href={BASE + pathOfPersona(key)}
              tabIndex={isTabStop ? 0 : -1}
              draggable={false}
              onFocus={() => {
                view.current.value = key
              }}
            >
              {name}
            </a>
          </h3>
          <p class="sm muted truncate">{occupation ?? texts.noOccupation}</p>
        </div>
        {mayChange && (
          <button
            class="btn ghost icon small act"
            type="button"
            tabIndex={-1}
            aria-label={texts.moveOne(name)}
            onClick={() => {
              view.current.value = key
              view.movedCard.value = key
            }}
          >
            <Icon name="columns" />
          </button>
        )}
      </div>
    </li>
  )
}
