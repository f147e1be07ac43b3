import { createWorkspace } from '../../factories'
import { QUEUE, type Run } from '../../workspace/imports/scenario'

export interface TreeNode {
  type: string
  summary: string
  children: TreeNode[]
}

export async function createImportScenario() {
  const here = await createWorkspace()
  const path = `/api/initiatives/${here.product.externalKey}/backlog`
  return {
    ...here,
    path,
    async run(
      content: string,
      { query = '', mapping, name = 'backlog.csv' }: { query?: string; mapping?: object; name?: string } = {},
    ) {
      const raw = new FormData()
      raw.set('file', new File([content], name))
      if (mapping) raw.set('mapping', JSON.stringify(mapping))
      return here.client<Run & { preview?: Record<string, unknown>[] }>('POST', `${path}/import${query}`, {
        raw,
        env: { QUEUE },
      })
    },
    async tree() {
      const { body } = await here.client<{ items: TreeNode[]; orphans: TreeNode[] }>('GET', path)
      const titles = ({ summary, children }: TreeNode): unknown =>
        children.length ? [summary, ...children.map(titles)] : summary
      return [...body.data.items, ...body.data.orphans].map(titles)
    },
  }
}
