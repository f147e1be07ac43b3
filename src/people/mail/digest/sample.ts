import type * as z from 'zod'
import { NOTICE_KINDS, type NoticeKind } from '../../notices/schema'
import { composeDigest, type DigestItem, type DigestMail } from './compose'
import type { ChangeMailTemplates } from './schema'
import type { ChangedTemplates } from './templates'

type TemplateChange = z.output<typeof ChangeMailTemplates>

/** Changes texts as a modify of the settings does: null brings a default back. */
export function mergeTemplates(templates: ChangedTemplates, change: TemplateChange = {}): ChangedTemplates {
  const merged: Record<string, Record<string, string | undefined> | undefined> = { ...templates }
  for (const [name, texts] of Object.entries(change)) {
    if (texts === undefined) continue
    const entries = Object.entries({ ...(texts && merged[name]), ...texts })
    merged[name] = Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== null))
  }
  return merged
}

const IDEA = { key: 'IDEA-1', slug: 'dark-mode', title: 'Dark mode', productId: 0 }
const WORK_ITEM = { key: 'FE-1', title: 'Offline mode', productId: 0 }
const SAMPLE_ITEMS: Record<NoticeKind, DigestItem> = {
  status: { kind: 'status', ...IDEA, status: 'planned', message: 'We begin in May.' },
  release: { kind: 'release', ...IDEA, version: 'Spring release' },
  reply: { kind: 'reply', ...IDEA, comment: 'Thank you, we have a look at this.' },
  changelog: {
    ...{ kind: 'changelog', key: 'CL-1', title: 'Dark mode', productId: null },
    comment: 'Choose the dark theme in your profile.',
  },
  mention: { kind: 'mention', ...WORK_ITEM, comment: 'Can you estimate this?' },
  assignment: { kind: 'assignment', ...WORK_ITEM },
}

interface SampleOptions {
  kinds?: readonly NoticeKind[] | undefined
  firstName?: string | undefined
  ideaUrl: string | null
  templates: ChangedTemplates
  baseUrl: string
}

export function composeSample({
  kinds = NOTICE_KINDS,
  firstName = 'Ada',
  ideaUrl,
  templates,
  baseUrl,
}: SampleOptions): DigestMail {
  const items = Object.fromEntries([...new Set(kinds)].map((kind, n) => [n, SAMPLE_ITEMS[kind]]))
  const reader = { firstName, lastName: '', notices: Object.keys(items).map(Number), more: 0 }
  const preferencesUrl = `${baseUrl}/preferences/sample`
  return composeDigest({ items, ideaUrl, templates }, reader, {
    ...{ preferencesUrl, unsubscribeUrl: `${baseUrl}/unsubscribe/sample` },
    stopUrl: (key) => `${preferencesUrl}?idea=${key}`,
  })
}
