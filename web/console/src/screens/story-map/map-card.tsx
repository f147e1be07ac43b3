import { useRef } from 'preact/hooks'
import { useDraggable } from '../../parts/drag'
import { Icon } from '../../parts/icon'
import { makePure } from '../../parts/pure'
import { BASE } from '../../state/place'
import { pathOfItem } from '../backlog/paths'
import { ProgressPie } from '../backlog/progress-badge'
import type { Story } from './map-model'
import type { MapView } from './map-view'
import { texts } from './texts/texts'

interface MapCardProps {
  story: Story
  product: string
  view: MapView
  /** Whether the card is on the map. */
  isPlaced: boolean
  isTabStop: boolean
  isCarried: boolean
  mayChange: boolean
}

function ShownMapCard(props: MapCardProps) {
  const { story, product, view, isTabStop, isCarried, mayChange } = props
  const { externalKey: key, summary, progress } = story
  const element = useRef<HTMLLIElement>(null)
  useDraggable({ element, key, carrying: view.carrying, mayChange })
  return (
    <li ref={element} class={isCarried ? 'work carried' : 'work'} data-key={key}>
      <div class="row">
        <span class="key">{key}</span>
        <ProgressPie progress={progress} />
        {mayChange && <MoveButton {...props} />}
      </div>
      <h3 class="name">
        <a
          class="stretch"
          id={`card-${key}`}
          href={BASE + pathOfItem(product, { key })}
          tabIndex={isTabStop ? 0 : -1}
          draggable={false}
          onFocus={() => {
            view.current.value = key
          }}
        >
          {summary}
        </a>
      </h3>
    </li>
  )
}

/** Opens the form that a finger can use. */
const MoveButton = ({ story: { externalKey: key }, view, isPlaced, isTabStop }: MapCardProps) => (
  <button
    class={isPlaced ? 'btn ghost icon small push move-card' : 'btn small push move-card'}
    type="button"
    aria-label={isPlaced ? texts.moveOne(key) : texts.placeOne(key)}
    title={isPlaced ? texts.moveOne(key) : undefined}
    tabIndex={isTabStop ? 0 : -1}
    onClick={() => {
      view.current.value = key
      view.movedCard.value = key
    }}
  >
    {isPlaced ? <Icon name="move" /> : texts.place}
  </button>
)

export const MapCard = makePure(ShownMapCard)
