import type { Operations } from 'groundwork-client'
import type { Versioned } from '../../api/change'
import { client } from '../../api/client'
import { queries, showStored, useQuery } from '../../api/queries'

export type Template = Operations['getTemplate']['data']
export type Variable = Template['variables'][number]
export type TemplateFields = Pick<Template, 'title' | 'category' | 'content' | 'variables'>

/** The list leaves the texts out. */
const LISTED_FIELDS = ['id', 'title', 'category', 'variables'] as const
export type ListedTemplate = Pick<Template, (typeof LISTED_FIELDS)[number]>

const RESOURCE = 'template'
const MAX_PAGE = 100

const options = {
  queryKey: [RESOURCE, 'list'],
  queryFn: async () => {
    const found: ListedTemplate[] = []
    const pages = client.each('listTemplates', { limit: MAX_PAGE, fields: [...LISTED_FIELDS] })
    for await (const template of pages) found.push(template)
    return found
  },
}

/** The templates of the workspace, without their texts. */
export const useTemplateList = () => useQuery<ListedTemplate[]>(options)

async function readTemplate(templateId: number): Promise<Versioned<Template>> {
  const { data, headers } = await client.request('getTemplate', { templateId })
  return { record: data, etag: headers.get('etag') ?? '' }
}

const keyOf = (id: number) => [RESOURCE, 'one', id]

export const useTemplate = (id: number) =>
  useQuery<Versioned<Template>>({ queryKey: keyOf(id), queryFn: () => readTemplate(id) })

export const readTemplatesAgain = () => queries.invalidateQueries({ queryKey: [RESOURCE] })

/** Takes the row out of the shown list. */
export const listWithoutTemplate = (id: number): void => {
  queries.setQueryData<ListedTemplate[]>(options.queryKey, (list) => list?.filter((template) => template.id !== id))
}

export const sendNewTemplate = async (body: TemplateFields): Promise<number> =>
  (await client.createTemplate({ body })).id

export const changeOfTemplate = (templateId: number) => ({
  read: () => readTemplate(templateId),
  async send(change: Partial<Template>, etag: string): Promise<Versioned<Template>> {
    const body = change as Partial<TemplateFields>
    const { data, headers } = await client.request('modifyTemplate', { templateId, body }, { ifMatch: etag })
    return { record: data, etag: headers.get('etag') ?? '' }
  },
  accept(stored: Versioned<Template>) {
    showStored(keyOf(templateId), stored)
    void queries.invalidateQueries({ queryKey: options.queryKey })
  },
})

export const sendTemplateRemoval = (templateId: number) => client.removeTemplate({ templateId })
export const sendTemplateRestore = (templateId: number) => client.restoreTemplate({ templateId })
