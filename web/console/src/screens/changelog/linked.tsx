import { useState } from 'preact/hooks'
import { AskDialog } from '../../parts/ask-dialog'
import { Icon } from '../../parts/icon'
import { BASE } from '../../state/place'
import { type Found, RecordSearch } from '../ideas/record-search'
import { readIdeas } from '../ideas/requests'
import { type Entry, type Preview, useVersions } from './requests'
import { texts } from './texts/texts'

interface LinkedProps {
  entry: Entry
  preview: Preview | undefined
  may: boolean
  save: (change: Partial<Entry>) => void
}

interface ChipProps {
  id: string
  name: string
  path: string
  /** Why readers do not see the record. */
  hidden?: string | undefined
  onRemove?: (() => void) | undefined
}

const Chip = ({ id, name, path, hidden, onRemove }: ChipProps) => (
  <span class={onRemove ? 'tag removable' : 'tag'}>
    <a class="quiet truncate" href={BASE + path}>
      {id} {name}
    </a>
    {hidden && <span class="muted"> ({hidden})</span>}
    {onRemove && (
      <button type="button" aria-label={texts.unlink(id)} onClick={onRemove}>
        <Icon name="x" />
      </button>
    )}
  </span>
)

/** Ideas that asked for the news. Readers see the public ideas. */
export function LinkedIdeas({ entry: { ideas }, preview, may, save }: LinkedProps) {
  const [isAdding, setAdding] = useState(false)
  const shown = new Map(preview?.ideas.map(({ key, title }) => [key, title]))
  return (
    <>
      {ideas.map((key) => (
        <Chip
          key={key}
          id={key}
          name={shown.get(key) ?? ''}
          path={`/ideas?idea=${encodeURIComponent(key)}`}
          hidden={preview && !shown.has(key) ? texts.notPublic : undefined}
          onRemove={may ? () => save({ ideas: ideas.filter((other) => other !== key) }) : undefined}
        />
      ))}
      {!may && !ideas.length && <span class="muted">—</span>}
      {may && (
        <button class="btn ghost icon small" type="button" aria-label={texts.linkIdea} onClick={() => setAdding(true)}>
          <Icon name="plus" />
        </button>
      )}
      {isAdding && (
        <LinkIdeaDialog
          linked={ideas}
          onLink={(key) => save({ ideas: [...ideas, key] })}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}

interface LinkIdeaDialogProps {
  linked: readonly string[]
  onLink: (key: string) => void
  onClose: () => void
}

function LinkIdeaDialog({ linked, onLink, onClose }: LinkIdeaDialogProps) {
  const [idea, choose] = useState<Found>()
  const find = async (q: string): Promise<Found[]> => {
    const { ideas } = await readIdeas({ q, status: '', tag: '', level: '', sort: 'most-voted', product: null })
    return ideas
      .filter(({ external_key }) => !linked.includes(external_key))
      .map(({ external_key, title }) => ({ key: external_key, title }))
  }
  return (
    <AskDialog
      title={texts.linkIdea}
      action={texts.link(idea?.key)}
      failed={texts.notSaved}
      isReady={idea !== undefined}
      onAct={() => onLink(idea?.key ?? '')}
      onClose={onClose}
    >
      <RecordSearch
        label={texts.findIdea}
        name="entry-idea"
        suggested={[]}
        find={find}
        chosen={idea}
        onChoose={choose}
      />
    </AskDialog>
  )
}

/** Versions that brought the news. Readers see the released versions. */
export function LinkedVersions({ entry: { versions, product }, may, save }: LinkedProps) {
  const known = useVersions(product)
  const byKey = new Map(known.map((version) => [version.externalKey, version]))
  const free = known.filter(({ externalKey }) => !versions.includes(externalKey))
  return (
    <>
      {versions.map((key) => {
        const version = byKey.get(key)
        return (
          <Chip
            key={key}
            id={key}
            name={version?.name ?? ''}
            path={`/versions?${new URLSearchParams({ product: product ?? '', version: key })}`}
            hidden={version && !version.releasedAt ? texts.notReleased : undefined}
            onRemove={may ? () => save({ versions: versions.filter((other) => other !== key) }) : undefined}
          />
        )
      })}
      {!may && !versions.length && <span class="muted">—</span>}
      {may && product === null && !versions.length && <span class="muted">{texts.versionsNeedProduct}</span>}
      {may && free.length > 0 && (
        <select
          class="select small auto"
          aria-label={texts.linkVersion}
          value=""
          onChange={({ currentTarget: { value } }) => value && save({ versions: [...versions, value] })}
        >
          <option value="">{texts.linkVersion}</option>
          {free.map(({ externalKey, name }) => (
            <option key={externalKey} value={externalKey}>
              {name}
            </option>
          ))}
        </select>
      )}
    </>
  )
}
