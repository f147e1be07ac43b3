import { nameOf, useUsers } from '../../api/users'
import { BASE } from '../../state/place'
import { formatDay, formatNumber } from '../../texts/formats'
import { labelOfProgress, PROGRESSES } from '../backlog/progress-badge'
import { readTags, useTags } from '../backlog/requests'
import { None, Pair } from './pair'
import type { Parenting } from './parenting'
import { Parent, Team, Versions } from './placement'
import type { ItemPlace, WorkItem } from './requests'
import { texts } from './texts/texts'

interface PropertyProps {
  item: WorkItem
  may: boolean
  save: (change: Partial<WorkItem>) => void
}

interface PropertiesProps extends PropertyProps {
  place: ItemPlace
  parenting: Parenting
  onMove: () => void
}

/** A viewer sees the values, everybody else the fields. */
export function Properties({ item, place, parenting, may, save, onMove }: PropertiesProps) {
  return (
    <dl class="dl properties">
      <Progress item={item} may={may} save={save} />
      <Owner item={item} may={may} save={save} />
      <Team item={item} may={may} save={save} />
      {item.type !== 'epic' && <Parent {...{ item, place, parenting, may, onMove }} />}
      <Versions {...{ item, place, parenting }} />
      <Points item={item} may={may} save={save} />
      {item.score !== 0 && <Pair name={texts.score}>{formatNumber(item.score)}</Pair>}
      <Day name="startDate" item={item} may={may} save={save} />
      <Day name="endDate" item={item} may={may} save={save} />
      <Tags item={item} product={place.product} may={may} save={save} />
      {item.persona.length > 0 && (
        <Pair name={texts.personas}>{item.persona.map(({ personaValue }) => personaValue).join(', ')}</Pair>
      )}
      {item.ideas.length > 0 && (
        <Pair name={texts.ideas}>
          {item.ideas.map((key) => (
            <a key={key} class="tag" href={`${BASE}/ideas?idea=${encodeURIComponent(key)}`}>
              {key}
            </a>
          ))}
        </Pair>
      )}
      {item.kpis.length > 0 && <Pair name={texts.kpis}>{item.kpis.join(', ')}</Pair>}
      {item.jiraKey && <Pair name="Jira">{item.jiraKey}</Pair>}
    </dl>
  )
}

function Progress({ item: { progress, ideas }, may, save }: PropertyProps) {
  const known: readonly string[] = PROGRESSES
  return (
    <Pair name={texts.fields.progress} {...(may && { id: 'item-progress' })}>
      {may ? (
        <select
          class="select small"
          id="item-progress"
          value={progress}
          onChange={({ currentTarget: { value } }) => save({ progress: value })}
        >
          {[...known, ...(known.includes(progress) ? [] : [progress])].map((value) => (
            <option key={value} value={value}>
              {labelOfProgress(value)}
            </option>
          ))}
        </select>
      ) : (
        labelOfProgress(progress)
      )}
      {may && ideas.length > 0 && <span class="xs muted">{texts.progressOfIdeas(ideas.length)}</span>}
    </Pair>
  )
}

function Owner({ item: { userId }, may, save }: PropertyProps) {
  const users = useUsers()
  const names = userId.map((id) => users.find((user) => user.id === id)).map((user) => (user ? nameOf(user) : '?'))
  if (!may) return <Pair name={texts.fields.userId}>{names.length ? names.join(', ') : <None />}</Pair>
  return (
    <Pair name={texts.fields.userId} id="item-owner">
      <select
        class="select small"
        id="item-owner"
        value={userId[0] ?? ''}
        onChange={({ currentTarget: { value } }) => save({ userId: value ? [Number(value)] : [] })}
      >
        <option value="">{texts.nobody}</option>
        {users.map((user) => (
          <option key={user.id} value={user.id}>
            {nameOf(user)}
          </option>
        ))}
      </select>
      {names.length > 1 && <span class="sm muted">{names.slice(1).join(', ')}</span>}
    </Pair>
  )
}

function Points({ item, may, save }: PropertyProps) {
  const field = item.type === 'userstory' ? 'storyPoint' : 'estimate'
  const points = item[field]
  if (!may) return <Pair name={texts.fields[field]}>{points || <None />}</Pair>
  return (
    <Pair name={texts.fields[field]} id="item-points">
      <input
        key={points}
        class="input small num"
        id="item-points"
        inputMode="decimal"
        maxLength={30}
        defaultValue={points}
        onChange={({ currentTarget: { value } }) => save({ [field]: value.trim().replace(',', '.') })}
      />
    </Pair>
  )
}

const DAY_CHARACTERS = 10
const toDay = (moment: string | null): string => moment?.slice(0, DAY_CHARACTERS) ?? ''

function Day({ name, item, may, save }: PropertyProps & { name: 'startDate' | 'endDate' }) {
  const day = toDay(item[name])
  if (!may) return <Pair name={texts.fields[name]}>{day ? formatDay(day) : <None />}</Pair>
  const id = `item-${name}`
  return (
    <Pair name={texts.fields[name]} id={id}>
      <input
        key={day}
        class="input small num"
        id={id}
        type="date"
        defaultValue={day}
        onChange={({ currentTarget: { value } }) => save({ [name]: value ? `${value}T00:00:00.000Z` : null })}
      />
    </Pair>
  )
}

function Tags({ item, product, may, save }: PropertyProps & { product: string }) {
  const known = useTags(product)
  const tags = readTags(item.tags)
  const change = (next: readonly string[]) => save({ tags: JSON.stringify(next) })
  return (
    <Pair name={texts.fields.tags} {...(may && { id: 'item-tag' })}>
      {tags.map((tag) => (
        <span key={tag} class="tag">
          {tag}
          {may && (
            <button
              type="button"
              class="untag"
              aria-label={texts.removeTag(tag)}
              onClick={() => change(tags.filter((other) => other !== tag))}
            >
              ×
            </button>
          )}
        </span>
      ))}
      {may && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const field = event.currentTarget.elements.namedItem('tag') as HTMLInputElement
            const tag = field.value.trim()
            if (tag && !tags.includes(tag)) change([...tags, tag])
            field.value = ''
          }}
        >
          <input
            class="input small"
            id="item-tag"
            name="tag"
            list="known-tags"
            maxLength={100}
            placeholder={texts.addTag}
          />
          <datalist id="known-tags">
            {known.map((tag) => (
              <option key={tag} value={tag} />
            ))}
          </datalist>
        </form>
      )}
      {!may && !tags.length && <None />}
    </Pair>
  )
}
