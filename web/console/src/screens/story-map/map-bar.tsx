import { useState } from 'preact/hooks'
import { Icon } from '../../parts/icon'
import { setQuery } from '../backlog/filters'
import { MapDialog } from './map-dialog'
import { listUnplaced, type StoryMap } from './map-model'
import { findZoom, type MapView, zoom } from './map-view'
import type { MapEntry } from './requests'
import { texts } from './texts/texts'

/** A map without an activity has the button in its middle. */
export const MapBarButtons = ({ view, mayAdd }: { view: MapView; mayAdd: boolean }) => (
  <>
    <ZoomButton by={-1} />
    <ZoomButton by={1} />
    <button
      class="btn ghost icon small"
      type="button"
      aria-label={texts.print}
      title={texts.print}
      onClick={() => window.print()}
    >
      <Icon name="print" />
    </button>
    {mayAdd && (
      <button
        class="btn primary small"
        type="button"
        aria-label={texts.new.activity}
        onClick={() => {
          view.editedPart.value = { kind: 'activity' }
        }}
      >
        <Icon name="plus" />
        {texts.add.activity}
      </button>
    )}
  </>
)

function ZoomButton({ by }: { by: 1 | -1 }) {
  const label = by > 0 ? texts.zoomIn : texts.zoomOut
  return (
    <button
      class="btn ghost icon small only-wide"
      type="button"
      aria-label={label}
      title={label}
      disabled={findZoom(by) === undefined}
      onClick={() => zoom(by)}
    >
      <Icon name={by > 0 ? 'zoomIn' : 'zoomOut'} />
    </button>
  )
}

interface MapToolsProps {
  product: string
  maps: readonly MapEntry[]
  map: MapEntry
  shown: StoryMap | undefined
  may: boolean
  /** Reads the shown map again. */
  onStored: () => Promise<void>
}

export function MapTools({ product, maps, map, shown, may, onStored }: MapToolsProps) {
  const [opened, open] = useState<'new' | 'edit'>()
  const unplaced = shown ? listUnplaced(shown).length : 0
  const close = () => open(undefined)
  return (
    <div class="tools">
      <label>
        <span class="sr">{texts.map}</span>
        <select
          class="select small"
          value={map.id}
          onChange={({ currentTarget: { value } }) => setQuery({ map: value })}
        >
          {maps.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {may && shown && (
        <button
          class="btn ghost icon small"
          type="button"
          aria-label={texts.editMap}
          title={texts.editMap}
          onClick={() => open('edit')}
        >
          <Icon name="edit" />
        </button>
      )}
      {may && (
        <button class="btn small" type="button" onClick={() => open('new')}>
          {texts.newMap}
        </button>
      )}
      {shown && (
        <span class="push sm muted num" role="status">
          {texts.counts(shown.stories.length - unplaced, unplaced)}
        </span>
      )}
      {opened && <MapDialog {...{ product, onStored }} map={opened === 'edit' ? shown : undefined} onClose={close} />}
    </div>
  )
}
