import { PersonName } from '../../parts/person'
import { Skeleton } from '../../parts/skeleton'
import { BASE } from '../../state/place'
import { formatAge, formatMoment } from '../../texts/formats'
import type { Preview } from './requests'
import { type DraftRules, isBuiltIn, nameOfCustom } from './rules'
import { texts } from './texts/texts'

const MAX_SHOWN = 10
const MAX_COLUMNS = 2

interface SampleCardProps {
  rules: DraftRules
  preview: Preview | undefined
  isCounting: boolean
  /** Id of the stored segment, if the rules are stored. */
  segmentId: number | undefined
}

/** The newest people who match, with the attributes that the rules name. */
export function SampleCard({ rules, preview, isCounting, segmentId }: SampleCardProps) {
  if (!preview && !isCounting) return null
  const custom = rules.conditions.flatMap(({ attribute }) => (isBuiltIn(attribute) ? [] : [nameOfCustom(attribute)]))
  const columns = [...new Set(custom)].filter(Boolean).slice(0, MAX_COLUMNS)
  return (
    <section class="card" aria-labelledby="segment-sample" aria-busy={isCounting}>
      <header>
        <h2 class="h3" id="segment-sample">
          {texts.sample}
        </h2>
        <span class="push sm muted">{texts.newestFirst}</span>
      </header>
      {!preview && isCounting && (
        <div class="body">
          <Skeleton lines={3} />
        </div>
      )}
      {preview?.users.length === 0 && <p class="body muted">{texts.nobody}</p>}
      {preview && preview.users.length > 0 && (
        <div class="scroll-x">
          <table class="table stack-table">
            <thead>
              <tr>
                <th scope="col">{texts.person}</th>
                {columns.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
                <th scope="col">{texts.since}</th>
              </tr>
            </thead>
            <tbody>
              {preview.users.slice(0, MAX_SHOWN).map((person) => (
                <tr key={person.id}>
                  <th scope="row">
                    <PersonName person={person} />
                  </th>
                  {columns.map((name) => (
                    <td key={name} data-th={name} class="sample-value">
                      {String(person.attributes[name] ?? '–')}
                    </td>
                  ))}
                  <td data-th={texts.since} class="muted">
                    <time dateTime={person.createdAt} title={formatMoment(person.createdAt)}>
                      {formatAge(person.createdAt)}
                    </time>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {segmentId !== undefined && preview && preview.userCount > 0 && (
        <footer>
          <a class="sm" href={`${BASE}/people?segment=${segmentId}`}>
            {texts.showAll(preview.userCount)}
          </a>
        </footer>
      )}
    </section>
  )
}
