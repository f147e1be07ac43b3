import { useEffect, useState } from 'preact/hooks'
import { useQuery } from '../../api/queries'
import { texts } from './texts/texts'

const PAUSE_MS = 200

export interface Found {
  key: string
  title: string
  detail?: string
}

interface RecordSearchProps {
  label: string
  /** Names the search in the cache. */
  name: string
  /** Shown before the person types. */
  suggested: readonly Found[]
  find: (text: string) => Promise<readonly Found[]>
  chosen: Found | undefined
  onChoose: (found: Found) => void
}

/** Finds a record by its words, to choose with the arrow keys or the mouse. */
export function RecordSearch({ label, name, suggested, find, chosen, onChoose }: RecordSearchProps) {
  const [text, setText] = useState('')
  const [settled, settle] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => settle(text.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const { data } = useQuery<readonly Found[]>({
    queryKey: ['search', name, settled],
    queryFn: () => find(settled),
    enabled: settled !== '',
  })
  const found = settled ? (data ?? []) : suggested
  return (
    <div class="stack tight">
      <label class="field">
        <span class="label">{label}</span>
        <input
          class="input"
          type="search"
          maxLength={500}
          autofocus
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      </label>
      <p class="sr" role="status">
        {settled && data && texts.found(String(found.length))}
      </p>
      <div class="stack tight found" role="radiogroup" aria-label={label}>
        {found.map((one) => (
          <label key={one.key} class="check sm">
            <input type="radio" name={name} checked={chosen?.key === one.key} onChange={() => onChoose(one)} />
            <span class="grow">
              {one.title} <span class="key">{one.key}</span>
              {one.detail && <span class="muted block">{one.detail}</span>}
            </span>
          </label>
        ))}
        {settled && data?.length === 0 && <p class="sm muted">{texts.noneFound}</p>}
      </div>
    </div>
  )
}
