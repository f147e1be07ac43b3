import * as z from 'zod'
import { externalKey, integer, line, Timestamp, text } from '../../../http/schemas'
import { declareWeight } from '../../../http/weight'

const slug = () => text(60).min(1).meta({ description: 'Slug of the portal.', example: 'acme' })

export const PortalEntryParams = z.object({
  portal: slug(),
  published_external_key: externalKey('CL', 'The key of the entry.'),
})

const MAX_PAGE_ENTRIES = 50
/** Moment and id of the last entry of a page. */
export const CURSOR_PATTERN = /^\d{1,15}-\d{1,15}$/

export const ListPortalChangelog = z.object({
  limit: integer({ min: 1, max: MAX_PAGE_ENTRIES }).default(10).meta({ description: 'Entries per page.' }),
  after: text(40)
    .regex(CURSOR_PATTERN, 'Must be `next` of the page before')
    .optional()
    .meta({ description: 'Start of the page: `next` of the page before.' }),
  label: declareWeight(
    'walk',
    line(50).optional().meta({
      description:
        'Only entries with this label. Looks at 200 entries per page: a page can be short or empty and still have a next page.',
    }),
  ),
})

export const PortalChangelogEntry = z
  .object({
    key: z.string().meta({ examples: ['CL-1'] }),
    title: z.string(),
    html: z.string().meta({ description: 'HTML.' }),
    labels: z.array(z.string()),
    cover: z.int().nullable().meta({ description: 'Id of the image, a file of the portal.' }),
    product: z.string().nullable().meta({ description: 'External key of the product; null means all products.' }),
    versions: z.array(z.string()).meta({ description: 'Names of the released versions, at most 20.' }),
    ideas: z
      .array(z.object({ key: z.string(), title: z.string(), votes: z.int(), comments: z.int() }))
      .meta({ description: 'Ideas of the portal that the entry is about, at most 20.' }),
    publishedAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'PortalChangelogEntry', description: 'A published entry as readers of the portal see it.' })

export const PortalChangelog = z
  .object({
    entries: z.array(PortalChangelogEntry),
    next: z.string().nullable().meta({ description: '`after` of the next page, or null.' }),
  })
  .meta({ id: 'PortalChangelog', description: 'A page of published entries, the newest first.' })

/** Followers of one read. */
export const MAX_COUNTED_FOLLOWERS = 2_000

export const ChangelogPreview = PortalChangelogEntry.omit({ publishedAt: true, updatedAt: true })
  .extend({
    coverUrl: z.string().nullable().meta({ description: 'Path of the download of the cover, or null.' }),
    isShown: z.boolean().meta({
      description: 'False if the portal has no changelog or does not show the product: readers see no such entry.',
    }),
    publishedAt: Timestamp.nullable().meta({ description: 'Time of the publication, or null.' }),
    mail: z
      .object({
        recipients: z.int().meta({
          description: 'Number of people who get a mail about the publication, unless `notify` is `none`.',
        }),
        wasMailed: z.boolean().meta({ description: 'True if mail about the entry has left: nobody is mailed again.' }),
        followers: z.int().meta({ description: 'Number of people who follow the changelog, without you.' }),
        stopped: z.int().meta({ description: 'Number of followers who chose no mail about the changelog.' }),
        suppressed: z.int().meta({ description: 'Number of other followers with a suppressed address.' }),
        isComplete: z.boolean().meta({
          description: `False if the changelog has more followers: only the first ${MAX_COUNTED_FOLLOWERS.toLocaleString('en-US')} are counted.`,
        }),
      })
      .meta({ description: 'Mail that a publication would send.' }),
  })
  .meta({
    id: 'ChangelogPreview',
    description: 'An entry as readers of the portal would see it now, and the mail of its publication.',
  })
