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
