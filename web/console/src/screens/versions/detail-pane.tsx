import { useMemo, useState } from 'preact/hooks'
import { useChange, type Versioned } from '../../api/change'
import { maySee, useMe } from '../../api/me'
import { ConflictBanner } from '../../parts/conflict-banner'
import { Failure } from '../../parts/failure'
import { Loaded } from '../../parts/loaded'
import { useKeys } from '../../state/keys'
import { BASE } from '../../state/place'
import { formatDay, formatNumber } from '../../texts/formats'
import { Heading } from './heading'
import { Items } from './items'
import type { View } from './place'
import { ReleaseDialog } from './release-dialog'
import {
  changeOf,
  readAgain,
  sendArchiving,
  sendStart,
  takeReleaseBack,
  useVersion,
  type Version,
  type VersionPlace,
} from './requests'
import { texts } from './texts/texts'
import { VersionDialog } from './version-dialog'

interface PaneProps {
  view: View
  place: VersionPlace
  may: boolean
  onRemove: () => void
}

export const DetailPane = (props: PaneProps) => (
  <Loaded query={useVersion(props.place)} failed={texts.loadFailed}>
    {(current) => <Detail {...props} current={current} />}
  </Loaded>
)

function Detail({ view, place, may, onRemove, current }: PaneProps & { current: Versioned<Version> }) {
  const { shown, save, conflict, failure } = useChange<Version>({ current, ...changeOf(place) })
  const version = shown ?? current.record
  const [opened, open] = useState<'edit' | 'release'>()
  const [failed, fail] = useState<{ error: unknown; retry: () => void }>()
  const run = (send: (place: VersionPlace) => Promise<unknown>) => {
    fail(undefined)
    send(place)
      .then(readAgain)
      .catch((error: unknown) => fail({ error, retry: () => run(send) }))
  }
  const isReleased = version.status === 'released'
  // A version that was released only keeps its name and dates.
  const mayEdit = may && version.releasedAt === null
  const actions = {
    ...(mayEdit && { edit: () => open('edit') }),
    ...(may && version.status === 'planned' && { start: () => run(sendStart) }),
    ...(mayEdit && version.status !== 'archived' && { release: () => open('release') }),
    ...(may && isReleased && { archive: () => run(sendArchiving), takeBack: () => run(takeReleaseBack) }),
    ...(may && !isReleased && { remove: onRemove }),
  }
  useDetailKeys(actions, [place.key, version.status, onRemove])
  return (
    <div class="wide stack loose">
      {conflict && (
        <ConflictBanner
          conflict={conflict}
          record={{ ...place, mark: conflict.theirs.updatedAt }}
          name={(field) => texts.fields[field as keyof typeof texts.fields] ?? field}
          show={(field, value) => (field === 'name' ? String(value) : value ? formatDay(String(value)) : '—')}
        />
      )}
      {failure && <Failure title={texts.notSaved} error={failure.error} onRetry={failure.retry} />}
      {failed && <Failure title={texts.notSaved} error={failed.error} onRetry={failed.retry} />}
      <Heading {...{ version, view }} {...actions} />
      {version.releasedAt !== null && <ReleaseMail />}
      <Done version={version} />
      <Items version={version} etag={current.etag} place={place} may={mayEdit} />
      {opened === 'release' && <ReleaseDialog place={place} version={version} onClose={() => open(undefined)} />}
      {opened === 'edit' && (
        <VersionDialog
          title={texts.editTitle}
          action={texts.save}
          version={version}
          onClose={() => open(undefined)}
          onSave={async (fields, base) => save(fields, base)}
        />
      )}
    </div>
  )
}

interface DetailActions {
  edit?: () => void
  release?: () => void
  remove?: () => void
}

function useDetailKeys({ edit, release, remove }: DetailActions, when: readonly unknown[]): void {
  useKeys(
    useMemo(
      () => [
        ...(edit ? [{ keys: 'e', label: texts.keys.edit, run: edit }] : []),
        ...(release ? [{ keys: 'r', label: texts.keys.release, run: release }] : []),
        ...(remove ? [{ keys: 'Backspace', label: texts.keys.remove, run: remove }] : []),
      ],
      when,
    ),
  )
}

/** The mail of a release leaves with the news of the service. */
function ReleaseMail() {
  const me = useMe().data
  if (!me || !maySee(me, 'mail:read')) return null
  return (
    <p class="sm">
      <a href={`${BASE}/mailings?group=service`}>{texts.releaseMail}</a>
    </p>
  )
}

const Done = ({ version: { progress, points } }: { version: Version }) => (
  <div class="stack tight">
    <div class="row">
      <progress max={100} value={progress} aria-label={texts.done} />
      <strong class="num">{progress}%</strong>
    </div>
    {points.total > 0 && (
      <p class="sm muted num">{texts.points(formatNumber(points.done), formatNumber(points.total))}</p>
    )}
  </div>
)
