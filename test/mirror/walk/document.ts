/** The parts of a JSON schema that the walk reads. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  anyOf?: Schema[]
  const?: unknown
  enum?: unknown[]
  examples?: unknown[]
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  maxLength?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

interface DocumentedOperation {
  operationId: string
  'x-required-scope'?: string
  parameters?: { $ref?: string; name?: string; in?: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

export interface WalkedDocument {
  paths: Record<string, Record<string, DocumentedOperation>>
  components: { schemas: Record<string, object>; parameters?: Record<string, { name: string; in: string }> }
}

export interface WalkedOperation {
  id: string
  method: string
  path: string
  parameters: readonly string[]
  queryNames: readonly string[]
  body?: Schema
  /** Name of the part of a file. */
  upload?: string
}

export const listParameters = (path: string): string[] =>
  Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)

const toOperation = (
  { components }: WalkedDocument,
  path: string,
  method: string,
  { operationId, parameters = [], requestBody }: DocumentedOperation,
): WalkedOperation => {
  const { 'application/json': json, 'multipart/form-data': form } = requestBody?.content ?? {}
  const resolved = parameters.map(({ $ref, ...own }) =>
    $ref ? components.parameters?.[$ref.split('/').at(-1) ?? ''] : own,
  )
  const [upload] = form?.schema.required ?? []
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    parameters: listParameters(path),
    queryNames: resolved.flatMap((one) => (one?.in === 'query' && one.name ? [one.name] : [])),
    ...(json && { body: json.schema }),
    ...(upload && { upload }),
  }
}

export const listOperations = (document: WalkedDocument): WalkedOperation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => toOperation(document, path, method, operation)),
  )

export function isWrite({ paths }: WalkedDocument, { path, method }: WalkedOperation): boolean {
  const scope = paths[path]?.[method.toLowerCase()]?.['x-required-scope']
  return method !== 'GET' && !scope?.endsWith(':read')
}

export function resolveSchema({ components }: WalkedDocument, schema: Schema): Schema {
  return schema.$ref ? ((components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) as Schema) : schema
}
