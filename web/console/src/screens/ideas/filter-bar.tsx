import { useEffect, useRef, useState } from 'preact/hooks'
import { useProducts } from '../../api/products'
import { Icon } from '../../parts/icon'
import { BASE } from '../../state/place'
import { chosenProduct } from '../../state/product'
import {
  clearFilters,
  type Filters,
  filterBy,
  isFiltered,
  LEVELS,
  type Level,
  pathOf,
  readFilters,
  readSelected,
  SORTS,
  type Sort,
} from './filters'
import { type Status, useTags } from './requests'
import { markAllSeen } from './seen'
import { labelOf } from './status-badge'
import { texts } from './texts/texts'
import { SEARCH_FIELD } from './use-list-keys'

const PAUSE_MS = 250

export function FilterBar({ statuses }: { statuses: readonly Status[] }) {
  const filters = readFilters()
  return (
    <div class="tools">
      <Views filters={filters} statuses={statuses} />
      <button
        class="btn ghost icon small push"
        type="button"
        popovertarget="filters"
        aria-label={texts.filter}
        title={texts.filter}
        aria-pressed={isFiltered(filters)}
      >
        <Icon name="filter" />
      </button>
      <SearchField filters={filters} />
      <FilterMenu filters={filters} statuses={statuses} />
    </div>
  )
}

type View = { name: string } & Pick<Filters, 'status' | 'level'>

/** Views are filters by a name. */
function Views({ filters, statuses }: { filters: Filters; statuses: readonly Status[] }) {
  const first = statuses.find(({ slug }) => slug === 'under-review')
  const views: View[] = [{ name: texts.all, status: '', level: '' }]
  if (first) views.push({ name: labelOf(first), status: String(first.id), level: '' })
  views.push({ name: texts.pending, status: '', level: 'pending' })
  return (
    <nav class="segmented" aria-label={texts.views}>
      {views.map(({ name, ...change }) => (
        <a
          key={name}
          href={BASE + pathOf({ ...filters, ...change }, readSelected())}
          aria-current={filters.status === change.status && filters.level === change.level ? 'true' : undefined}
        >
          {name}
        </a>
      ))}
    </nav>
  )
}

function SearchField({ filters: { q } }: { filters: Filters }) {
  const [text, setText] = useState(q)
  const timer = useRef<number>(undefined)
  useEffect(() => setText(q), [q])
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <span class="with-icon find-ideas">
      <Icon name="search" />
      <input
        class="input"
        id={SEARCH_FIELD}
        type="search"
        aria-label={texts.search}
        placeholder={texts.search}
        maxLength={500}
        value={text}
        onInput={(event) => {
          const { value } = event.currentTarget
          setText(value)
          clearTimeout(timer.current)
          timer.current = window.setTimeout(() => filterBy({ q: value.trim() }), PAUSE_MS)
        }}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
    </span>
  )
}

function FilterMenu({ filters, statuses }: { filters: Filters; statuses: readonly Status[] }) {
  const product = chosenProduct.value ?? undefined
  const known = useProducts().some(({ externalKey }) => externalKey === product)
  const tags = useTags(known ? product : undefined)
  return (
    <div class="menu end filters" id="filters" popover="auto" role="group" aria-label={texts.filter}>
      <Choice
        label={texts.sort}
        value={filters.sort}
        onChange={(sort) => filterBy({ sort: sort as Sort })}
        options={SORTS.map((sort) => [sort, texts.sorts[sort]])}
      />
      <Choice
        label={texts.status}
        value={filters.status}
        onChange={(status) => filterBy({ status })}
        options={[['', texts.anyStatus], ...statuses.map((one): [string, string] => [String(one.id), labelOf(one)])]}
      />
      <Choice
        label={texts.tag}
        value={filters.tag}
        onChange={(tag) => filterBy({ tag })}
        options={[
          ['', texts.anyTag],
          ...withValue(
            tags.map(({ slug, name }): [string, string] => [slug, name]),
            filters.tag,
          ),
        ]}
      />
      {!known && <p class="hint">{texts.tagHint}</p>}
      <Choice
        label={texts.level}
        value={filters.level}
        onChange={(level) => filterBy({ level: level as Level | '' })}
        options={[['', texts.anyLevel], ...LEVELS.map((level): [string, string] => [level, texts.levels[level]])]}
      />
      <hr />
      <button type="button" onClick={clearFilters} disabled={!isFiltered(filters)}>
        {texts.clear}
      </button>
      <button type="button" popovertarget="filters" popovertargetaction="hide" onClick={markAllSeen}>
        {texts.markSeen}
      </button>
      <a href={`${BASE}/removed?kind=feedback`}>{texts.showRemoved}</a>
    </div>
  )
}

/** A shared link may name a tag that is not in the list. */
const withValue = (options: [string, string][], value: string): [string, string][] =>
  !value || options.some(([own]) => own === value) ? options : [...options, [value, value]]

interface ChoiceProps {
  label: string
  value: string
  options: readonly (readonly [value: string, text: string])[]
  onChange: (value: string) => void
}

const Choice = ({ label, value, options, onChange }: ChoiceProps) => (
  <label class="field choice-field">
    <span>{label}</span>
    <select class="select" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {options.map(([own, text]) => (
        <option key={own} value={own}>
          {text}
        </option>
      ))}
    </select>
  </label>
)
