// The parts of the OpenAPI document and of a HAR file that the tools read.

export interface Schema {
  $ref?: string
  required?: string[]
  examples?: unknown[]
}

export interface Operation {
  operationId: string
  'x-required-scope'?: string
  parameters?: { name: string; in: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, object>
}

export interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** Reads a document, with shared parameters and responses in each operation. */
export function readDocument<D>(source: object): D {
  const document = JSON.parse(JSON.stringify(source)) as {
    paths: Record<string, Record<string, { parameters?: unknown[]; responses: Record<string, unknown> }>>
    components: Record<string, Record<string, unknown>>
  }
  const resolve = (part: unknown) => {
    const { $ref } = part as { $ref?: string }
    const [, , kind = '', name = ''] = $ref?.split('/') ?? []
    return $ref === undefined ? part : document.components[kind]?.[name]
  }
  for (const op of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    if (op.parameters) op.parameters = op.parameters.map(resolve)
    for (const [status, response] of Object.entries(op.responses)) op.responses[status] = resolve(response)
  }
  return document as D
}

export interface Header {
  name: string
  value: string
}

export interface Content {
  text?: string
  encoding?: string
}

export interface Entry {
  request: { method: string; url: string; headers: Header[]; postData?: Content & { mimeType: string } }
  response: { status: number; headers: Header[]; content: Content }
}

/** Operations that the workspace of these checks refuses, because it has records. Tests of their own cover the operations. */
export const NEEDS_EMPTY_WORKSPACE: readonly string[] = ['restoreExport']

/** Operations whose records come from the sign-in of a browser, besides. test/workspace/sessions covers them. */
export const UNTOURED: readonly string[] = [...NEEDS_EMPTY_WORKSPACE, 'getSession', 'endSession']
