import { Icon } from '../../parts/icon'
import { type Filters, filterBy, REASONS } from './place'
import { texts } from './texts/texts'

interface FilterBarProps {
  filters: Filters
  /** How many suppressions the list shows. */
  found: string | undefined
}

export const FilterBar = ({ filters, found }: FilterBarProps) => (
  <form
    class="suppression-filters"
    role="search"
    onSubmit={(event) => {
      event.preventDefault()
      filterBy({ email: String(new FormData(event.currentTarget).get('email')).trim() })
    }}
  >
    <label class="field">
      <span class="label">{texts.search}</span>
      <input
        class="input"
        name="email"
        type="search"
        inputMode="email"
        autocomplete="off"
        placeholder={texts.searchHint}
        defaultValue={filters.email}
        onInput={({ currentTarget }) => currentTarget.value === '' && filters.email && filterBy({ email: '' })}
      />
    </label>
    <label class="field">
      <span class="label">{texts.reasonFilter}</span>
      <select
        class="select"
        value={filters.reason}
        onChange={({ currentTarget }) => filterBy({ reason: currentTarget.value as Filters['reason'] })}
      >
        <option value="">{texts.allReasons}</option>
        {REASONS.map((reason) => (
          <option key={reason} value={reason}>
            {texts.reasons[reason]}
          </option>
        ))}
      </select>
    </label>
    <button class="btn" type="submit">
      <Icon name="search" />
      {texts.find}
    </button>
    <p class="sm muted push" role="status">
      {found}
    </p>
  </form>
)
