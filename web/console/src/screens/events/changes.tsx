import { listChanges } from '../../api/event-changes'
import type { LoggedEvent } from '../../api/events'
import { formatNumber } from '../../texts/formats'
import { texts } from './texts/texts'
import { nameOfResource } from './types'

const show = (value: unknown): string =>
  value === null || value === undefined || value === ''
    ? '–'
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)

/** What the event changed, and the record after the event. */
export function Changes({ event }: { event: LoggedEvent }) {
  const { data, previous, cascade } = event
  const changes = listChanges(event)
  return (
    <>
      {changes.length > 0 && (
        <section class="card" aria-labelledby="event-changes">
          <header>
            <h3 id="event-changes">{texts.changes}</h3>
          </header>
          <table class="table stack-table log-changes">
            <thead>
              <tr>
                <th scope="col">{texts.field}</th>
                <th scope="col">{texts.before}</th>
                <th scope="col">{texts.after}</th>
              </tr>
            </thead>
            <tbody>
              {changes.map(({ field, before, after }) => (
                <tr key={field}>
                  <th scope="row">{field}</th>
                  <td data-th={texts.before}>{show(before)}</td>
                  <td data-th={texts.after}>{show(after)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {cascade && (
        <p>
          {texts.cascade}{' '}
          {Object.entries(cascade)
            .map(([resource, count]) => `${nameOfResource(resource)}: ${formatNumber(count)}`)
            .join(', ')}
        </p>
      )}
      {data ? (
        <details open={!previous}>
          <summary>{texts.record}</summary>
          <pre class="log-data">{JSON.stringify(data, null, 2)}</pre>
        </details>
      ) : (
        <p class="muted">{texts.hidden}</p>
      )}
    </>
  )
}
