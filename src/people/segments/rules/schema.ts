import * as z from 'zod'
import { text } from '../../../http/schemas'
import { attributeNameProblem, MAX_ATTRIBUTE_NAME, MAX_ATTRIBUTE_TEXT } from '../../../text/attributes'
import { readMoment } from '../../../text/moments'
import { ASKED, BUILT_IN, OPERATORS, type Operator, ownName } from './attributes'
import { BUDGET, letterProblem, MAX_STEPS, stepsOf, TOO_MANY_STEPS } from './work'

export const MAX_CONDITIONS = 30
export const MAX_VALUES = 100
/** Limit of the JSON of all conditions, because a segment's event must hold the whole rules. */
export const MAX_RULES_BYTES = 100_000
// A hundred years.
const MAX_DAYS = 36_525

const Scalar = z.union([text(MAX_ATTRIBUTE_TEXT), z.number(), z.boolean()])
// A maximum that does not abort: a union reports the index of an invalid item only if validation continues.
const Item = z.union([z.string().max(MAX_ATTRIBUTE_TEXT), z.number(), z.boolean()])

const Given = z.object({
  attribute: text('attributes.'.length + MAX_ATTRIBUTE_NAME).meta({
    description: `${Object.keys(BUILT_IN).join(', ')}, or \`attributes.<name>\` for one of the member's own.`,
    examples: ['attributes.plan'],
  }),
  operator: z.enum(OPERATORS),
  value: z
    .union([Scalar, z.array(Item).min(1).max(MAX_VALUES)], {
      error: `Must be text of at most ${MAX_ATTRIBUTE_TEXT} characters, a number, true or false, or an array of 1 to ${MAX_VALUES} of these`,
    })
    .nullable()
    .optional()
    .meta({
      description: 'What to compare with: an array for `in` and `not_in`, nothing for `is_set` and `is_not_set`.',
    }),
})

type Condition = z.output<typeof Given>

const NAMES = Object.keys(BUILT_IN).join(', ')

function problemOf({ attribute, operator, value }: Condition): [keyof Condition, string] | undefined {
  const own = ownName(attribute)
  const builtIn = Object.hasOwn(BUILT_IN, attribute) ? BUILT_IN[attribute] : undefined
  if (own !== undefined) {
    const problem = attributeNameProblem(own)
    if (problem) return ['attribute', problem]
  } else if (!builtIn) {
    return ['attribute', `There is no such attribute. Attributes are ${NAMES}, and attributes.<name>.`]
  }
  const { kind, among } = builtIn ?? { kind: 'own' as const }
  if (!ASKED[kind].includes(operator)) {
    return ['operator', `Cannot be asked of ${attribute}. Use one of ${ASKED[kind].join(', ')}.`]
  }
  const problem = valueProblem(operator, value) ?? letterProblem(value)
  if (problem) return ['value', problem]
  if (operator === 'within_days' || operator.startsWith('is_')) return undefined
  for (const one of Array.isArray(value) ? value : [value]) {
    if (kind === 'number' && typeof one !== 'number') return ['value', `Must be a number: ${attribute} is one.`]
    if (kind === 'text' && typeof one !== 'string') return ['value', `Must be text: ${attribute} is text.`]
    if (kind === 'moment' && !isMoment(one)) return ['value', 'Must be an ISO 8601 date or timestamp, like 2026-01-31.']
    if (among && EXACT.has(operator) && !among.includes(one as string)) {
      return ['value', `${attribute} is one of ${among.join(', ')}.`]
    }
  }
  return undefined
}

const EXACT = new Set<Operator>(['eq', 'ne', 'in', 'not_in'])

const isMoment = (value: unknown) => typeof value === 'string' && readMoment(value) !== undefined

function valueProblem(operator: Operator, value: Condition['value']): string | undefined {
  switch (operator) {
    case 'is_set':
    case 'is_not_set':
      return undefined
    case 'in':
    case 'not_in':
      return Array.isArray(value) ? undefined : `Must be an array of 1 to ${MAX_VALUES} values.`
    case 'within_days': {
      const days = Number.isInteger(value) ? (value as number) : 0
      return days >= 1 && days <= MAX_DAYS ? undefined : `Must be a whole number of days from 1 to ${MAX_DAYS}.`
    }
    case 'contains':
    case 'not_contains':
    case 'starts_with':
      return typeof value === 'string' && value !== '' ? undefined : 'Must be text that is not empty.'
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return typeof value === 'number' || isMoment(value)
        ? undefined
        : 'Must be a number, or an ISO 8601 date or timestamp, like 2026-01-31.'
    default:
      return value === undefined || value === null || Array.isArray(value)
        ? 'Must be text, a number, true or false.'
        : undefined
  }
}

export const Rules = z
  .object({
    match: z.enum(['all', 'any'], { error: 'Must be "all" or "any"' }).meta({
      description: 'Whether a member meets all of the conditions or any of them.',
    }),
    conditions: z
      .array(
        Given.superRefine((condition, context) => {
          const problem = problemOf(condition)
          if (problem) context.addIssue({ code: 'custom', path: [problem[0]], message: problem[1] })
        }).meta({ id: 'Condition' }),
      )
      .min(1, 'Must hold at least one condition')
      .max(MAX_CONDITIONS, { error: `Must hold at most ${MAX_CONDITIONS} conditions`, abort: true }),
  })
  .refine(
    (rules) => new TextEncoder().encode(JSON.stringify(rules)).length <= MAX_RULES_BYTES,
    `The rules take more than ${MAX_RULES_BYTES / 1000} kB. Give fewer or shorter values.`,
  )
  .refine(({ conditions }) => stepsOf(conditions) <= MAX_STEPS, TOO_MANY_STEPS)
  .meta({
    id: 'Rules',
    description: `Who is in a dynamic segment. Texts are compared without regard to the case of letters. An attribute that is empty, or that a member does not have, is not set: it is not equal to anything, and \`ne\`, \`not_contains\` and \`not_in\` hold. Of \`attributes.<name>\`, text that reads as a number or an ISO 8601 date is compared as one. \`within_days\` is the last so many days. \`voteCount\` and \`commentCount\` are the votes and public comments of a member, \`lastActivityAt\` when the latest of them, or of the ideas under their name, was made. ${BUDGET}`,
    examples: [
      {
        match: 'all',
        conditions: [
          { attribute: 'attributes.plan', operator: 'eq', value: 'pro' },
          { attribute: 'voteCount', operator: 'gte', value: 3 },
          { attribute: 'createdAt', operator: 'within_days', value: 90 },
        ],
      },
    ],
  })

export type Rules = z.output<typeof Rules>

const Stored = z.union([z.string(), z.number(), z.boolean()])

/** Rules in responses, without validation, because the rules were validated when stored. */
export const SegmentRules = z
  .object({
    match: z.string(),
    conditions: z.array(
      z.object({
        attribute: z.string(),
        operator: z.string(),
        value: z
          .union([Stored, z.array(Stored)])
          .nullable()
          .optional(),
      }),
    ),
  })
  .meta({ id: 'SegmentRules', description: 'The rules of a dynamic segment, as they were given.' })
