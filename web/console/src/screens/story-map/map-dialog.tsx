import { useState } from 'preact/hooks'
import { useChange } from '../../api/change'
import { queries } from '../../api/queries'
import { ConflictBanner } from '../../parts/conflict-banner'
import { Failure } from '../../parts/failure'
import { Modal } from '../../parts/modal'
import { showToast } from '../../state/toast'
import { texts as shellTexts } from '../../texts/texts'
import { setQuery } from '../backlog/filters'
import type { StoryMap } from './map-model'
import {
  type MapPlace,
  type MapTitle,
  readMapTitle,
  sendMapRemoval,
  sendMapRestore,
  sendMapTitle,
  sendNewMap,
} from './requests'
import { texts } from './texts/texts'

interface MapDialogProps {
  product: string
  /** Absent for a new map. */
  map?: StoryMap | undefined
  /** Reads the present map again. */
  onStored?: () => Promise<void>
  onClose: () => void
}

const placeOf = (product: string, map: StoryMap | undefined): MapPlace => ({ product, mapId: map?.map.id ?? 0 })

const readAgain = (product: string) => queries.invalidateQueries({ queryKey: ['story_map', product] })

/** The form of a new or a present map. */
export function MapDialog({ product, map, onStored, onClose }: MapDialogProps) {
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  const at = placeOf(product, map)
  const label = map ? texts.editMap : texts.newMap
  async function run(send: () => Promise<void>): Promise<void> {
    setSending(true)
    setError(undefined)
    try {
      await send()
      onClose()
    } catch (cause) {
      setError(cause)
      setSending(false)
    }
  }
  const [current, setCurrent] = useState(map && { record: { title: map.map.title }, etag: map.etag })
  const { save, conflict, failure, isSaving } = useChange<MapTitle>({
    ...{ current, accept: setCurrent, read: () => readMapTitle(placeOf(product, map)) },
    async send({ title = '' }, etag) {
      const stored = await sendMapTitle(placeOf(product, map), title, etag)
      await Promise.all([readAgain(product), onStored?.()])
      onClose()
      return stored
    },
  })
  const create = (title: string) =>
    run(async () => {
      const created = await sendNewMap(product, title)
      await readAgain(product)
      setQuery({ map: String(created.id) })
    })
  const remove = () =>
    run(async () => {
      if (!map) return
      await sendMapRemoval(at)
      setQuery({ map: undefined })
      await readAgain(product)
      showToast(texts.mapRemoved(map.map.title), () => restore(at))
    })
  return (
    <Modal label={label} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const title = String(new FormData(event.currentTarget).get('title')).trim()
          if (!map) void create(title)
          else if (title === map.map.title) onClose()
          else save({ title }, { title: map.map.title })
        }}
      >
        <header>
          <h2 class="h3">{label}</h2>
        </header>
        <div class="body stack">
          {error !== undefined && <Failure title={texts.failed.save} error={error} />}
          {failure && <Failure title={texts.failed.save} error={failure.error} />}
          {conflict && (
            <ConflictBanner
              conflict={{ ...conflict, takeTheirs: () => void readAgain(product).then(onClose) }}
              show={(_, value) => value}
              name={(field) => texts.fields[field]}
            />
          )}
          <div class="field">
            <label for="map-title">{texts.mapTitle}</label>
            <input
              class="input"
              id="map-title"
              name="title"
              required
              pattern=".*\S.*"
              maxLength={200}
              autofocus
              defaultValue={map?.map.title ?? ''}
            />
          </div>
          {map && (
            <fieldset class="removal">
              <button class="btn small" type="button" disabled={isSending} onClick={() => void remove()}>
                {texts.removeMap}
              </button>
            </fieldset>
          )}
        </div>
        <footer>
          <button class="btn" type="button" onClick={onClose}>
            {shellTexts.cancel}
          </button>
          <button class="btn primary" type="submit" aria-busy={isSending || isSaving} disabled={isSending || isSaving}>
            {map ? texts.saveMap : texts.createMap}
          </button>
        </footer>
      </form>
    </Modal>
  )
}

async function restore(at: MapPlace): Promise<void> {
  await sendMapRestore(at)
  await readAgain(at.product)
  setQuery({ map: String(at.mapId) })
}
