import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { focusDetail } from '../../parts/list-keys'
import { NextSteps } from '../../parts/next-steps'
import { Skeleton } from '../../parts/skeleton'
import { BASE } from '../../state/place'
import { formatAge, formatMoment } from '../../texts/formats'
import { texts as shared } from '../../texts/texts'
import { COMPOSE_PATH, DETAIL_TITLE, GROUPS, type Group, pathOf, type View } from './place'
import type { Mailing, Pages } from './requests'
import { StatusBadge } from './status-badge'
import { texts } from './texts/texts'
import { useTarget } from './use-target'

interface ListPaneProps {
  view: View
  pages: Pages<Mailing> | undefined
  may: boolean
  error: unknown
  onRetry: () => void
  onMore: () => void
}

export const ListPane = ({ view, pages, may, error, onRetry, onMore }: ListPaneProps) => (
  <section class="list" aria-label={texts.list}>
    <div class="tools">
      <nav class="segmented" aria-label={texts.groups}>
        {(Object.keys(GROUPS) as Group[]).map((group) => (
          <a
            key={group}
            href={BASE + pathOf({ group, mailing: undefined })}
            aria-current={group === view.group ? 'page' : undefined}
          >
            {texts.groupNames[group]}
          </a>
        ))}
      </nav>
      {may && (
        <a class={view.mailing ? 'btn small push' : 'btn small primary push'} href={BASE + COMPOSE_PATH}>
          <Icon name="plus" />
          {texts.compose}
        </a>
      )}
      <span class="sr" role="status">
        {pages && texts.found(pages.records.length)}
      </span>
    </div>
    {error && !pages && (
      <div class="pad">
        <Failure title={texts.listFailed} error={error} onRetry={onRetry} />
      </div>
    )}
    {!pages && !error && (
      <div class="pad">
        <Skeleton lines={6} />
      </div>
    )}
    {pages?.records.length === 0 && (
      <Empty icon="mail" title={texts.empty} hint={texts.emptyHints[view.group]}>
        {may && view.group !== 'service' && <NextSteps steps={[{ text: shared.next.mailing, path: COMPOSE_PATH }]} />}
      </Empty>
    )}
    <ul>
      {pages?.records.map((mailing) => (
        <Row key={mailing.id} mailing={mailing} view={view} />
      ))}
    </ul>
    {pages?.hasMore && (
      <p class="pad">
        <button class="btn small" type="button" onClick={onMore}>
          {shared.showMore}
        </button>
      </p>
    )}
  </section>
)

function Row({ mailing, view }: { mailing: Mailing; view: View }) {
  const { id, subject, status, totals, scheduledAt, createdAt } = mailing
  const target = useTarget(mailing)
  const isCurrent = view.mailing === id
  return (
    <li class={isCurrent ? 'list-row current' : 'list-row'}>
      <div class="grow">
        <h2 class="truncate">
          <a
            class="stretch"
            href={BASE + pathOf({ ...view, mailing: id })}
            data-row={id}
            aria-current={isCurrent ? 'true' : undefined}
            onClick={() => isCurrent && focusDetail(DETAIL_TITLE)}
          >
            {subject}
          </a>
        </h2>
        <p class="sm muted truncate">
          {target} · {texts.people(totals.recipients)}
        </p>
        <p class="row sm muted">
          <StatusBadge status={status} />
          <span class="push">
            {status === 'scheduled' && scheduledAt ? formatMoment(scheduledAt) : formatAge(createdAt)}
          </span>
        </p>
      </div>
    </li>
  )
}
