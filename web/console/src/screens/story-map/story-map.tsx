import { useEffect, useMemo, useState } from 'preact/hooks'
import { mayChange } from '../../api/me'
import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { Skeleton } from '../../parts/skeleton'
import { WithoutProduct } from '../../parts/without-product'
import { Bar } from '../../shell/bar'
import { place } from '../../state/place'
import { useProduct } from '../backlog/use-product'
import type { ScreenProps } from '../screens'
import { MapBarButtons, MapTools } from './map-bar'
import { MapDialog } from './map-dialog'
import { createMapState } from './map-state'
import { createMapView } from './map-view'
import { type MapEntry, useMaps } from './requests'
import { ShownMap } from './shown-map'
import { texts } from './texts/texts'

export default function StoryMapScreen({ me, main }: ScreenProps) {
  const product = useProduct()
  const may = mayChange(me, 'backlog')
  if (product) return <Maps key={product} product={product} main={main} may={may} />
  return (
    <>
      <Bar title={texts.title} />
      <main id="main" ref={main} tabIndex={-1} class="padded">
        <WithoutProduct />
      </main>
    </>
  )
}

type MainRef = ScreenProps['main']

/** The map of the address, or else the newest map. */
function Maps({ product, main, may }: { product: string; main: MainRef; may: boolean }) {
  const { data: maps, error, refetch } = useMaps(product)
  const asked = Number(place.value.query.get('map'))
  const map = maps?.find(({ id }) => id === asked) ?? maps?.[0]
  if (maps && map) return <OneMap key={map.id} {...{ product, maps, map, main, may }} />
  return (
    <>
      <Bar title={texts.title} />
      <main id="main" ref={main} tabIndex={-1} class="padded">
        {error && !maps && <Failure title={texts.failed.loadMaps} error={error} onRetry={() => void refetch()} />}
        {!error && !maps && <Skeleton />}
        {maps && <NoMap product={product} may={may} />}
      </main>
    </>
  )
}

function NoMap({ product, may }: { product: string; may: boolean }) {
  const [isCreating, create] = useState(false)
  return (
    <>
      <Empty icon="map" title={texts.noMap} hint={may ? texts.noMapHint : texts.noMapReadOnly}>
        {may && (
          <button class="btn primary" type="button" onClick={() => create(true)}>
            {texts.newMap}
          </button>
        )}
      </Empty>
      {isCreating && <MapDialog product={product} onClose={() => create(false)} />}
    </>
  )
}

interface OneMapProps {
  product: string
  maps: readonly MapEntry[]
  map: MapEntry
  main: MainRef
  may: boolean
}

function OneMap({ product, maps, map, main, may }: OneMapProps) {
  const state = useMemo(() => createMapState({ product, mapId: map.id }), [product, map.id])
  const view = useMemo(createMapView, [state])
  useEffect(() => {
    void state.read()
    return state.follow()
  }, [state])
  const shown = state.shown.value
  const error = state.error.value
  const failure = state.failure.value
  return (
    <>
      <Bar title={map.title} crumb={{ path: `/story-map?${new URLSearchParams({ product })}`, title: texts.title }}>
        <MapBarButtons view={view} mayAdd={may && (shown?.map.activities.length ?? 0) > 0} />
      </Bar>
      <main id="main" ref={main} tabIndex={-1} class="board">
        <MapTools {...{ product, maps, map, may }} shown={shown} onStored={state.read} />
        {failure && (
          <div class="notices">
            <Failure title={failure.title} error={failure.error} onRetry={failure.retry} />
          </div>
        )}
        {error !== undefined && !shown && (
          <div class="pad">
            <Failure title={texts.failed.load} error={error} onRetry={() => void state.read()} />
          </div>
        )}
        {!shown && error === undefined && (
          <div class="pad">
            <Skeleton lines={9} />
          </div>
        )}
        {shown && <ShownMap map={shown} state={state} view={view} mayChange={may} />}
        <p class={view.carrying.carried.value ? 'lift-note' : 'sr'} role="status">
          {view.spoken.value}
        </p>
      </main>
    </>
  )
}
