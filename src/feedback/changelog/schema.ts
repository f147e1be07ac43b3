import * as z from 'zod'
import { ShownExternalId, ShownSource } from '../../http/external-id'
import { createRestorableQuery } from '../../http/pagination'
import {
  externalKey,
  html,
  line,
  moment,
  numberedKeyPattern,
  severalOf,
  storedValue,
  Timestamp,
  text,
} from '../../http/schemas'
import { declareWeight } from '../../http/weight'
import { NOTIFY_CHOICES, Notify } from '../../people/notices/schema'

const MAX_LABELS_PER_ENTRY = 20
const MAX_LINKS_PER_ENTRY = 200

export const CHANGELOG_STATUSES = ['draft', 'scheduled', 'published'] as const
export type ChangelogStatus = (typeof CHANGELOG_STATUSES)[number]

export const ChangelogEntryParams = z.object({
  changelog_external_key: externalKey('CL', 'The key of the entry.'),
})

const label = line(50)
const labels = z
  .array(label)
  .max(MAX_LABELS_PER_ENTRY)
  .transform((all) => [...new Set(all)])
const linkedKeys = (prefix: string, noun: string) =>
  z
    .array(text(30).regex(numberedKeyPattern(prefix), `Must be the external key of ${noun}, like ${prefix}-1`))
    .max(MAX_LINKS_PER_ENTRY)
const ideas = linkedKeys('IDEA', 'a feedback item')
const versions = linkedKeys('SV', 'a solution version')
const cover = z.int().min(1).nullish().meta({
  description: 'Id of an uploaded PNG, JPEG, GIF, WebP or AVIF file; null for no cover.',
})
const publishAt = moment().nullish().meta({
  description: 'The service publishes the entry at this time, to the minute. Without a time the entry is a draft.',
})

const NOTIFY_NOTE =
  'When the followers of the changelog get a mail about the publication: `later` (default) with their other news, `now`, or `none`.'

const status = z.enum(CHANGELOG_STATUSES).optional()

type Schedule = { status?: ChangelogStatus | undefined; publishAt?: unknown }

/** Only a scheduled entry has a time, and each scheduled entry has one. */
const statusFitsSchedule: [(entry: Schedule) => boolean, { path: string[]; message: string }] = [
  ({ status, publishAt }: Schedule) =>
    status === 'scheduled' ? publishAt !== null : status === undefined || publishAt == null,
  {
    path: ['status'],
    message: 'Only "scheduled" goes with a time in publishAt. Send another status, or another publishAt.',
  },
]

export const CreateChangelogEntry = z
  .object({
    title: line(500),
    content: html().default(''),
    labels: labels.default([]),
    cover,
    product: line(20).optional().meta({ description: 'External key of the product. Default: all products.' }),
    ideas: ideas.optional().meta({ description: 'Keys of the ideas that the entry is about.' }),
    versions: versions.optional().meta({ description: 'Keys of the solution versions that the entry is about.' }),
    publishAt,
    status: status.meta({
      description:
        '`published` publishes the entry at once, with mail to the followers. Default: `scheduled` with `publishAt`, otherwise `draft`.',
    }),
    notify: Notify.default('later').meta({ description: NOTIFY_NOTE }),
  })
  .refine(...statusFitsSchedule)
  .refine(({ status, publishAt }) => status !== 'scheduled' || publishAt != null, {
    path: ['publishAt'],
    message: 'A scheduled entry needs a time',
  })
  .meta({
    id: 'CreateChangelogEntry',
    examples: [
      { title: 'Dark mode', content: '<p>Choose the dark theme in your profile.</p>', labels: ['New', 'Design'] },
    ],
  })

export const ModifyChangelogEntry = z
  .object({
    title: line(500).optional(),
    content: html().optional(),
    labels: labels.optional().meta({ description: 'Replaces all labels.' }),
    cover,
    product: line(20).nullable().optional().meta({
      description: 'External key of the new product; null means all products.',
    }),
    ideas: ideas.optional().meta({ description: 'Keys of ideas, which replace the present ones.' }),
    versions: versions.optional().meta({ description: 'Keys of solution versions, which replace the present ones.' }),
    publishAt: publishAt.meta({
      description:
        'Schedules the entry, or makes a scheduled entry a draft if null. A time for a published entry is a 409; null leaves it.',
    }),
    status: status.meta({
      description:
        '`published` publishes the entry at once, as `POST …/publish` does; `draft` takes a published or a scheduled entry back. `scheduled` needs a time.',
    }),
    notify: Notify.optional().meta({ description: NOTIFY_NOTE }),
  })
  .refine(...statusFitsSchedule)
  .meta({ id: 'ModifyChangelogEntry', examples: [{ title: 'Dark mode is here', labels: ['New'] }] })

export const PublishChangelogEntry = z
  .object({
    notify: Notify.optional().meta({
      description:
        'When the followers of the changelog get a mail: `later` with their other news, `now`, or `none`. Default: the choice of the entry.',
    }),
  })
  .optional()
  .meta({ id: 'PublishChangelogEntry', examples: [{}, { notify: 'none' }] })

const WALK_NOTE = 'Looks at 10,000 entries per page: a page can be short or empty and still have a next page.'

export const ListChangelogEntries = createRestorableQuery([
  '-createdAt',
  'createdAt',
  '-publishedAt',
  'publishedAt',
]).extend({
  status: declareWeight(
    'walk',
    severalOf(z.enum(CHANGELOG_STATUSES)).optional().meta({
      description: 'Only entries of this status, or of any of several separated by commas.',
    }),
  ),
  product: line(20).optional().meta({ description: 'Only entries of the product with this external key.' }),
  label: declareWeight('walk', label.optional().meta({ description: `Only entries with this label. ${WALK_NOTE}` })),
  idea: declareWeight(
    'walk',
    text(30)
      .optional()
      .meta({ description: `Only entries about the idea with this key. ${WALK_NOTE}` }),
  ),
  version: declareWeight(
    'walk',
    text(30)
      .optional()
      .meta({ description: `Only entries about the solution version with this key. ${WALK_NOTE}` }),
  ),
  q: declareWeight(
    'walk',
    line(200).optional().meta({
      description:
        'Words in the title, the labels or the text, or their beginnings. Looks at the newest 10,000 matches.',
    }),
  ),
})

export const ChangelogEntry = z
  .object({
    id: z.int(),
    externalKey: z.string().meta({ examples: ['CL-1'] }),
    title: z.string(),
    content: z.string().meta({ description: 'HTML.' }),
    labels: z.array(z.string()),
    cover: z.int().nullable().meta({ description: 'Id of the image.' }),
    product: z.string().nullable().meta({ description: 'External key of the product; null means all products.' }),
    status: storedValue(CHANGELOG_STATUSES),
    notify: storedValue(NOTIFY_CHOICES),
    publishAt: Timestamp.nullable().meta({ description: 'Time of the publication of a scheduled entry.' }),
    publishedAt: Timestamp.nullable().meta({ description: 'Time of the publication of a published entry.' }),
    source: ShownSource,
    externalId: ShownExternalId,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'ChangelogEntry', description: 'Entry of the changelog.' })

const HIDDEN_LINKS_NOTE = 'A key that is limited to products sees only links to records of its products.'

export const ChangelogEntryDetail = ChangelogEntry.extend({
  ideas: z.array(z.string()).meta({ description: `Keys of the linked ideas. ${HIDDEN_LINKS_NOTE}` }),
  versions: z.array(z.string()).meta({ description: `Keys of the linked solution versions. ${HIDDEN_LINKS_NOTE}` }),
}).meta({ id: 'ChangelogEntryDetail' })
