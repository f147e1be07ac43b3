import { useState } from 'preact/hooks'
import { queries } from '../../api/queries'
import { Failure } from '../../parts/failure'
import { Modal } from '../../parts/modal'
import { showToast } from '../../state/toast'
import { texts as shellTexts } from '../../texts/texts'
import { setQuery } from '../backlog/filters'
import type { StoryMap } from './map-model'
import { type MapPlace, sendMapRemoval, sendMapRestore, sendMapTitle, sendNewMap } from './requests'
import { texts } from './texts/texts'

interface MapDialogProps {
  product: string
  /** Absent for a new map. */
  map?: StoryMap | undefined
  onClose: () => void
}

const readAgain = (product: string) => queries.invalidateQueries({ queryKey: ['story_map', product] })

/** The form of a new or a present map. */
export function MapDialog({ product, map, onClose }: MapDialogProps) {
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  const at: MapPlace | undefined = map && { product, mapId: map.map.id }
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
  const save = (title: string) =>
    run(async () => {
      if (map && at) {
        await sendMapTitle(at, title, map.etag)
        await readAgain(product)
        return
      }
      const created = await sendNewMap(product, title)
      await readAgain(product)
      setQuery({ map: String(created.id) })
    })
  const remove = () =>
    run(async () => {
      if (!map || !at) return
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
          void save(String(new FormData(event.currentTarget).get('title')).trim())
        }}
      >
        <header>
          <h2 class="h3">{label}</h2>
        </header>
        <div class="body stack">
          {error !== undefined && <Failure title={texts.failed.save} error={error} />}
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
          <button class="btn primary" type="submit" aria-busy={isSending} disabled={isSending}>
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
