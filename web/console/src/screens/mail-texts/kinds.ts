import type { WorkspaceSettings } from '../settings/workspace-settings'

export type Templates = WorkspaceSettings['mailTemplates']
export type Kind = keyof Templates
type Field = 'named' | 'unnamed' | 'subject' | 'text'

const MAX_LINE = 200
const MAX_TEXT = 5_000

interface KindFields {
  fields: readonly Field[]
  /** News of the sample mail; all kinds without a list. */
  sample: readonly ('status' | 'release' | 'reply' | 'changelog' | 'mention' | 'assignment')[] | undefined
}

export const KINDS: Readonly<Record<Kind, KindFields>> = {
  status: { fields: ['subject', 'text'], sample: ['status'] },
  release: { fields: ['subject', 'text'], sample: ['release'] },
  reply: { fields: ['subject', 'text'], sample: ['reply'] },
  changelog: { fields: ['subject', 'text'], sample: ['changelog'] },
  mention: { fields: ['subject', 'text'], sample: ['mention'] },
  assignment: { fields: ['subject', 'text'], sample: ['assignment'] },
  greeting: { fields: ['named', 'unnamed'], sample: ['status'] },
  idea: { fields: ['text'], sample: ['status'] },
  digest: { fields: ['subject', 'text'], sample: undefined },
}
export const KIND_NAMES = Object.keys(KINDS) as Kind[]

export const maxLengthOf = (field: Field): number => (field === 'text' ? MAX_TEXT : MAX_LINE)

type Texts = Readonly<Record<string, string | null | undefined>>

/** Name of a text, such as `release.subject`. */
export type TextName = `${Kind}.${Field}`

export const nameOfText = (kind: Kind, field: Field): TextName => `${kind}.${field}`

/** Each text by its name, so that two people who change different texts do not collide. Empty is the text of the service. */
export type NamedTexts = Readonly<Partial<Record<TextName, string>>>

export const toTexts = (templates: Templates): NamedTexts =>
  Object.fromEntries(
    KIND_NAMES.flatMap((kind) =>
      KINDS[kind].fields.map((field) => [
        nameOfText(kind, field),
        (templates[kind] as Texts | undefined)?.[field] ?? '',
      ]),
    ),
  )

export const splitName = (name: TextName): [Kind, Field] => name.split('.') as [Kind, Field]

/** Null brings the text of the service back. */
export function toTemplates(named: NamedTexts): Templates {
  const templates: Partial<Record<Kind, Texts>> = {}
  for (const [name, text] of Object.entries(named)) {
    const [kind, field] = splitName(name as TextName)
    templates[kind] = { ...templates[kind], [field]: text || null }
  }
  return templates as Templates
}
