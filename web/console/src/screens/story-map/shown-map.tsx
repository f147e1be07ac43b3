import { Empty } from '../../parts/empty'
import { Dock } from './dock'
import { findSpot, type StoryMap } from './map-model'
import type { MapState } from './map-state'
import { MapTable } from './map-table'
import { type MapView, readZoom } from './map-view'
import { MoveCardDialog } from './move-card-dialog'
import { PartDialog } from './part-dialog'
import { texts } from './texts/texts'
import { findFirst, useMapKeys } from './use-map-keys'

interface ShownMapProps {
  map: StoryMap
  state: MapState
  view: MapView
  mayChange: boolean
}

export function ShownMap({ map, state, view, mayChange }: ShownMapProps) {
  const onKeyDown = useMapKeys(state, view, mayChange)
  const current = view.current.value
  const tabStop = current !== undefined && findSpot(map, current) ? current : findFirst(map)
  const shared = { state, view, tabStop, mayChange }
  const part = view.editedPart.value
  const movedCard = view.movedCard.value
  return (
    <>
      <section class="with-dock" aria-label={texts.title} onKeyDown={onKeyDown}>
        {map.map.activities.length ? (
          <div class="map-region">
            <h2 class="sr">{texts.map}</h2>
            <MapTable map={map} zoom={readZoom()} {...shared} />
          </div>
        ) : (
          <Empty icon="map" title={texts.noActivity} hint={mayChange ? texts.noActivityHint : texts.noActivityReadOnly}>
            {mayChange && (
              <button
                class="btn primary"
                type="button"
                onClick={() => {
                  view.editedPart.value = { kind: 'activity' }
                }}
              >
                {texts.addActivity}
              </button>
            )}
          </Empty>
        )}
        <Dock map={map} {...shared} />
      </section>
      {part && <PartDialog part={part} map={map} state={state} view={view} />}
      {movedCard !== undefined && <MoveCardDialog cardKey={movedCard} map={map} state={state} view={view} />}
    </>
  )
}
