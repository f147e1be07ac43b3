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

export const readText = (templates: Templates, kind: Kind, field: Field): string =>
  (templates[kind] as Texts | undefined)?.[field] ?? ''

/** Null brings the text of the service back. */
export const withText = (templates: Templates, kind: Kind, field: Field, text: string): Templates => ({
  ...templates,
  [kind]: { ...templates[kind], [field]: text || null },
})
