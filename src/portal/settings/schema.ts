import * as z from 'zod'
import { line, Timestamp, text } from '../../http/schemas'
import { ProductExternalKey } from '../../workspace/products/schema'
import { Domain } from '../../workspace/sign-in-settings/schema'

const MAX_LISTED_RECORDS = 100

export const VISIBILITIES = ['public', 'private'] as const
export const SIGN_UPS = ['anyone', 'members'] as const
export const THEME_MODES = ['system', 'light', 'dark'] as const
export const LOCALES = ['en', 'de'] as const

const listOf = <T extends z.ZodType>(member: T) => z.array(member).max(MAX_LISTED_RECORDS)
const ids = () => listOf(z.int().positive())

const DESCRIPTIONS = {
  slug: 'Name of the portal in its addresses (`/p/{slug}`), unique in the service. Null closes the portal.',
  domain:
    'Own host name of the portal, like `ideas.example.com`, which then shows the portal at `/`. The name works when it is verified.',
  domainVerified: 'Whether the TXT record of `_groundwork.{domain}` was found.',
  name: 'Title of the portal. Null shows the name of the workspace.',
  visibility: '`public` shows the portal to everybody, `private` only to people who sign in.',
  segments:
    'Ids of the segments whose members read a private portal. An empty list lets all members of the workspace read it.',
  products: 'External keys of the products whose ideas the portal shows.',
  statuses: 'Ids of the statuses whose ideas the portal shows; null for all statuses, and for ideas without a status.',
  categories:
    'Ids of the categories whose ideas the portal shows; null for all categories, and for ideas without a category.',
  signUp: '`members` lets only members of the workspace vote, comment and submit; `anyone` makes new people members.',
  accent: 'Color of links and buttons, as `#rrggbb`.',
  mode: 'Light or dark colors, or `system` for the choice of the reader.',
  logo: 'Id of a file with the logo: SVG or PNG of at most 64 kB.',
  darkLogo: 'Id of a file with the logo in dark colors. Null uses `logo`.',
  locale: 'Language of the pages, for readers whose browser asks for another language.',
  roadmap: 'Whether the portal has a roadmap.',
  changelog: 'Whether the portal has a changelog.',
  endUserSecretRotatedAt: 'Time of the last rotation of the secret for end users; null without a secret.',
}

export const PortalSlug = text(60).regex(
  /^[a-z0-9](?:-?[a-z0-9])+$/,
  'Must have at least two lowercase letters or digits, with single hyphens between',
)

export const ModifyPortal = z
  .object({
    slug: PortalSlug.nullable().optional().meta({ description: DESCRIPTIONS.slug }),
    domain: Domain.nullable().optional().meta({ description: DESCRIPTIONS.domain }),
    name: line(200).nullable().optional().meta({ description: DESCRIPTIONS.name }),
    visibility: z.enum(VISIBILITIES).optional().meta({ description: DESCRIPTIONS.visibility }),
    segments: ids().optional().meta({ description: DESCRIPTIONS.segments }),
    products: listOf(ProductExternalKey).optional().meta({ description: DESCRIPTIONS.products }),
    statuses: ids().nullable().optional().meta({ description: DESCRIPTIONS.statuses }),
    categories: ids().nullable().optional().meta({ description: DESCRIPTIONS.categories }),
    signUp: z.enum(SIGN_UPS).optional().meta({ description: DESCRIPTIONS.signUp }),
    accent: text(7)
      .regex(/^#[0-9a-f]{6}$/, 'Must be a color like #0b6e5f, in lower case')
      .optional()
      .meta({ description: DESCRIPTIONS.accent }),
    mode: z.enum(THEME_MODES).optional().meta({ description: DESCRIPTIONS.mode }),
    logo: z.int().positive().nullable().optional().meta({ description: DESCRIPTIONS.logo }),
    darkLogo: z.int().positive().nullable().optional().meta({ description: DESCRIPTIONS.darkLogo }),
    locale: z.enum(LOCALES).optional().meta({ description: DESCRIPTIONS.locale }),
    roadmap: z.boolean().optional().meta({ description: DESCRIPTIONS.roadmap }),
    changelog: z.boolean().optional().meta({ description: DESCRIPTIONS.changelog }),
  })
  .meta({ id: 'ModifyPortal', examples: [{ name: 'Ideas for Acme', accent: '#0b6e5f' }] })

export const PortalSettings = z
  .object({
    slug: z.string().nullable().meta({ description: DESCRIPTIONS.slug }),
    domain: z.string().nullable().meta({ description: DESCRIPTIONS.domain }),
    domainVerified: z.boolean().meta({ description: DESCRIPTIONS.domainVerified }),
    name: z.string().nullable().meta({ description: DESCRIPTIONS.name }),
    visibility: z.enum(VISIBILITIES).meta({ description: DESCRIPTIONS.visibility }),
    segments: z.array(z.int()).meta({ description: DESCRIPTIONS.segments }),
    products: z.array(z.string()).meta({ description: DESCRIPTIONS.products }),
    statuses: z.array(z.int()).nullable().meta({ description: DESCRIPTIONS.statuses }),
    categories: z.array(z.int()).nullable().meta({ description: DESCRIPTIONS.categories }),
    signUp: z.enum(SIGN_UPS).meta({ description: DESCRIPTIONS.signUp }),
    accent: z.string().meta({ description: DESCRIPTIONS.accent }),
    mode: z.enum(THEME_MODES).meta({ description: DESCRIPTIONS.mode }),
    logo: z.int().nullable().meta({ description: DESCRIPTIONS.logo }),
    darkLogo: z.int().nullable().meta({ description: DESCRIPTIONS.darkLogo }),
    locale: z.enum(LOCALES).meta({ description: DESCRIPTIONS.locale }),
    roadmap: z.boolean().meta({ description: DESCRIPTIONS.roadmap }),
    changelog: z.boolean().meta({ description: DESCRIPTIONS.changelog }),
    endUserSecretRotatedAt: Timestamp.nullable().meta({ description: DESCRIPTIONS.endUserSecretRotatedAt }),
  })
  .meta({ id: 'PortalSettings', description: 'The public portal of the workspace.' })

export const NewPortalSecret = PortalSettings.extend({
  secret: z.string().meta({
    description: 'Secret that signs the tokens of your users with HS256. Shown once.',
    examples: ['eus_7Qx1mZ0cVn3tR8yLkWb5sHf2aJd9uEo4gPi6vTqNwXk'],
  }),
}).meta({ id: 'NewPortalSecret', description: 'The public portal of the workspace, with its new secret.' })
