import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../../parts/icon'
import { type Filters, filterBy, isFiltered, NO_FILTERS, readFilters } from './place'
import { nameOf, usePeople } from './requests'
import { texts } from './texts/texts'
import { PATTERNS } from './types'

export function FilterBar() {
  const filters = readFilters()
  return (
    <div class="tools log-filters">
      <TypeField filters={filters} />
      <PersonField filters={filters} />
      <KeyField filters={filters} />
      <DayField name="from" filters={filters} />
      <DayField name="to" filters={filters} />
      {isFiltered(filters) && (
        <button class="btn ghost small" type="button" onClick={() => filterBy(NO_FILTERS)}>
          <Icon name="x" />
          {texts.clear}
        </button>
      )}
    </div>
  )
}

interface FieldProps {
  filters: Filters
}

/** An address may name a single type, such as `epic.created`. */
const TypeField = ({ filters: { type } }: FieldProps) => (
  <select
    class="select"
    aria-label={texts.type}
    value={type}
    onChange={({ currentTarget: { value } }) => filterBy({ type: value })}
  >
    <option value="">{texts.allTypes}</option>
    {type && !(type in PATTERNS) && <option value={type}>{type}</option>}
    {Object.entries(PATTERNS).map(([pattern, name]) => (
      <option key={pattern} value={pattern}>
        {name}
      </option>
    ))}
  </select>
)

function PersonField({ filters: { person } }: FieldProps) {
  const people = usePeople()
  const isListed = people.some(({ id }) => String(id) === person)
  return (
    <select
      class="select"
      aria-label={texts.person}
      value={person}
      onChange={({ currentTarget: { value } }) => filterBy({ person: value })}
    >
      <option value="">{texts.everybody}</option>
      {person && !isListed && <option value={person}>{texts.personOf(person)}</option>}
      {people.map((one) => (
        <option key={one.id} value={one.id}>
          {nameOf(one)}
        </option>
      ))}
    </select>
  )
}

function KeyField({ filters: { key } }: FieldProps) {
  const [text, setText] = useState(key)
  useEffect(() => setText(key), [key])
  return (
    <input
      class="input"
      type="search"
      id="event-key"
      aria-label={texts.key}
      placeholder={texts.keyPlaceholder}
      maxLength={100}
      value={text}
      onInput={({ currentTarget: { value } }) => setText(value)}
      onChange={() => filterBy({ key: text.trim() })}
    />
  )
}

const DayField = ({ name, filters }: FieldProps & { name: 'from' | 'to' }) => (
  <label class="row sm muted">
    {texts[name]}
    <input
      class="input"
      type="date"
      value={filters[name]}
      onChange={({ currentTarget: { value } }) => filterBy({ [name]: value })}
    />
  </label>
)
