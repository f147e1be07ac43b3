import { send } from '../../client'
import { createWorkspace, type Workspace } from '../../factories'
import { QUEUE, type Run } from '../../workspace/imports/scenario'
import { fileForm, PIXEL_PNG } from '../../world'

export interface ExportedIdea {
  external_key: string
  product: string
  title: string
  slug: string
  author: string
  created_at: string
  votes?: { email: string; type: string; createdAt: string }[]
  comments?: { id: number; parentId: number | null; text: string; email: string; isPrivate: boolean }[]
  [field: string]: unknown
}

interface Options {
  query?: string
  mapping?: object
  name?: string
  product?: string
  apiKey?: string
}

export function createIdeaImports(here: Workspace) {
  return {
    ...here,
    run(content: string, { query = '', mapping, name = 'ideas.csv', product, apiKey }: Options = {}) {
      const raw = new FormData()
      raw.set('file', new File([content], name))
      if (mapping) raw.set('mapping', JSON.stringify(mapping))
      const path = `/api/feedback-items/import?product=${product ?? here.product.externalKey}${query}`
      return here.client<Run & { preview?: Record<string, unknown>[]; mapping: { preset: string | null } }>(
        'POST',
        path,
        {
          raw,
          env: { QUEUE },
          ...(apiKey && { apiKey }),
        },
      )
    },
    async file(query = '') {
      const { response } = await send('GET', `/api/feedback-items/export?${query}`, { apiKey: await here.key() })
      return new TextDecoder().decode(await response.arrayBuffer())
    },
    async uploadImage(product = here.product.externalKey) {
      const raw = fileForm('file', PIXEL_PNG, 'cover.png')
      return (await here.client<{ id: number }>('POST', `/api/initiatives/${product}/assets`, { raw })).body.data.id
    },
    async items(query = ''): Promise<ExportedIdea[]> {
      return JSON.parse(await this.file(`format=json&include=votes,comments${query}`))
    },
  }
}

export const createImportScenario = async () => createIdeaImports(await createWorkspace())
