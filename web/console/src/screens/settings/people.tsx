import { useMemo, useState } from 'preact/hooks'
import { maySee } from '../../api/me'
import { useQuery } from '../../api/queries'
import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { NextSteps } from '../../parts/next-steps'
import { nameOf } from '../../parts/person'
import { Skeleton } from '../../parts/skeleton'
import { useKeys } from '../../state/keys'
import { BASE, place } from '../../state/place'
import { texts as shared } from '../../texts/texts'
import type { ScreenProps } from '../screens'
import { AccessDialog } from './access-dialog'
import { AddPersonDialog } from './add-person-dialog'
import { EditPersonDialog } from './edit-person-dialog'
import { GROUPS, type Group, PAGE, type Person, readPeople, sendRemoval, sendRestore } from './people-requests'
import { PeopleTable } from './people-table'
import { SettingsPage } from './settings-page'
import { texts } from './texts/texts'
import { useRemoval } from './use-removal'

const PATH = '/settings/people'

const pathOfGroup = (group: Group) => (group === 'team' ? PATH : `${PATH}?group=${group}`)

export default function People({ me, main }: ScreenProps) {
  const mayManage = maySee(me, 'products:write')
  const group: Group = place.value.query.get('group') === 'portal' ? 'portal' : 'team'
  const [limit, setLimit] = useState(PAGE)
  const [edited, edit] = useState<Person | 'new'>()
  const [admitted, admit] = useState<{ person: Person; isNew: boolean }>()
  const removal = useRemoval({ main, send: sendRemoval, restore: sendRestore, nameOf, texts: texts.people })
  const { data, error, refetch } = useQuery({
    queryKey: ['user', 'settings', group, limit],
    queryFn: () => readPeople(group, limit),
  })
  useKeys(
    useMemo(() => (mayManage ? [{ keys: 'c', label: texts.people.add, run: () => edit('new') }] : []), [mayManage]),
  )
  const people = data?.people.filter(({ id }) => !removal.removed.has(id))
  const close = () => edit(undefined)
  const action = mayManage && (
    <button class="btn small primary" type="button" onClick={() => edit('new')}>
      <Icon name="plus" />
      {texts.people.add}
    </button>
  )
  return (
    <SettingsPage me={me} main={main} path={PATH} action={action}>
      <nav class="segmented" aria-label={texts.people.groups}>
        {(Object.keys(GROUPS) as Group[]).map((one) => (
          <a key={one} href={BASE + pathOfGroup(one)} aria-current={one === group ? 'page' : undefined}>
            {texts.people[one]}
          </a>
        ))}
      </nav>
      {!mayManage && <p class="sm muted">{texts.people.viewerHint}</p>}
      {removal.failure && <Failure {...removal.failure} />}
      {error && !data && <Failure title={texts.people.listFailed} error={error} onRetry={() => refetch()} />}
      {!data && !error && <Skeleton />}
      {people?.length === 0 && (
        <Empty icon="audience" title={texts.people.empty} hint={group === 'portal' ? texts.people.emptyHint : ''}>
          {group === 'portal' && <NextSteps steps={[{ text: shared.next.portal, path: '/settings/portal' }]} />}
        </Empty>
      )}
      {people && people.length > 0 && (
        <PeopleTable
          {...{ me, people }}
          onEdit={edit}
          onAccess={(person) => admit({ person, isNew: false })}
          onRemove={removal.remove}
        />
      )}
      {data?.hasMore && (
        <button class="btn" type="button" onClick={() => setLimit(limit + PAGE)}>
          {shared.showMore}
        </button>
      )}
      {edited === 'new' && (
        <AddPersonDialog me={me} onAdd={(person) => admit({ person, isNew: true })} onClose={close} />
      )}
      {edited && edited !== 'new' && <EditPersonDialog key={edited.id} me={me} person={edited} onClose={close} />}
      {admitted && <AccessDialog me={me} {...admitted} onClose={() => admit(undefined)} />}
    </SettingsPage>
  )
}
