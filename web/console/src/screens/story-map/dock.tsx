import { useRef, useState } from 'preact/hooks'
import { formatNumber } from '../../texts/formats'
import { texts as shellTexts } from '../../texts/texts'
import { CardList, type MapProps, useCardZone } from './card-list'
import { BESIDE, listUnplaced, type StoryMap } from './map-model'
import { texts } from './texts/texts'

/** Cards at first; a click shows as many again. */
const PAGE = 50
const CELL = { stepId: BESIDE, swimlaneId: null }

/** The stories that are not on the map. */
export function Dock({ map, ...props }: MapProps & { map: StoryMap }) {
  const element = useRef<HTMLElement>(null)
  const [limit, setLimit] = useState(PAGE)
  useCardZone(element, CELL, props)
  const stories = listUnplaced(map)
  const { mayChange, view } = props
  const shown = stories.filter(({ externalKey }, n) => n < limit || externalKey === view.current.value)
  return (
    <aside ref={element} class="dock stack tight" aria-labelledby="unplaced">
      <h2 id="unplaced" class="h4">
        {texts.unplaced} <span class="count">{formatNumber(stories.length)}</span>
      </h2>
      <DockHint isEmpty={!stories.length} mayChange={mayChange} />
      <CardList {...props} cell={CELL} stories={shown} />
      {stories.length > limit && (
        <button class="btn ghost small" type="button" onClick={() => setLimit(limit + PAGE)}>
          {shellTexts.showMore}
        </button>
      )}
    </aside>
  )
}

const DockHint = ({ isEmpty, mayChange }: { isEmpty: boolean; mayChange: boolean }) =>
  isEmpty || !mayChange ? (
    <p class="hint">{isEmpty ? texts.noneUnplaced : texts.unplacedReadOnly}</p>
  ) : (
    <>
      <p class="hint for-keys">{texts.unplacedHint}</p>
      <p class="hint for-touch">{texts.unplacedTouchHint}</p>
    </>
  )
