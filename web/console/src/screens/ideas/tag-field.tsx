import { useRef, useState } from 'preact/hooks'
import { useProducts } from '../../api/products'
import { Icon } from '../../parts/icon'
import { type Idea, useTags } from './requests'
import { toneOf } from './status-badge'
import { texts } from './texts/texts'

export const ADD_TAG = 'idea-add-tag'

interface TagFieldProps {
  idea: Idea
  mayChange: boolean
  onChange: (tags: Idea['tags']) => void
}

/** The tags of the idea. A new name becomes a tag of the product. */
export function TagField({ idea: { tags, product_id }, mayChange, onChange }: TagFieldProps) {
  const [isAdding, setAdding] = useState(false)
  const product = useProducts().find(({ id }) => id === product_id)?.externalKey
  const known = useTags(isAdding ? product : undefined)
  const colors = new Map(known.map(({ id, color }) => [id, color]))
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setAdding(false)
    requestAnimationFrame(() => button.current?.focus())
  }
  const add = (name: string) => {
    const isNew = name !== '' && !tags.some(({ key }) => key.toLowerCase() === name.toLowerCase())
    if (isNew) onChange([...tags, { id: 0, key: name, slug: name }])
    close()
  }
  return (
    <>
      {tags.map((tag) => (
        <span key={tag.key} class={mayChange ? 'tag removable' : 'tag'} data-tone={toneOf(colors.get(tag.id) ?? null)}>
          {tag.key}
          {mayChange && (
            <button
              type="button"
              aria-label={texts.removeTag(tag.key)}
              onClick={() => onChange(tags.filter(({ key }) => key !== tag.key))}
            >
              <Icon name="x" />
            </button>
          )}
        </span>
      ))}
      {mayChange && isAdding && (
        <>
          <input
            class="input small tag-input"
            list="known-tags"
            aria-label={texts.newTag}
            placeholder={texts.newTag}
            maxLength={100}
            autofocus
            ref={(field) => field?.focus()}
            onKeyDown={(event) => {
              if (event.key === 'Escape') close()
              if (event.key !== 'Enter') return
              event.preventDefault()
              add(event.currentTarget.value.trim())
            }}
          />
          <datalist id="known-tags">
            {known.map(({ id, name }) => (
              <option key={id} value={name} />
            ))}
          </datalist>
        </>
      )}
      {mayChange && !isAdding && (
        <button
          ref={button}
          class={tags.length ? 'btn ghost icon small' : 'btn ghost small'}
          type="button"
          id={ADD_TAG}
          aria-label={texts.addTag}
          onClick={() => setAdding(true)}
        >
          <Icon name="plus" />
          {!tags.length && texts.addTag}
        </button>
      )}
    </>
  )
}
