import type { RefObject } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { nameOf } from '../../parts/person'
import { Skeleton } from '../../parts/skeleton'
import { useKeys } from '../../state/keys'
import { BASE } from '../../state/place'
import { showToast } from '../../state/toast'
import { formatNumber } from '../../texts/formats'
import { texts as shared } from '../../texts/texts'
import { AddPeopleDialog } from './add-people-dialog'
import { MemberTable } from './member-table'
import { Pending } from './pending'
import type { FailedAct } from './remove-segment'
import {
  MEMBER_PAGE,
  type Member,
  readAgain,
  type Segment,
  sendMemberRemoval,
  sendMembers,
  useMembers,
  usePending,
} from './requests'
import { texts } from './texts/texts'

interface MembersCardProps {
  segment: Segment
  may: boolean
  main: RefObject<HTMLElement | null>
}

/** Gives the focus to the next row, because the row with the focus goes. */
function leaveMember(main: HTMLElement | null): void {
  const row = document.activeElement?.closest('tr')
  const near = row?.nextElementSibling ?? row?.previousElementSibling
  const target = near?.querySelector('button') ?? main
  target?.focus()
}

export function MembersCard({ segment, may, main }: MembersCardProps) {
  const [limit, setLimit] = useState(MEMBER_PAGE)
  const [isAdding, add] = useState(false)
  const [gone, setGone] = useState<ReadonlySet<number>>(new Set())
  const [failed, fail] = useState<FailedAct>()
  const { data, error, refetch } = useMembers(segment.id, limit)
  const { data: pending = [] } = usePending(segment)
  const show = (id: number) => setGone((ids) => new Set([...ids].filter((one) => one !== id)))

  async function putBack(person: Member): Promise<void> {
    await sendMembers(segment.id, [person.email])
    await readAgain()
    show(person.id)
  }
  async function takeOut(person: Member): Promise<void> {
    fail(undefined)
    leaveMember(main.current)
    setGone((ids) => new Set([...ids, person.id]))
    try {
      await sendMemberRemoval(segment.id, person.id)
      showToast(texts.takenOut(nameOf(person)), () => putBack(person))
      void readAgain()
    } catch (cause) {
      show(person.id)
      fail({ title: texts.notTakenOut, error: cause, onRetry: () => void takeOut(person) })
    }
  }
  useKeys(useMemo(() => (may ? [{ keys: 'c', label: texts.keys.add, run: () => add(true) }] : []), [may]))
  const members = data?.members.filter(({ id }) => !gone.has(id))
  return (
    <section class="card" aria-labelledby="segment-members">
      <header>
        <h2 class="h3" id="segment-members">
          {texts.members}
        </h2>
        <span class="count" role="status">
          {formatNumber(segment.userCount)}
        </span>
        {may && (
          <span class="row wrap push">
            <a class="btn small ghost" href={`${BASE}/imports/new?kind=people`}>
              <Icon name="upload" />
              {texts.importPeople}
            </a>
            <button class="btn small" type="button" onClick={() => add(true)}>
              <Icon name="plus" />
              {texts.addPeople}
            </button>
          </span>
        )}
      </header>
      {failed && <Failure {...failed} />}
      {error && !data && <Failure title={texts.membersFailed} error={error} onRetry={() => void refetch()} />}
      {!data && !error && (
        <div class="body">
          <Skeleton lines={4} />
        </div>
      )}
      {members?.length === 0 && <p class="body muted">{texts.noMembers}</p>}
      {members && members.length > 0 && (
        <MemberTable
          members={members}
          pending={new Set(pending)}
          onTakeOut={may ? (person) => void takeOut(person) : undefined}
        />
      )}
      {pending.length > 0 && <Pending segment={segment} userIds={pending} may={may} />}
      {data?.hasMore && (
        <footer>
          <button class="btn small" type="button" onClick={() => setLimit(limit + MEMBER_PAGE)}>
            {shared.showMore}
          </button>
        </footer>
      )}
      {isAdding && <AddPeopleDialog segment={segment} onClose={() => add(false)} />}
    </section>
  )
}
