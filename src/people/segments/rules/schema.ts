import * as z from 'zod'
import { text } from '../../../http/schemas'
import { findAttributeNameProblem, MAX_ATTRIBUTE_NAME, MAX_ATTRIBUTE_TEXT } from '../../../text/attributes'
import { parseIsoMoment } from '../../../text/moments'
import {
  BUILT_IN_ATTRIBUTES,
  OPERATORS_BY_TYPE,
  parseCustomAttributeName,
  RULE_OPERATORS,
  type RuleOperator,
} from './attributes'
import {
  countRuleSteps,
  findLetterProblem,
  MAX_RULE_STEPS,
  RULE_BUDGET_DESCRIPTION,
  TOO_MANY_STEPS_MESSAGE,
} from './work'

export const MAX_RULE_CONDITIONS = 30
export const MAX_RULE_LIST_VALUES = 100
/** Limit of the JSON of all conditions, because a segment's event must hold the whole rules. */
export const MAX_RULES_BYTES = 100_000
// A hundred years.
const MAX_WITHIN_DAYS = 36_525

const ScalarValue = z.union([text(MAX_ATTRIBUTE_TEXT), z.number(), z.boolean()])
// A maximum that does not abort: a union reports the index of an invalid item only if validation continues.
const ListValue = z.union([z.string().max(MAX_ATTRIBUTE_TEXT), z.number(), z.boolean()])

const ConditionInput = z.object({
  attribute: text('attributes.'.length + MAX_ATTRIBUTE_NAME).meta({
    description: `${Object.keys(BUILT_IN_ATTRIBUTES).join(', ')}, or \`attributes.<name>\` for a custom attribute.`,
    examples: ['attributes.plan'],
  }),
  operator: z.enum(RULE_OPERATORS),
  value: z
    .union([ScalarValue, z.array(ListValue).min(1).max(MAX_RULE_LIST_VALUES)], {
      error: `Must be text of at most ${MAX_ATTRIBUTE_TEXT} characters, a number, true or false, or an array of 1 to ${MAX_RULE_LIST_VALUES} of these`,
    })
    .nullable()
    .optional()
    .meta({
      description: 'Value to compare with: an array for `in` and `not_in`, nothing for `is_set` and `is_not_set`.',
    }),
})

type RuleCondition = z.output<typeof ConditionInput>

const BUILT_IN_ATTRIBUTE_NAMES = Object.keys(BUILT_IN_ATTRIBUTES).join(', ')

function findConditionProblem({
  attribute,
  operator,
  value,
}: RuleCondition): [keyof RuleCondition, string] | undefined {
  const own = parseCustomAttributeName(attribute)
  const builtIn = Object.hasOwn(BUILT_IN_ATTRIBUTES, attribute) ? BUILT_IN_ATTRIBUTES[attribute] : undefined
  if (own !== undefined) {
    const problem = findAttributeNameProblem(own)
    if (problem) return ['attribute', problem]
  } else if (!builtIn) {
    return ['attribute', `The attribute is unknown. Use one of ${BUILT_IN_ATTRIBUTE_NAMES} and attributes.<name>.`]
  }
  const { kind, among } = builtIn ?? { kind: 'own' as const }
  if (!OPERATORS_BY_TYPE[kind].includes(operator)) {
    return [
      'operator',
      `The operator does not apply to ${attribute}. Use one of ${OPERATORS_BY_TYPE[kind].join(', ')}.`,
    ]
  }
  const problem = findValueProblem(operator, value) ?? findLetterProblem(value)
  if (problem) return ['value', problem]
  if (operator === 'within_days' || operator.startsWith('is_')) return undefined
  for (const one of Array.isArray(value) ? value : [value]) {
    if (kind === 'number' && typeof one !== 'number')
      return ['value', `Must be a number, because ${attribute} is a number.`]
    if (kind === 'text' && typeof one !== 'string') return ['value', `Must be text, because ${attribute} is text.`]
    if (kind === 'moment' && !isMoment(one)) return ['value', 'Must be an ISO 8601 date or timestamp, like 2026-01-31.']
    if (among && EXACT_OPERATORS.has(operator) && !among.includes(one as string)) {
      return ['value', `The value of ${attribute} is one of ${among.join(', ')}.`]
    }
  }
  return undefined
}

const EXACT_OPERATORS = new Set<RuleOperator>(['eq', 'ne', 'in', 'not_in'])

const isMoment = (value: unknown) => typeof value === 'string' && parseIsoMoment(value) !== undefined

function findValueProblem(operator: RuleOperator, value: RuleCondition['value']): string | undefined {
  switch (operator) {
    case 'is_set':
    case 'is_not_set':
      return undefined
    case 'in':
    case 'not_in':
      return Array.isArray(value) ? undefined : `Must be an array of 1 to ${MAX_RULE_LIST_VALUES} values.`
    case 'within_days': {
      const days = Number.isInteger(value) ? (value as number) : 0
      return days >= 1 && days <= MAX_WITHIN_DAYS
        ? undefined
        : `Must be a whole number of days from 1 to ${MAX_WITHIN_DAYS}.`
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
      description: 'Whether a member must meet all conditions or any condition.',
    }),
    conditions: z
      .array(
        ConditionInput.superRefine((condition, context) => {
          const problem = findConditionProblem(condition)
          if (problem) context.addIssue({ code: 'custom', path: [problem[0]], message: problem[1] })
        }).meta({ id: 'Condition' }),
      )
      .min(1, 'Must hold at least one condition')
      .max(MAX_RULE_CONDITIONS, { error: `Must hold at most ${MAX_RULE_CONDITIONS} conditions`, abort: true }),
  })
  .refine(
    (rules) => new TextEncoder().encode(JSON.stringify(rules)).length <= MAX_RULES_BYTES,
    `The rules take more than ${MAX_RULES_BYTES / 1000} kB. Send fewer or shorter values.`,
  )
  .refine(({ conditions }) => countRuleSteps(conditions) <= MAX_RULE_STEPS, TOO_MANY_STEPS_MESSAGE)
  .meta({
    id: 'Rules',
    description: `Rules that select the members of a dynamic segment. Comparisons of text ignore case. An empty or missing attribute is not set: the attribute equals no value, and \`ne\`, \`not_contains\` and \`not_in\` hold. Text in \`attributes.<name>\` is read as a number to compare with a number, and as an ISO 8601 date for \`within_days\` and for dates after \`gt\`, \`gte\`, \`lt\` and \`lte\`. The value of \`within_days\` is a number of days up to now. \`voteCount\` and \`commentCount\` are the numbers of votes and public comments of a member, and \`lastActivityAt\` is the time of the latest vote, public comment or idea under the name of the member. ${RULE_BUDGET_DESCRIPTION}`,
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

const StoredRuleValue = z.union([z.string(), z.number(), z.boolean()])

/** Rules in responses, without validation, because the rules were validated when stored. */
export const SegmentRules = z
  .object({
    match: z.string(),
    conditions: z.array(
      z.object({
        attribute: z.string(),
        operator: z.string(),
        value: z
          .union([StoredRuleValue, z.array(StoredRuleValue)])
          .nullable()
          .optional(),
      }),
    ),
  })
  .meta({ id: 'SegmentRules', description: 'Rules of a dynamic segment, as sent.' })
