import type { ComponentChildren } from 'preact'
import { Empty } from '../../parts/empty'
import { focusDetail } from '../../parts/list-keys'
import { NextSteps } from '../../parts/next-steps'
import { Skeleton } from '../../parts/skeleton'
import { BASE } from '../../state/place'
import { texts as shellTexts } from '../../texts/texts'
import { Picture } from './picture'
import { DETAIL_TITLE, NO_SEGMENT, pathOf, show, type View } from './place'
import type { BoardSegment, Cast, ListedPersona } from './requests'
import { texts } from './texts/texts'
import { ViewSwitch } from './view-switch'

interface ListPaneProps {
  view: View
  cast: Cast | undefined
  /** The personas of the product and the segment. */
  personas: readonly ListedPersona[]
  may: boolean
  onCreate: () => void
  children: ComponentChildren
}

export const ListPane = ({ view, cast, personas, may, onCreate, children }: ListPaneProps) => (
  <section class="list" aria-label={texts.list}>
    <div class="tools">
      <ViewSwitch isBoard={false} />
      <SegmentFilter view={view} segments={cast?.segments ?? []} />
      <span class="sm muted push" role="status">
        {cast && texts.found(personas.length)}
      </span>
    </div>
    {children}
    {!cast && (
      <div class="pad">
        <Skeleton lines={6} />
      </div>
    )}
    {cast && !personas.length && <NoPersonas {...{ view, may, onCreate }} />}
    <ul>
      {personas.map((persona) => (
        <Row key={persona.externalKey} persona={persona} view={view} segments={cast?.segments ?? []} />
      ))}
    </ul>
  </section>
)

const SegmentFilter = ({ view, segments }: { view: View; segments: readonly BoardSegment[] }) => (
  <label>
    <span class="sr">{texts.segment}</span>
    <select
      class="select small"
      value={view.segment}
      onChange={({ currentTarget: { value } }) => show({ segment: value })}
    >
      <option value="">{texts.allSegments}</option>
      {segments.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      <option value={NO_SEGMENT}>{texts.noSegment}</option>
    </select>
  </label>
)

const NoPersonas = ({ view, may, onCreate }: Pick<ListPaneProps, 'view' | 'may' | 'onCreate'>) =>
  view.segment ? (
    <Empty icon="persona" title={texts.emptyFiltered} hint={texts.emptyFilteredHint}>
      <button class="btn" type="button" onClick={() => show({ segment: '' })}>
        {texts.clearFilter}
      </button>
    </Empty>
  ) : (
    <Empty icon="persona" title={texts.empty} hint={may ? texts.emptyHint : texts.emptyReadOnly}>
      {may && <NextSteps steps={[{ text: shellTexts.next.persona, act: onCreate }]} />}
    </Empty>
  )

interface RowProps {
  persona: ListedPersona
  view: View
  segments: readonly BoardSegment[]
}

function Row({ persona, view, segments }: RowProps) {
  const { externalKey: key, name, occupation, boardSegmentId } = persona
  const isCurrent = view.persona === key
  const segment = segments.find(({ id }) => id === boardSegmentId)
  return (
    <li class={isCurrent ? 'list-row current' : 'list-row'}>
      <Picture persona={persona} />
      <div class="grow">
        <h2 class="truncate">
          <a
            class="stretch"
            href={BASE + pathOf({ ...view, persona: key })}
            data-row={key}
            aria-current={isCurrent ? 'true' : undefined}
            onClick={() => isCurrent && focusDetail(DETAIL_TITLE)}
          >
            {name}
          </a>
        </h2>
        <p class="row sm muted">
          <span class="truncate">{occupation ?? texts.noOccupation}</span>
          {segment && <span class="tag push">{segment.name}</span>}
        </p>
      </div>
    </li>
  )
}
