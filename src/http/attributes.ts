import * as z from 'zod'
import {
  AttributeSet,
  type Attributes,
  MAX_ATTRIBUTE_NAME,
  MAX_ATTRIBUTE_TEXT,
  MAX_ATTRIBUTES,
} from '../text/attributes'
import { declareWeight } from './weight'

export const ATTRIBUTES_JSON_SCHEMA = {
  maxProperties: MAX_ATTRIBUTES,
  propertyNames: { minLength: 1, maxLength: MAX_ATTRIBUTE_NAME },
  additionalProperties: {
    anyOf: [
      { type: 'string', maxLength: MAX_ATTRIBUTE_TEXT },
      { type: 'number' },
      { type: 'boolean' },
      { type: 'null' },
    ],
  },
} as const

/** Prefix of the query parameters that filter by an attribute. */
export const ATTRIBUTE_PARAMETER_PREFIX = 'attributes.'

// A list compares each attribute with up to 10,000 records.
const MAX_FILTERED_ATTRIBUTES = 10

/** The query `attributes.plan=pro&attributes.seats=12` as an object. */
export const attributesParameter = () =>
  declareWeight(
    'walk',
    z
      .record(z.string().min(1).max(MAX_ATTRIBUTE_NAME), z.string().max(MAX_ATTRIBUTE_TEXT))
      .refine(
        (given) => Object.keys(given).length <= MAX_FILTERED_ATTRIBUTES,
        `A list is filtered by at most ${MAX_FILTERED_ATTRIBUTES} attributes. Send fewer \`attributes.<name>\`.`,
      )
      .optional()
      .meta({
        description: `Only records with this value of the attribute \`<name>\`, compared as text; up to ${MAX_FILTERED_ATTRIBUTES} attributes, which must all match. Looks at 10,000 records per page: a page can be short or empty and still have a next page.`,
      }),
  )

/** A flat object, checked like a member's attributes; null leaves an attribute out. */
export const createAttributesSchema = () =>
  z
    .unknown()
    .meta({
      type: ['object', 'null'],
      ...ATTRIBUTES_JSON_SCHEMA,
      description:
        'Further values of the item by name: texts, numbers, true or false. Replaces all present attributes.',
    })
    .transform((given, context): Attributes => {
      const set = new AttributeSet()
      const problem = set.add(given ?? undefined)
      if (problem) context.addIssue({ code: 'custom', message: problem.replace(/^attributes: /, '') })
      const kept = Object.entries(set.toJSON()).filter(
        (entry): entry is [string, Attributes[string]] => entry[1] !== null,
      )
      return Object.fromEntries(kept)
    })

export const createShownAttributesSchema = (description: string, example: Attributes) =>
  z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).meta({ description, examples: [example] })

export const ShownAttributes = createShownAttributesSchema('Further values of the item, by name.', {
  'Story size': 'L',
})
