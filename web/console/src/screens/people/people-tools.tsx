import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../parts/icon'
import { BASE } from '../../state/place'
import { useSegmentList } from '../segments/requests'
import { pathOf, show, type View } from './place'
import { EXPORT_ADDRESS } from './requests'
import { texts } from './texts/texts'

export const SEARCH = 'people-search'
const PAUSE_MS = 300

export function PeopleTools({ view, may }: { view: View; may: boolean }) {
  const { data: segments = [] } = useSegmentList()
  return (
    <div class="row wrap" role="search">
      <SearchField view={view} />
      <select
        class="select segment-choice"
        aria-label={texts.segment}
        value={view.segment ?? ''}
        onChange={({ currentTarget: { value } }) => show({ ...view, segment: Number(value) || undefined })}
      >
        <option value="">{texts.allSegments}</option>
        {segments.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {view.attribute && <AttributeFilter view={view} {...view.attribute} />}
      <span class="row wrap push">
        {may && (
          <a class="btn small ghost" href={`${BASE}/imports/new?kind=people`}>
            <Icon name="upload" />
            {texts.import}
          </a>
        )}
        <a class="btn small ghost" href={EXPORT_ADDRESS} download>
          <Icon name="download" />
          {texts.export}
        </a>
      </span>
    </div>
  )
}

const AttributeFilter = ({ view, name, value }: { view: View; name: string; value: string }) => (
  <span class="tag removable">
    {name}: {value}
    <a href={BASE + pathOf({ ...view, attribute: undefined })} aria-label={texts.clearFilter(`${name}: ${value}`)}>
      <Icon name="x" />
    </a>
  </span>
)

function SearchField({ view }: { view: View }) {
  const [typed, type] = useState(view.q)
  const latest = useRef(view)
  latest.current = view
  useEffect(() => {
    if (typed.trim() === view.q) return
    const timer = setTimeout(() => show({ ...latest.current, q: typed.trim() }), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  // The filters may be cleared elsewhere.
  useEffect(() => {
    if (view.q !== typed.trim()) type(view.q)
  }, [view.q])
  return (
    <label class="with-icon people-search">
      <span class="sr">{texts.search}</span>
      <Icon name="search" />
      <input
        class="input"
        id={SEARCH}
        type="search"
        maxLength={500}
        autocomplete="off"
        placeholder={texts.searchHint}
        value={typed}
        onInput={({ currentTarget }) => type(currentTarget.value)}
      />
    </label>
  )
}
