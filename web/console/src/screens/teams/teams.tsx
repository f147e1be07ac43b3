import { useMemo, useState } from 'preact/hooks'
import { maySee } from '../../api/me'
import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { FormDialog } from '../../parts/form-dialog'
import { Icon } from '../../parts/icon'
import { NextSteps } from '../../parts/next-steps'
import { RecordTable } from '../../parts/record-table'
import { Skeleton } from '../../parts/skeleton'
import { useKeys } from '../../state/keys'
import { BASE, goTo } from '../../state/place'
import { showToast } from '../../state/toast'
import { formatAge } from '../../texts/formats'
import { texts as shared } from '../../texts/texts'
import type { ScreenProps } from '../screens'
import { SettingsPage } from '../settings/settings-page'
import { useRemoval } from '../settings/use-removal'
import { PAGE, readTeamsAgain, sendNewTeam, sendRemoval, sendRestore, useTeams } from './requests'
import { texts } from './texts/texts'

export const PATH = '/settings/teams'

export default function Teams({ me, main }: ScreenProps) {
  const may = maySee(me, 'products:write')
  const [limit, setLimit] = useState(PAGE)
  const [isAdding, add] = useState(false)
  const { data, error, refetch } = useTeams(limit)
  const removal = useRemoval({ main, send: sendRemoval, restore: sendRestore, nameOf: ({ name }) => name, texts })
  useKeys(useMemo(() => (may ? [{ keys: 'c', label: texts.add, run: () => add(true) }] : []), [may]))
  const teams = data?.teams.filter(({ id }) => !removal.removed.has(id))
  const action = may && (
    <button class="btn small primary" type="button" onClick={() => add(true)}>
      <Icon name="plus" />
      {texts.add}
    </button>
  )
  return (
    <SettingsPage me={me} main={main} path={PATH} action={action}>
      {!may && <p class="sm muted">{texts.readerHint}</p>}
      {removal.failure && <Failure {...removal.failure} />}
      {error && !data && <Failure title={texts.listFailed} error={error} onRetry={() => refetch()} />}
      {!data && !error && <Skeleton />}
      {teams?.length === 0 && (
        <Empty icon="audience" title={texts.empty} hint={texts.emptyHint}>
          {may && <NextSteps steps={[{ text: shared.next.team, act: () => add(true) }]} />}
        </Empty>
      )}
      {teams && teams.length > 0 && (
        <RecordTable
          records={teams}
          keyOf={({ id }) => id}
          columns={[
            {
              title: texts.name,
              show: ({ id, name }) => (
                <a class="b wrap-text" href={`${BASE}${PATH}/${id}`}>
                  {name}
                </a>
              ),
            },
            { title: texts.changed, show: ({ updatedAt }) => formatAge(updatedAt), isMuted: true },
          ]}
          actions={
            may
              ? {
                  title: texts.actions,
                  show: (team) => (
                    <button
                      class="btn ghost icon small danger"
                      type="button"
                      aria-label={texts.remove(team.name)}
                      onClick={() => removal.remove(team)}
                    >
                      <Icon name="remove" />
                    </button>
                  ),
                }
              : undefined
          }
        />
      )}
      {data?.hasMore && (
        <button class="btn" type="button" onClick={() => setLimit(limit + PAGE)}>
          {shared.showMore}
        </button>
      )}
      {isAdding && <AddTeamDialog onClose={() => add(false)} />}
    </SettingsPage>
  )
}

const AddTeamDialog = ({ onClose }: { onClose: () => void }) => (
  <FormDialog
    title={texts.add}
    action={texts.add}
    failed={texts.addFailed}
    onClose={onClose}
    onSubmit={async (form) => {
      const { id, name } = await sendNewTeam(String(form.get('name')).trim())
      await readTeamsAgain()
      showToast(texts.added(name))
      goTo(`${PATH}/${id}`)
    }}
  >
    <label class="field">
      <span class="label">{texts.name}</span>
      <input class="input" name="name" required pattern=".*\S.*" maxLength={200} autocomplete="off" autofocus />
    </label>
  </FormDialog>
)
