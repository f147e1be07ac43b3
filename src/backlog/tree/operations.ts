import { declareCeiling, WHOLE_PRODUCT_COST_REASON } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { ProductParams } from '../../http/schemas'
import { invalidValueError } from '../../text/errors'
import { buildTree, listNodeFields } from './build'
import * as queries from './queries'
import { EDITOR_FIELDS, MAX_NODES, Tree, TreeQuery } from './schema'

export const getBacklog = operation({
  id: 'getBacklog',
  ceiling: declareCeiling(53_000, WHOLE_PRODUCT_COST_REASON),
  of: 'work_item',
  route: 'GET /api/initiatives/{product_external_key}/backlog',
  summary: 'Retrieve the backlog as a tree',
  description:
    'Epics with their features and stories, in order. Features and stories without a parent are in `orphans`. Filters keep the matching items and their parents. Points and percentages count all items below, shown or not. A tree of more than 10,000 nodes is a 400: ask for fewer levels, or filter.',
  weight: 'walk',
  params: ProductParams,
  query: TreeQuery,
  data: Tree,
  async handle({ query, db }) {
    const fields = listNodeFields(query.fields)
    const isForEditor = EDITOR_FIELDS.some((name) => fields.includes(name))
    const columns = fields.includes('versions') ? 'versioned' : isForEditor ? 'editor' : 'lean'
    const rows = await queries.listNodes(db, query, columns)
    if (rows.length > MAX_NODES) {
      throw invalidValueError(
        '/query/depth',
        `The tree has more than ${MAX_NODES} nodes. Ask for fewer levels with depth, filter, or read the lists page by page.`,
      )
    }
    // Any version leads to an ETag, because the ETag of a GET is a hash of the content.
    return { data: buildTree(rows, fields), version: rows.length }
  },
})
