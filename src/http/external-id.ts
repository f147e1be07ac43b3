import * as z from 'zod'
import { text } from './schemas'

const SOURCE_PATTERN = /^[a-z0-9][a-z0-9_.-]*$/

export const ExternalSource = text(50).regex(
  SOURCE_PATTERN,
  'Must be the name of another system in lowercase, like "jira" or "linear"',
)

export const ExternalId = text(200).min(1, 'Must not be empty')

const SOURCE_DESCRIPTION = 'Name of another system, in lowercase. Belongs to the id.'

export const createSourceField = () => ExternalSource.nullish().meta({ description: SOURCE_DESCRIPTION })

export const createExternalIdField = (description: string) => ExternalId.nullish().meta({ description })

export const ShownSource = z
  .string()
  .nullable()
  .meta({ description: 'Name of the other system that has the record, or null.' })

export const ShownExternalId = z.string().nullable().meta({ description: 'Id of the record in `source`, or null.' })

/** The path of an upsert, below the list of the records. */
export const ExternalIdParams = z.object({
  source: ExternalSource.meta({ description: 'Name of the other system.', example: 'crm' }),
  externalId: ExternalId.meta({ description: 'Id of the record in the other system.', example: 'C-42' }),
})

type PairOf<N extends string> = { source?: string | null | undefined } & { [K in N]?: string | null | undefined }

/** The source and the id are both sent, both null, or both left out. */
export const pairIsWhole = <N extends string>(
  idName: N,
): [(pair: PairOf<N>) => boolean, { path: string[]; error: string }] => [
  ({ source, [idName]: id }) => typeof source === typeof id && (source === null) === (id === null),
  { path: [idName], error: `Send source and ${idName} together, or null for both` },
]
