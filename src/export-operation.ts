import type * as z from 'zod'
import { EXPORT_MEDIA_TYPES, type ExportFormat, streamExportFile } from './files/write'
import type { DeclaredCeiling } from './http/ceiling'
import { awaitFirstItem, downloadResponse } from './http/download'
import { type HandlerInput, operation } from './http/operation'
import type { ResourceName } from './resources'

interface ExportedFile {
  /** File name without extension. */
  name: string
  /** Header of the CSV file. JSON holds all members of a record. */
  columns: readonly string[]
  pages: AsyncGenerator<object[]>
}

interface ExportDeclaration<
  Path extends `/${string}`,
  P extends z.ZodType,
  Q extends z.ZodType<{ format: ExportFormat }>,
> {
  id: string
  of: ResourceName
  route: `GET ${Path}`
  ceiling: DeclaredCeiling
  summary: string
  description: string
  params?: P
  query: Q
  read(input: HandlerInput<z.output<P>, z.output<Q>, unknown>): ExportedFile
}

const EXPORT_DESCRIPTION =
  'The service writes the file while you read: a file that ends early was interrupted. In CSV, lists and objects are JSON, and a text that a spreadsheet could read as a formula has an apostrophe before it.'

/** Streams all records page by page. A page is read only after the client took the previous page. */
export const exportOperation = <
  const Path extends `/${string}`,
  P extends z.ZodType,
  Q extends z.ZodType<{ format: ExportFormat }>,
>({
  description,
  read,
  ...declared
}: ExportDeclaration<Path, P, Q>) =>
  operation<'GET', Path, P, Q, z.ZodType, z.ZodType, unknown>({
    ...declared,
    description: `${description} ${EXPORT_DESCRIPTION}`,
    streamedTypes: Object.values(EXPORT_MEDIA_TYPES),
    async handle(input: HandlerInput<z.output<P>, z.output<Q>, unknown>) {
      const { format } = input.query
      const { name, columns, pages } = read(input)
      const pieces = streamExportFile(format, await awaitFirstItem(pages), columns)
      return downloadResponse({ type: EXPORT_MEDIA_TYPES[format], name: `${name}.${format}`, pieces })
    },
  })
