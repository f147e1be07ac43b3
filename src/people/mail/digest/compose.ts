import type { NoticeKind } from '../../notices/schema'
import { fillSubject, fillTemplate, type TextValues, type Written } from './fill'
import { type ChangedTemplates, completeTemplates, type MailTemplates } from './templates'

/** A notice as the shared variables of a mailing hold it. */
export interface DigestItem {
  kind: NoticeKind
  /** Key of the idea, work item or changelog entry. */
  key: string
  title: string
  /** Null for a changelog entry of all products. */
  productId: number | null
  /** Only of ideas. */
  slug?: string | undefined
  /** Address in a portal. */
  url?: string | undefined
  /** The present status of the idea. */
  status?: string | undefined
  message?: string | undefined
  version?: string | undefined
  comment?: string | undefined
}

export interface DigestContent {
  items: Readonly<Record<string, DigestItem>>
  /** `https://ideas.example.com/{key}`; null without links. */
  ideaUrl: string | null
  templates: ChangedTemplates
}

export interface DigestReader {
  firstName: string
  lastName: string
  /** Ids of the items for this reader, and the number of further items. */
  notices: readonly number[]
  more: number
}

export interface DigestLinks {
  unsubscribeUrl: string
  preferencesUrl: string
  /** Address to stop mail about an idea. */
  stopUrl(key: string): string
}

export interface DigestMail extends Written {
  subject: string
}

export const makeIdeaUrl = (template: string | null, { key, slug = '' }: Pick<DigestItem, 'key' | 'slug'>): string =>
  template === null
    ? ''
    : template.replaceAll('{key}', encodeURIComponent(key)).replaceAll('{slug}', encodeURIComponent(slug))

const isAboutIdea = ({ slug }: DigestItem) => slug !== undefined

/** News about one record, the newest first. */
type Group = [DigestItem, ...DigestItem[]]

function groupItems({ items }: DigestContent, { notices }: DigestReader): Group[] {
  const known = notices.toSorted((a, b) => b - a).flatMap((id) => items[id] ?? [])
  return [...Map.groupBy(known, ({ key }) => key).values()] as Group[]
}

/** A later status replaces an earlier one. The newest message stays, also when a status without a message follows. */
function combineStatus(group: Group): DigestItem[] {
  const updates = group.filter(({ kind }) => kind === 'status')
  const [newest] = updates
  if (!newest) return []
  const message = updates.find((update) => update.message)?.message
  return [{ ...newest, ...(message && { message }) }]
}

const withoutRepeats = (items: DigestItem[], name: 'version' | 'key') =>
  items.filter((item, n) => items.findIndex((other) => other[name] === item[name]) === n)

/** The items to write, in the order of reading. */
function listNews(group: Group): DigestItem[] {
  const of = (kind: NoticeKind) => group.filter((item) => item.kind === kind)
  return [
    ...combineStatus(group),
    ...withoutRepeats(of('release'), 'version'),
    ...of('reply').reverse(),
    ...of('mention').reverse(),
    ...withoutRepeats(of('changelog'), 'key'),
    ...withoutRepeats(of('assignment'), 'key'),
  ]
}

const FOLLOWED: readonly NoticeKind[] = ['status', 'release', 'reply']

export function composeDigest(content: DigestContent, reader: DigestReader, links: DigestLinks): DigestMail {
  const templates = completeTemplates(content.templates)
  const { firstName, lastName, more } = reader
  const person = { firstName, lastName }
  const groups = groupItems(content, reader)
  const valuesOf = (item: DigestItem): TextValues => {
    const { key, title, status = '', message = '', version = '', comment = '' } = item
    const url = item.url ?? (isAboutIdea(item) ? makeIdeaUrl(content.ideaUrl, item) : '')
    return { ...person, key, title, status, message, version, comment, url }
  }
  const blocks = groups.map((group) => {
    const [newest] = group
    const stops = isAboutIdea(newest) && group.some(({ kind }) => FOLLOWED.includes(kind))
    const own = [
      ...listNews(group).map((item) => fillTemplate(templates[item.kind].text, valuesOf(item))),
      ...(isAboutIdea(newest)
        ? [fillTemplate(templates.idea.text, { ...valuesOf(newest), stopUrl: stops ? links.stopUrl(newest.key) : '' })]
        : []),
    ].filter(({ text }) => text)
    return {
      text: own.map(({ text }) => text).join('\n'),
      html: `<div>${own.map(({ html }) => html).join('\n')}</div>`,
    }
  })
  const values = {
    ...person,
    greeting: fillSubject(templates.greeting[firstName ? 'named' : 'unnamed'], person),
    count: String(groups.length + more),
    more: more > 0 ? String(more) : '',
    unsubscribeUrl: links.unsubscribeUrl,
    preferencesUrl: links.preferencesUrl,
  }
  return {
    subject: fillSubject(...chooseSubject(groups, templates, { valuesOf, values })),
    ...fillTemplate(templates.digest.text, values, { items: blocks }),
  }
}

/** One item gives its own subject, and so does one release of several ideas. */
function chooseSubject(
  groups: readonly Group[],
  templates: MailTemplates,
  { valuesOf, values }: { valuesOf(item: DigestItem): TextValues; values: TextValues },
): [template: string, values: TextValues] {
  const newest = groups.map(([first]) => first)
  const [first] = newest
  const isOneRelease = newest.every(({ kind, version }) => kind === 'release' && version === first?.version)
  return first && (newest.length === 1 || isOneRelease)
    ? [templates[first.kind].subject, valuesOf(first)]
    : [templates.digest.subject, values]
}
