import type { BulkProblemIssues } from '../../http/bulk'

export const BULK_ITEM_PROBLEMS: BulkProblemIssues = {
  absent: {
    path: '/externalKey',
    code: 'unknown_reference',
    message: 'Must be the external key of an item of this type in this product.',
  },
  twice: { path: '/externalKey', message: 'An earlier operation names this item by another key' },
  changed: {
    path: '/ifMatch',
    code: 'precondition_failed',
    message: 'The item has changed since you read it. Read the item again, and repeat the change with the new ETag.',
  },
  start: { path: '/body/startDate', message: 'Must not be after the endDate of the item' },
  end: { path: '/body/endDate', message: 'Must not be before the startDate of the item' },
  parent: { path: '/parentRef', message: 'The operation that parentRef names has failed' },
}
