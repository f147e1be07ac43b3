import { useMemo, useState } from 'preact/hooks'
import { mayChange } from '../../api/me'
import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { useListKeys } from '../../parts/list-keys'
import { NextSteps } from '../../parts/next-steps'
import { Skeleton } from '../../parts/skeleton'
import { Bar } from '../../shell/bar'
import { useKeys } from '../../state/keys'
import { BASE } from '../../state/place'
import { formatNumber } from '../../texts/formats'
import { texts as shared } from '../../texts/texts'
import type { ScreenProps } from '../screens'
import { AddPersonDialog } from './add-person-dialog'
import { EditPersonDialog } from './edit-person-dialog'
import { PeopleTable } from './people-table'
import { PeopleTools, SEARCH } from './people-tools'
import { PATH, readView } from './place'
import { mayRemove, PAGE, type Person, usePeople } from './requests'
import { texts } from './texts/texts'
import { useRemoval } from './use-removal'

/** The service says `10000+` for more. */
const showTotal = (total: string): string => (/^\d+$/.test(total) ? formatNumber(Number(total)) : total)

export default function People({ me, main }: ScreenProps) {
  const may = mayChange(me, 'segments')
  const view = readView()
  const isFiltered = view.q !== '' || view.segment !== undefined || view.attribute !== undefined
  const [limit, setLimit] = useState(PAGE)
  const [focused, focus] = useState<string>()
  const [edited, edit] = useState<Person | 'new'>()
  const { data, error, refetch } = usePeople(view, limit)
  const removal = useRemoval()
  const people = data?.people.filter(({ id }) => !removal.removed.has(id))
  const list = { keys: (people ?? []).map(({ id }) => String(id)), selected: focused, select: focus, detail: '' }
  const remove = (person: Person) => {
    if (list.keys.length === 1) main.current?.focus()
    removal.remove(list, person)
  }
  useListKeys(list, texts.keys)
  useKeys(
    useMemo(() => {
      const current = people?.find(({ id }) => String(id) === focused)
      const search = { keys: '/', label: texts.keys.search, run: () => document.getElementById(SEARCH)?.focus() }
      if (!may) return [search]
      return [
        search,
        { keys: 'c', label: texts.keys.add, run: () => edit('new') },
        ...(current ? ['e', 'Enter'].map((keys) => ({ keys, label: texts.keys.edit, run: () => edit(current) })) : []),
        ...(current && mayRemove(me, current)
          ? [{ keys: 'Backspace', label: texts.keys.remove, run: () => remove(current) }]
          : []),
      ]
    }, [may, focused, people?.length, data, location.search]),
  )
  const close = () => edit(undefined)
  return (
    <>
      <Bar title={texts.title}>
        {may && (
          <button class="btn small primary" type="button" onClick={() => edit('new')}>
            <Icon name="plus" />
            {texts.add}
          </button>
        )}
      </Bar>
      <main id="main" ref={main} tabIndex={-1} class="padded">
        <div class="center stack loose">
          <PeopleTools view={view} may={may} />
          <p class="sm muted" role="status">
            {data?.total && texts.found(showTotal(data.total))}
          </p>
          {removal.failure && <Failure {...removal.failure} />}
          {error && !data && <Failure title={texts.listFailed} error={error} onRetry={() => void refetch()} />}
          {!data && !error && <Skeleton lines={6} />}
          {people?.length === 0 && (
            <Empty
              icon="audience"
              title={isFiltered ? texts.noMatch : texts.empty}
              hint={isFiltered ? texts.noMatchHint : texts.emptyHint}
            >
              {isFiltered && (
                <a class="btn" href={BASE + PATH}>
                  {texts.clear}
                </a>
              )}
              {!isFiltered && may && (
                <NextSteps
                  steps={[
                    { text: shared.next.importPeople, path: '/imports/new?kind=people' },
                    { text: shared.next.portal, path: '/settings/portal' },
                  ]}
                />
              )}
            </Empty>
          )}
          {people && people.length > 0 && (
            <PeopleTable {...{ me, people, view, may }} onFocus={focus} onEdit={edit} onRemove={remove} />
          )}
          {data?.hasMore && (
            <button class="btn" type="button" onClick={() => setLimit(limit + PAGE)}>
              {shared.showMore}
            </button>
          )}
        </div>
      </main>
      {edited === 'new' && <AddPersonDialog onClose={close} />}
      {edited && edited !== 'new' && <EditPersonDialog key={edited.id} person={edited} onClose={close} />}
    </>
  )
}
