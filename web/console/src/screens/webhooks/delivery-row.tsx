import { BASE } from '../../state/place'
import { formatAge, formatMoment } from '../../texts/formats'
import { pathOf, readShown } from './paths'
import type { Attempt, Delivery } from './requests'
import { DeliveryBadge } from './state-badge'
import { texts } from './texts/texts'

interface DeliveryRowProps {
  delivery: Delivery
  onReplay: ((delivery: Delivery) => void) | undefined
}

export const answerOf = ({ status }: Attempt): string => (status === null ? texts.noAnswer : String(status))

export function DeliveryRow({ delivery, onReplay }: DeliveryRowProps) {
  const { id, type, status, attempts, createdAt } = delivery
  const last = attempts.at(-1)
  const isCurrent = readShown().delivery === id
  const at = last?.at ?? createdAt
  return (
    <tr class={isCurrent ? 'current' : undefined}>
      <th scope="row">
        <a
          class="quiet wrap-text"
          id={`delivery-${id}`}
          href={BASE + pathOf({ ...readShown(), delivery: id })}
          aria-current={isCurrent ? 'true' : undefined}
        >
          {type}
          <span class="sr"> {id}</span>
        </a>
      </th>
      <td data-th={texts.result}>
        <DeliveryBadge status={status} />
      </td>
      <td data-th={texts.answer} class="n">
        {last ? answerOf(last) : '–'}
      </td>
      <td data-th={texts.duration} class="n muted">
        {last ? texts.milliseconds(last.durationMs) : '–'}
      </td>
      <td data-th={texts.at} class="n muted">
        <time class="age" dateTime={at} title={formatMoment(at)}>
          {formatAge(at)}
        </time>
      </td>
      {onReplay && (
        <td class="n">
          <button class="btn ghost small" type="button" onClick={() => onReplay(delivery)}>
            {texts.replay}
            <span class="sr">
              {' '}
              {type} {id}
            </span>
          </button>
        </td>
      )}
    </tr>
  )
}
