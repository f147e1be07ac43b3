import type { Random } from '../../random.ts'
import type { Parameters, PathValue, Places } from './places.ts'

export interface Source {
  random: Random
  places: Places
  /** Parameters of the path, which limit the records that a body can name. */
  scope: Parameters
}

/**
 * Members whom the walk creates first, and leaves alone. A member who is created as the author of an idea emits no event,
 * because the event would name the author of an anonymous idea (docs/api-conventions.md#events).
 */
export const AUTHORS = [1, 2, 3, 4].map((n) => `author${n}@example.com`)

const WORDS = [
  'Checkout',
  'Grün',
  'naïve',
  '夜',
  'pay "now"',
  "O'Hara",
  '50 %',
  '🙂',
  'a\\b',
  'night',
  'Basket',
  'card',
]
const PLANS = ['pro', 'free', 'trial']

export const randomText = ({ random }: Pick<Source, 'random'>, count = 3): string =>
  Array.from({ length: 1 + random.below(count) }, () => random.pick(WORDS)).join(' ')

export const uniqueText = (source: Source): string => `${randomText(source)} ${source.random.below(1e9).toString(36)}`

export const randomEmail = ({ random }: Pick<Source, 'random'>): string =>
  `p${random.below(random.chance(50) ? 60 : 1e6)}@example.com`

const randomDate = ({ random }: Source) =>
  `20${26 + random.below(3)}-0${1 + random.below(9)}-${10 + random.below(18)}${random.chance(50) ? 'T09:30:00.000Z' : ''}`
const randomHtml = (source: Source) => `<p>${randomText(source, 5).replaceAll(/[<&]/g, '')}</p>`
const randomDigits = ({ random }: Source) => String(random.below(100))
const randomDecimal = ({ random }: Source) => (random.below(100_000) / 100).toFixed(2)
const randomAttributes = (source: Source) => ({
  plan: source.random.pick(PLANS),
  seats: source.random.below(40),
  [`extra${source.random.below(3)}`]: randomText(source),
})

/** Names one to three records of a list, or undefined. */
export const someOf = (source: Source, value: () => unknown): unknown[] | undefined => {
  const values = Array.from({ length: 1 + source.random.below(3) }, value).filter((one) => one !== undefined)
  return values.length ? [...new Set(values)] : undefined
}

export const keyOf = ({ places, scope }: Source, kind: string, limits: Parameters = scope): PathValue | undefined =>
  places.pick(kind, limits)?.parameters[kind]

const idOf = ({ places, scope }: Source, kind: string, field = 'id'): unknown => {
  const { data } = places.pick(kind, scope) ?? {}
  return data?.id ?? (data?.[field] || undefined)
}

/** Values of fields that name records. Undefined leaves the field out. */
const REFERENCES: Record<string, (source: Source) => unknown> = {
  product: (of) => keyOf(of, 'product_external_key'),
  products: (of) => someOf(of, () => keyOf(of, 'product_external_key', {})),
  members: (of) => someOf(of, () => keyOf(of, 'userId')),
  mentions: (of) => someOf(of, () => keyOf(of, 'userId')),
  userIds: (of) => someOf(of, () => keyOf(of, 'memberId')),
  teamId: (of) => keyOf(of, 'teamId'),
  epicId: (of) => idOf(of, 'epic_external_key', 'epicId'),
  featureId: (of) => idOf(of, 'feature_external_key', 'featureId'),
  userStories: (of) => someOf(of, () => keyOf(of, 'card_external_key')),
  features: (of) => someOf(of, () => keyOf(of, 'feature_external_key')),
  kpis: (of) => someOf(of, () => keyOf(of, 'kpi_external_key')),
  kpi: (of) => keyOf(of, 'kpi_external_key'),
  opportunity: (of) => keyOf(of, 'opportunity_external_key'),
  personas: (of) => someOf(of, () => keyOf(of, 'persona_external_key')),
  persona: (of) =>
    someOf(of, () => idOf(of, 'persona_external_key'))?.map((personaId) => ({ personaValue: 'high', personaId })),
  workItems: (of) => someOf(of, () => keyOf(of, 'item_external_key')),
  items: (of) => someOf(of, () => keyOf(of, 'item_external_key')),
  workItem: (of) => keyOf(of, 'item_external_key', {}),
  to: (of) => keyOf(of, 'item_external_key', of.random.chance(80) ? onlyProduct(of.scope) : {}),
  versionKey: (of) => keyOf(of, 'solution_version_external_key'),
  activityId: (of) => keyOf(of, 'activityId', onlyMap(of.scope)),
  stepId: (of) => keyOf(of, 'stepId', onlyMap(of.scope)),
  swimlaneId: (of) => keyOf(of, 'swimlaneId', onlyMap(of.scope)),
  cover: (of) => keyOf(of, 'assetId'),
  ideas: (of) => someOf(of, () => keyOf(of, 'feedback_external_key')),
  versions: (of) => someOf(of, () => keyOf(of, 'solution_version_external_key')),
  category_id: (of) => keyOf(of, 'categoryId'),
  status_id: (of) => keyOf(of, 'statusId'),
  status: (of) => keyOf(of, 'statusId'),
  cover_photos: (of) => someOf(of, () => keyOf(of, 'assetId')),
  files: (of) => someOf(of, () => keyOf(of, 'assetId'))?.map((id) => ({ file: { id } })),
  segmentIds: (of) => someOf(of, () => keyOf(of, 'segmentId')),
  segmentId: (of) => keyOf(of, 'segmentId'),
  boardSegmentId: (of) => keyOf(of, 'boardSegmentId'),
  artifactKey: (of) => keyOf(of, 'item_external_key'),
}

/** Fields that name records of the kind of the path, or siblings. */
const SIBLINGS = ['into', 'moveTo', 'beforeId', 'afterId', 'beforeKey', 'afterKey']

const onlyProduct = ({ product_external_key }: Parameters): Parameters =>
  product_external_key === undefined ? {} : { product_external_key }
const onlyMap = ({ storyMapId }: Parameters): Parameters => (storyMapId === undefined ? {} : { storyMapId })

const VALUES: Record<string, (source: Source) => unknown> = {
  name: uniqueText,
  label: uniqueText,
  slug: ({ random }) => `slug-${random.below(1e9)}`,
  externalKey: ({ random }) => `NEW-${random.below(1e9)}`,
  color: ({ random }) => random.pick(['#2f80ed', '#27ae60', 'red']),
  email: randomEmail,
  firstName: randomText,
  lastName: randomText,
  user: (of) => ({ email: of.random.pick(AUTHORS), name: randomText(of) }),
  author: (of) => ({ email: randomEmail(of), name: randomText(of) }),
  description: randomHtml,
  long_description: randomHtml,
  text: randomHtml,
  content: randomHtml,
  attributes: randomAttributes,
  startDate: randomDate,
  releaseDate: randomDate,
  endDate: ({ random }) => `2030-0${1 + random.below(9)}-11`,
  dueDate: randomDate,
  voting_start_time: () => '2026-01-31',
  voting_end_time: () => '2999-12-31',
  createdAt: ({ random }) => `2026-01-${10 + random.below(18)}T08:00:00.000Z`,
  avatar: ({ random }) => `https://example.com/${random.below(99)}.png`,
  ideaUrl: () => 'https://ideas.example.com/{key}',
  url: () => 'https://hooks.invalid/groundwork',
  urls: ({ random }) => [{ url: `https://example.com/${random.below(99)}` }],
  estimate: randomDigits,
  businessValue: randomDigits,
  storyPoint: randomDigits,
  remainingTime: randomDigits,
  score: ({ random }) => random.below(1_000) / 10,
  benchmark: randomDecimal,
  targetValue: randomDecimal,
  actualValue: randomDecimal,
  order: ({ random }) => random.below(20),
  progressPercentage: ({ random }) => random.below(101),
  // Work items take the tags as text.
  tags: (of) =>
    of.scope.product_external_key === undefined ? [randomText(of, 1)] : JSON.stringify([randomText(of, 1)]),
  collections: (of) => [randomText(of, 1)],
  cors: ({ random }) => [`https://app${random.below(9)}.example.com`],
  goals: (of) => [randomText(of), randomText(of)],
  pains: (of) => [randomText(of)],
  summary: randomText,
  title: uniqueText,
  type: () => undefined,
  source: () => undefined,
  mailTemplates: (of) => ({ status: { subject: `News ${randomText(of, 1)}: {{title}}` } }),
}

export const isReference = (name: string): boolean => Object.hasOwn(REFERENCES, name) || SIBLINGS.includes(name)

/** The value of a named field: a record, a value of the name, or null for an unknown name. */
export function namedValue(source: Source, name: string, own: string): { value: unknown } | null {
  if (SIBLINGS.includes(name)) {
    const { [own]: _, ...scope } = source.scope
    const value = keyOf(source, own, { ...onlyProduct(scope), ...onlyMap(scope) })
    return { value: value === source.scope[own] ? undefined : value }
  }
  const make = REFERENCES[name] ?? VALUES[name]
  return make ? { value: make(source) } : null
}
