import { GroundworkError } from 'groundwork-client'
import { useEffect } from 'preact/hooks'
import { client } from '../../api/client'
import { useQuery } from '../../api/queries'
import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { Skeleton } from '../../parts/skeleton'
import { Bar } from '../../shell/bar'
import { goTo, place } from '../../state/place'
import { formatNumber, formatStored } from '../../texts/formats'
import { texts } from '../../texts/texts'
import type { ScreenProps } from '../screens'

type Member = [name: string, value: unknown]

type RecordReader = (product: string, key: string) => Promise<object>

const readItem: RecordReader = (product, key) =>
  client.getWorkItem({ product_external_key: product, item_external_key: key })

const READERS: Readonly<Record<string, RecordReader>> = {
  epic: readItem,
  feature: readItem,
  userstory: readItem,
  kpi: (product, key) => client.getKpi({ product_external_key: product, kpi_external_key: key }),
  document: (product, key) => client.getDocument({ product_external_key: product, document_external_key: key }),
  changelog_entry: (_, key) => client.getChangelogEntry({ changelog_external_key: key }),
}

const TITLES = ['summary', 'title', 'name']
const BODIES = ['description', 'long_description', 'content', 'text']

/** Records with a screen of their own. */
const SCREENS: Readonly<Record<string, string>> = { feedback: '/ideas?idea=', persona: '/personas?persona=' }

/** What a search has found, to look at: the title, the text and the properties. */
export default function RecordScreen(props: ScreenProps) {
  const [type, key = ''] = props.params
  const screen = SCREENS[type ?? '']
  useEffect(() => {
    if (screen) goTo(screen + encodeURIComponent(key), { replaces: true })
  }, [screen, key])
  return screen ? null : <RecordPage {...props} />
}

function RecordPage({ params: [type = '', key = ''], main }: ScreenProps) {
  const product = place.value.query.get('product') ?? ''
  const read = READERS[type]
  const { data, error, refetch } = useQuery<object>({
    queryKey: [type, key],
    queryFn: () => read?.(product, key) ?? Promise.reject(new Error(texts.notFound)),
    enabled: read !== undefined,
  })
  const members: Member[] = Object.entries(data ?? {})
  const title = find(members, TITLES) ?? key
  const isMissing = !read || (error instanceof GroundworkError && error.status === 404)
  return (
    <>
      <Bar title={title} crumb={{ path: '/', title: texts.records[type as keyof typeof texts.records] ?? type }}>
        <span class="key">{key}</span>
      </Bar>
      <main id="main" ref={main} tabIndex={-1} class="padded">
        <div class="narrow stack loose">
          {isMissing && <Empty icon="info" title={texts.notFound} hint={texts.notFoundHint} />}
          {error && !isMissing && <Failure title={texts.records.loadFailed} error={error} onRetry={() => refetch()} />}
          {!data && !error && read && <Skeleton />}
          {data && <Body html={find(members, BODIES)} />}
          {data && <Properties members={members} />}
        </div>
      </main>
    </>
  )
}

const find = (members: readonly Member[], names: readonly string[]) =>
  names
    .map((name) => members.find(([own, value]) => own === name && typeof value === 'string' && value !== ''))
    .find((found) => found !== undefined)?.[1] as string | undefined

/** The service has sanitized the HTML, and the policy of the page allows no script beside the files of the console. */
const Body = ({ html }: { html: string | undefined }) =>
  html ? <div class="prose" dangerouslySetInnerHTML={{ __html: html }} /> : <p class="muted">{texts.records.empty}</p>

function show(value: unknown): string | undefined {
  if (typeof value === 'number') return formatNumber(value)
  return typeof value === 'string' && value !== '' ? formatStored(value) : undefined
}

const Properties = ({ members }: { members: readonly Member[] }) => (
  <section class="card" aria-labelledby="properties">
    <header>
      <h2 class="h3" id="properties">
        {texts.records.properties}
      </h2>
    </header>
    <dl class="dl body">
      {members
        .filter(([name]) => !BODIES.includes(name) && !TITLES.includes(name) && name !== 'id')
        .map(([name, value]) => [name, show(value)] as const)
        .filter(([, text]) => text !== undefined)
        .map(([name, text]) => (
          <div class="pair" key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
    </dl>
  </section>
)
