import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Icon } from '../../parts/icon'
import { useKeys } from '../../state/keys'
import { formatAge, formatMoment } from '../../texts/formats'
import { ProgressBadge } from '../backlog/progress-badge'
import { TypeMark } from '../backlog/type-mark'
import type { WorkItem } from './requests'
import { texts } from './texts/texts'

interface HeadingProps {
  item: WorkItem
  isSaving: boolean
  may: boolean
  save: (change: Partial<WorkItem>, base?: WorkItem) => void
}

export function Heading({ item, isSaving, may, save }: HeadingProps) {
  const [base, setBase] = useState<WorkItem>()
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => field.current?.select(), [base])
  const edit = () => setBase(item)
  useKeys(useMemo(() => (may ? [{ keys: 'e', label: texts.editTitle, run: edit }] : []), [item, may]))
  const finish = (summary: string, saves: boolean) => {
    if (!base) return
    if (saves && summary && summary !== item.summary) save({ summary }, base)
    setBase(undefined)
  }
  return (
    <header class="stack tight">
      <div class="row wrap">
        <TypeMark type={item.type} />
        <span class="key">{item.externalKey}</span>
        <ProgressBadge progress={item.progress} />
        <span class="sm muted push" role="status">
          {isSaving ? (
            texts.saving
          ) : (
            <time dateTime={item.updatedAt} title={formatMoment(item.updatedAt)}>
              {texts.saved(formatAge(item.updatedAt))}
            </time>
          )}
        </span>
      </div>
      {base ? (
        <input
          class="input title"
          aria-label={texts.summary}
          maxLength={500}
          defaultValue={item.summary}
          ref={field}
          onBlur={({ currentTarget }) => finish(currentTarget.value.trim(), true)}
          onKeyDown={({ key, currentTarget }) => {
            if (key === 'Enter' || key === 'Escape') finish(currentTarget.value.trim(), key === 'Enter')
          }}
        />
      ) : (
        <div class="row top">
          <h2 class="title grow">{item.summary}</h2>
          {may && (
            <button class="btn ghost small" type="button" aria-label={texts.editTitle} onClick={edit}>
              <Icon name="pencil" />
              <span class="only-wide">{texts.editTitle}</span>
            </button>
          )}
        </div>
      )}
    </header>
  )
}
