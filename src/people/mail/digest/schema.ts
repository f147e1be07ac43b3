import * as z from 'zod'
import { line, text } from '../../../http/schemas'
import { DEFAULT_TEMPLATES, TEMPLATE_VARIABLES } from './templates'

const MAX_SUBJECT_CHARACTERS = 200
const MAX_TEXT_CHARACTERS = 5_000
const MAX_IDEA_URL_CHARACTERS = 500

const VARIABLE_PATTERN = /\{\{([^{}]*)\}\}/g

const describeVariables = (names: readonly string[]) => names.map((name) => `{{${name}}}`).join(', ')

const withKnownVariables = <T extends z.ZodType<string>>(schema: T, names: readonly string[], usual: string) =>
  schema
    .superRefine((value, { addIssue }) => {
      for (const [place, name = ''] of value.matchAll(VARIABLE_PATTERN))
        if (!names.includes(name.trim()))
          addIssue({ code: 'custom', message: `${place} is not a variable. Use ${describeVariables(names)}.` })
    })
    .nullable()
    .optional()
    .meta({ description: `Variables: ${describeVariables(names)}. Default, also for null: ${JSON.stringify(usual)}` })

const subjectOf = (names: readonly string[], usual: string) =>
  withKnownVariables(
    line(MAX_SUBJECT_CHARACTERS).regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'Must be one line without control characters'),
    names,
    usual,
  )
const textOf = (names: readonly string[], usual: string) =>
  withKnownVariables(text(MAX_TEXT_CHARACTERS).min(1, 'Must not be empty'), names, usual)

const mailOf = (name: 'status' | 'release' | 'reply' | 'changelog' | 'mention' | 'assignment') =>
  z
    .object({
      subject: subjectOf(TEMPLATE_VARIABLES[name], DEFAULT_TEMPLATES[name].subject),
      text: textOf(TEMPLATE_VARIABLES[name], DEFAULT_TEMPLATES[name].text),
    })
    .nullable()
    .optional()

const { greeting, digest, idea } = DEFAULT_TEMPLATES

// A mail without the link to unsubscribe is spam.
const digestText = text(MAX_TEXT_CHARACTERS)
  .regex(/\{\{\s*unsubscribeUrl\s*\}\}/, 'Must contain {{unsubscribeUrl}}')
  .regex(/^[ \t]*\{\{\s*items\s*\}\}[ \t]*\r?$/m, 'Must contain {{items}} alone on a line')

/** Null brings a default back. */
export const ChangeMailTemplates = z
  .object({
    greeting: z
      .object({
        named: subjectOf(TEMPLATE_VARIABLES.greeting, greeting.named),
        unnamed: subjectOf([], greeting.unnamed),
      })
      .nullable()
      .optional()
      .meta({ description: 'Greetings of a person with and without a first name.' }),
    status: mailOf('status').meta({ description: 'A new status, or a status update.' }),
    release: mailOf('release').meta({ description: 'The release of a version with the idea.' }),
    reply: mailOf('reply').meta({ description: 'A public reply of the team.' }),
    changelog: mailOf('changelog').meta({
      description: 'A published changelog entry; `comment` is the beginning of its text.',
    }),
    mention: mailOf('mention').meta({ description: 'A comment that mentions the person.' }),
    assignment: mailOf('assignment').meta({ description: 'A work item that is assigned to the person.' }),
    idea: z
      .object({ text: textOf(TEMPLATE_VARIABLES.idea, idea.text) })
      .nullable()
      .optional()
      .meta({ description: 'Text below the news about an idea.' }),
    digest: z
      .object({
        subject: subjectOf(TEMPLATE_VARIABLES.digest, digest.subject),
        text: withKnownVariables(digestText, TEMPLATE_VARIABLES.digest, digest.text),
      })
      .nullable()
      .optional()
      .meta({
        description: 'The whole mail, and the subject of a mail with several news. `{{items}}` stands alone on a line.',
      }),
  })
  .meta({
    id: 'ChangeMailTemplates',
    description: 'Texts of mail about changes. A line whose variables are all empty is left out.',
  })

const shownText = z.string().optional()
const shownMail = z.object({ subject: shownText, text: shownText }).optional()

/** The texts that the workspace has changed. */
export const MailTemplateChanges = z
  .object({
    greeting: z.object({ named: shownText, unnamed: shownText }).optional(),
    ...{
      status: shownMail,
      release: shownMail,
      reply: shownMail,
      changelog: shownMail,
      mention: shownMail,
      assignment: shownMail,
    },
    idea: z.object({ text: shownText }).optional(),
    digest: shownMail,
  })
  .meta({ id: 'MailTemplateChanges', description: 'Texts of mail about changes that differ from the default.' })

const isIdeaUrl = (template: string) => {
  const address = template.replaceAll(/\{(?:key|slug)\}/g, 'x')
  return address !== template && URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)
}

export const IdeaUrl = line(MAX_IDEA_URL_CHARACTERS)
  .refine(isIdeaUrl, 'Must be an http or https address with {key} or {slug}, like https://ideas.example.com/{key}')
  .meta({ examples: ['https://ideas.example.com/{key}'] })
