import { useState } from 'preact/hooks'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { showToast } from '../../state/toast'
import { formatNumber } from '../../texts/formats'
import { type Asset, attachFile, type DocumentPlace, detachFile, sendFile, useFiles } from './requests'
import { texts } from './texts/texts'

export function Files({ place, may }: { place: DocumentPlace; may: boolean }) {
  const { data: files = [] } = useFiles(place)
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  async function run(act: () => Promise<void>): Promise<void> {
    setError(undefined)
    setSending(true)
    await act()
      .catch(setError)
      .finally(() => setSending(false))
  }
  const add = (chosen: FileList | null) =>
    run(async () => {
      for (const file of chosen ?? []) await sendFile(place, file)
    })
  const remove = ({ id, name }: Asset) =>
    run(async () => {
      await detachFile(place, id)
      showToast(texts.fileWasRemoved(name), () => attachFile(place, id))
    })
  if (!may && !files.length) return null
  return (
    <section class="stack tight" aria-labelledby="document-files">
      <div class="row">
        <h3 id="document-files">{texts.files}</h3>
        {may && (
          <label class="btn ghost small push" aria-busy={isSending}>
            <Icon name="plus" />
            {texts.addFile}
            <input
              class="sr"
              type="file"
              multiple
              onChange={({ currentTarget }) => {
                void add(currentTarget.files).then(() => {
                  currentTarget.value = ''
                })
              }}
            />
          </label>
        )}
      </div>
      {error !== undefined && <Failure title={texts.fileFailed} error={error} />}
      {!files.length && <p class="sm muted">{texts.noFiles}</p>}
      <ul class="row wrap">
        {files.map((file) => (
          <li key={file.id} class="row">
            <a
              class="btn small"
              href={`/api/initiatives/${encodeURIComponent(place.product)}/assets/${file.id}/download`}
              download={file.name}
            >
              <Icon name="file" />
              <span class="truncate">{file.name}</span>
              <span class="muted">{texts.kilobytes(formatNumber(Math.ceil(Number(file.size))))}</span>
            </a>
            {may && (
              <button
                class="btn ghost icon small"
                type="button"
                aria-label={texts.removeFile(file.name)}
                onClick={() => void remove(file)}
              >
                <Icon name="x" />
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
