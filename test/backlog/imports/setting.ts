import { workspace } from '../../factories'
import { QUEUE, type Run } from '../../workspace/imports/setting'

export interface Node {
  type: string
  summary: string
  children: Node[]
}

export async function backlogs() {
  const here = await workspace()
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
      const { body } = await here.client<{ items: Node[]; orphans: Node[] }>('GET', path)
      const titles = ({ summary, children }: Node): unknown =>
        children.length ? [summary, ...children.map(titles)] : summary
      return [...body.data.items, ...body.data.orphans].map(titles)
    },
  }
}
