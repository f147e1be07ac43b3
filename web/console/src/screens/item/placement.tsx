import { Icon } from '../../parts/icon'
import { BASE } from '../../state/place'
import { pathOfRecord } from '../../state/record-path'
import { pathOfListed } from '../backlog/paths'
import { useVersions } from '../backlog/requests'
import { texts as backlogTexts } from '../backlog/texts/texts'
import { TypeMark } from '../backlog/type-mark'
import { parentOf } from './conversion'
import { None, Pair } from './pair'
import type { Parenting } from './parenting'
import { type ItemPlace, useTeams, type WorkItem } from './requests'
import { texts } from './texts/texts'

interface ParentProps {
  item: WorkItem
  place: ItemPlace
  parenting: Parenting
  may: boolean
  onMove: () => void
}

/** The epic or feature above. A click opens the form of a move. */
export function Parent({ item, place, parenting, may, onMove }: ParentProps) {
  const { forest, error } = parenting
  if (error !== null && !forest) return <Pair name={texts.fields.parent}>{backlogTexts.failed.load}</Pair>
  if (!forest?.items.has(item.externalKey)) return null
  const parent = parentOf(forest, item.externalKey)
  return (
    <Pair name={texts.fields.parent}>
      {parent ? (
        <a class="row quiet sm grow" href={BASE + pathOfListed(place.product, parent)} title={parent.summary}>
          <TypeMark type={parent.type} />
          <span class="truncate">{parent.summary}</span>
        </a>
      ) : (
        <span class="muted grow">{texts.noParent}</span>
      )}
      {may && (
        <button
          class="btn ghost icon small"
          type="button"
          aria-label={backlogTexts.moveOne(item.externalKey)}
          onClick={onMove}
        >
          <Icon name="move" />
        </button>
      )}
    </Pair>
  )
}

/** The versions that hold the item. */
export function Versions({ item, place, parenting: { forest } }: Pick<ParentProps, 'item' | 'place' | 'parenting'>) {
  const versions = useVersions(place.product)
  const keys = forest?.items.get(item.externalKey)?.versions ?? []
  if (!keys.length) return null
  return (
    <Pair name={texts.fields.versions}>
      {keys.map((key) => (
        <a
          key={key}
          class="tag"
          href={BASE + pathOfRecord({ type: 'solution_version', externalKey: key, product: place.product })}
        >
          {versions.find(({ externalKey }) => externalKey === key)?.name ?? key}
        </a>
      ))}
    </Pair>
  )
}

interface TeamProps {
  item: WorkItem
  may: boolean
  save: (change: Partial<WorkItem>) => void
}

export function Team({ item: { teamId }, may, save }: TeamProps) {
  const teams = useTeams()
  const name = teams.find(({ id }) => id === teamId)?.name
  if (!may) return <Pair name={texts.fields.teamId}>{name ?? <None />}</Pair>
  return (
    <Pair name={texts.fields.teamId} id="item-team">
      <select
        class="select small"
        id="item-team"
        value={teamId ?? ''}
        onChange={({ currentTarget: { value } }) => save({ teamId: value ? Number(value) : null })}
      >
        <option value="">{texts.noTeam}</option>
        {teams.map((team) => (
          <option key={team.id} value={team.id}>
            {team.name}
          </option>
        ))}
      </select>
    </Pair>
  )
}
