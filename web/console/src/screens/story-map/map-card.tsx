import { useRef } from 'preact/hooks'
import { useDraggable } from '../../parts/drag'
import { makePure } from '../../parts/pure'
import { BASE } from '../../state/place'
import { pathOfItem } from '../backlog/paths'
import { ProgressPie } from '../backlog/progress-badge'
import type { Story } from './map-model'
import type { MapView } from './map-view'

interface MapCardProps {
  story: Story
  product: string
  view: MapView
  isTabStop: boolean
  isCarried: boolean
  mayChange: boolean
}

function ShownMapCard({ story, product, view, isTabStop, isCarried, mayChange }: MapCardProps) {
  const { externalKey: key, summary, progress } = story
  const element = useRef<HTMLLIElement>(null)
  useDraggable({ element, key, carrying: view.carrying, mayChange })
  return (
    <li ref={element} class={isCarried ? 'work carried' : 'work'} data-key={key}>
      <div class="row">
        <span class="key">{key}</span>
        <ProgressPie progress={progress} />
      </div>
      <h3>
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

export const MapCard = makePure(ShownMapCard)
