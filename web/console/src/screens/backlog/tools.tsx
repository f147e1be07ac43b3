import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type Product, useProducts } from '../../api/products'
import { nameOf, useUsers } from '../../api/users'
import { Icon } from '../../parts/icon'
import { BASE, place } from '../../state/place'
import { chooseProduct } from '../../state/product'
import { formatNumber } from '../../texts/formats'
import { clearFilters, type Filters, filterBy, isFiltered, readFilters, setAllBranches } from './filters'
import { labelOfProgress, PROGRESSES } from './progress-badge'
import { useTags, useVersions } from './requests'
import { texts } from './texts/texts'

interface ToolsProps {
  product: string
  view: 'tree' | 'board'
  /** Undefined while the tree is loaded. */
  count: number | undefined
  children?: ComponentChildren
}

/** Filters and views. The address holds them. */
export function Tools({ product, view, count, children }: ToolsProps) {
  const filters = readFilters()
  const products = useProducts()
  return (
    <search class="tools">
      {products.length > 1 && <ProductField product={product} products={products} />}
      {children}
      <TextField value={filters.q} />
      <FilterMenu product={product} filters={filters} />
      <Chips product={product} filters={filters} />
      <span class="push" />
      <span class="sm muted num" role="status">
        {count === undefined ? '' : texts.count(formatNumber(count), count)}
      </span>
      {view === 'tree' && (
        <span class="row only-wide">
          <button class="btn ghost small" type="button" onClick={() => setAllBranches(true)}>
            {texts.openAll}
          </button>
          <button class="btn ghost small" type="button" onClick={() => setAllBranches(false)}>
            {texts.closeAll}
          </button>
        </span>
      )}
      <ViewSwitch view={view} />
    </search>
  )
}

const ProductField = ({ product, products }: { product: string; products: readonly Product[] }) => (
  <label>
    <span class="sr">{texts.product}</span>
    <select class="select small" value={product} onChange={({ currentTarget: { value } }) => chooseProduct(value)}>
      {products.map(({ externalKey, name }) => (
        <option key={externalKey} value={externalKey}>
          {name}
        </option>
      ))}
    </select>
  </label>
)

const PAUSE_MS = 250

function TextField({ value }: { value: string }) {
  const timer = useRef<number | undefined>(undefined)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (field.current && document.activeElement !== field.current) field.current.value = value
  }, [value])
  return (
    <label class="with-icon">
      <span class="sr">{texts.filterByText}</span>
      <Icon name="search" />
      <input
        ref={field}
        class="input small"
        type="search"
        maxLength={500}
        placeholder={texts.filter}
        defaultValue={value}
        onInput={({ currentTarget }) => {
          clearTimeout(timer.current)
          timer.current = window.setTimeout(() => filterBy({ q: currentTarget.value.trim() }), PAUSE_MS)
        }}
      />
    </label>
  )
}

interface Option {
  value: string
  text: string
}

function useFilterOptions(product: string): Readonly<Record<Exclude<keyof Filters, 'q'>, readonly Option[]>> {
  const users = useUsers()
  const tags = useTags(product)
  const versions = useVersions(product)
  return {
    progress: PROGRESSES.map((value) => ({ value, text: labelOfProgress(value) })),
    owner: users.map((user) => ({ value: String(user.id), text: nameOf(user) })),
    tag: tags.map((value) => ({ value, text: value })),
    version: versions.map(({ externalKey, name }) => ({ value: externalKey, text: name })),
  }
}

const MENU_FILTERS = ['progress', 'owner', 'tag', 'version'] as const

function FilterMenu({ product, filters }: { product: string; filters: Filters }) {
  const options = useFilterOptions(product)
  return (
    <>
      <button class="btn ghost small" type="button" popovertarget="backlog-filters">
        <Icon name="filter" />
        {texts.addFilter}
      </button>
      <div class="menu filters" id="backlog-filters" popover="auto">
        {MENU_FILTERS.map((name) => (
          <div key={name} class="field">
            <label for={`filter-${name}`}>{texts[name]}</label>
            <select
              class="select"
              id={`filter-${name}`}
              value={filters[name]}
              onChange={({ currentTarget: { value } }) => filterBy({ [name]: value })}
            >
              <option value="">{texts.any}</option>
              {options[name].map(({ value, text }) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </select>
          </div>
        ))}
        <hr />
        <a href={`${BASE}/removed?${new URLSearchParams({ kind: 'epic', product })}`}>{texts.showRemoved}</a>
      </div>
    </>
  )
}

function Chips({ product, filters }: { product: string; filters: Filters }) {
  const options = useFilterOptions(product)
  if (!isFiltered(filters)) return null
  return (
    <>
      {MENU_FILTERS.filter((name) => filters[name] !== '').map((name) => {
        const text = options[name].find(({ value }) => value === filters[name])?.text ?? filters[name]
        return (
          <span key={name} class="chip">
            {texts[name]} <b class="truncate">{text}</b>
            <button
              type="button"
              aria-label={texts.removeFilter(`${texts[name]} ${text}`)}
              onClick={() => filterBy({ [name]: '' })}
            >
              <Icon name="x" />
            </button>
          </span>
        )
      })}
      <button class="btn ghost small only-wide" type="button" onClick={clearFilters}>
        {texts.clear}
      </button>
    </>
  )
}

/** Both views show the same filters. */
function ViewSwitch({ view }: { view: 'tree' | 'board' }) {
  const query = new URLSearchParams(place.value.query)
  for (const name of ['open', 'closed']) query.delete(name)
  const search = query.size ? `?${query}` : ''
  return (
    <nav class="segmented" aria-label={texts.showAs}>
      <a href={`${BASE}/backlog${search}`} aria-current={view === 'tree' ? 'true' : undefined}>
        <Icon name="tree" />
        {texts.tree}
      </a>
      <a href={`${BASE}/board${search}`} aria-current={view === 'board' ? 'true' : undefined}>
        <Icon name="columns" />
        {texts.board}
      </a>
    </nav>
  )
}
