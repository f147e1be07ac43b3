import { useState } from 'preact/hooks'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { formatNumber } from '../../texts/formats'
import { type ItemPlace, sendFile, type WorkItem } from './requests'
import { texts } from './texts/texts'

interface FilesProps {
  item: WorkItem
  place: ItemPlace
  may: boolean
  save: (change: Partial<WorkItem>) => void
}

export function Files({ item, place, may, save }: FilesProps) {
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  async function add(files: FileList | null): Promise<void> {
    setError(undefined)
    setSending(true)
    try {
      const sent: WorkItem['files'] = []
      for (const file of files ?? []) sent.push({ file: await sendFile(place.product, file, item.type) })
      if (sent.length) save({ files: [...item.files, ...sent] })
    } catch (cause) {
      setError(cause)
    } finally {
      setSending(false)
    }
  }
  return (
    <section aria-labelledby="item-files">
      <div class="row gap-b">
        <h3 id="item-files">{texts.files}</h3>
        {item.files.length > 0 && <span class="count">{formatNumber(item.files.length)}</span>}
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
      {!item.files.length && <p class="sm muted">{texts.noFiles}</p>}
      <ul class="row wrap">
        {item.files.map(({ file }) => (
          <li key={file.id} class="row">
            <a
              class="btn small"
              href={`/api/initiatives/${encodeURIComponent(place.product)}/assets/${file.id}/download`}
              download={file.name}
            >
              <Icon name="file" />
              <span class="truncate">{file.name}</span>
              <span class="muted">
                {formatNumber(Math.ceil(Number(file.size)))} {texts.kilobytes}
              </span>
            </a>
            {may && (
              <button
                class="btn ghost icon small"
                type="button"
                aria-label={texts.removeFile(file.name)}
                onClick={() => save({ files: item.files.filter((other) => other.file.id !== file.id) })}
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
