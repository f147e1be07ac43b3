import * as z from 'zod'
import { EmailAddress, text } from '../../../http/schemas'
import { SIGN_IN_TOKEN_PATTERN } from '../../../http/sign-in-token'

/** A browser reads `//host`, `/\host` and `/<tab>/host` as another site. */
const LOCAL_PATH_PATTERN = /^\/(?![/\\])[^\\\p{Cc}]*$/u
const LocalPath = text(500).regex(LOCAL_PATH_PATTERN, 'Must be a path of this service, like /p/ideas')

/** Goes to the start page in place of another site. */
export const NextPath = LocalPath.catch('/')

const Code = z
  .string()
  .trim()
  .regex(/^\d{6}$/, 'Must be the six digits of the mail')

const PortalSlug = text(60).regex(/^[a-z0-9-]+$/, 'Must be the slug of a portal')
/** An empty field of a form stands for the team. */
const PortalField = PortalSlug.optional().catch(undefined)

export const AskForCode = z.object({ email: EmailAddress, next: LocalPath.optional(), portal: PortalSlug.optional() })
export const SendCode = z.object({
  email: EmailAddress,
  code: Code,
  workspaceId: z.int().positive().optional(),
  portal: PortalSlug.optional(),
})

const ChosenWorkspace = z.object({
  workspaceId: z.coerce.number().pipe(z.int().positive()).optional(),
  next: NextPath,
})
/** `by` is the choice of a person whose domain has a provider. */
export const AskForCodeForm = z.object({
  email: EmailAddress,
  next: NextPath,
  portal: PortalField,
  by: z.literal('mail').optional().catch(undefined),
})
/** A portal leads to its provider without an address. */
export const StartProviderQuery = z
  .object({ email: EmailAddress.optional(), portal: PortalSlug.optional(), next: NextPath })
  .refine(({ email, portal }) => email !== undefined || portal !== undefined)
const AnswerText = text(4_000).optional().catch(undefined)
export const ProviderAnswerQuery = z.object({ code: AnswerText, state: AnswerText, iss: AnswerText })
export const SendCodeForm = ChosenWorkspace.extend({ email: EmailAddress, code: Code, portal: PortalField })
export const FollowLinkForm = ChosenWorkspace

export const LinkParams = z.object({ token: z.string().regex(SIGN_IN_TOKEN_PATTERN) })
export const NextQuery = z.object({ next: NextPath, portal: PortalField })
