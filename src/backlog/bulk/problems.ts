import type { BulkProblems } from '../../http/bulk'

export const PROBLEMS: BulkProblems = {
  absent: {
    path: '/externalKey',
    code: 'unknown_reference',
    message: 'No such item of this type in this product. Use its external key.',
  },
  twice: { path: '/externalKey', message: 'Is named by an earlier operation already, by another of its keys' },
  start: { path: '/body/startDate', message: 'Must not be after the endDate that the item has' },
  end: { path: '/body/endDate', message: 'Must not be before the startDate that the item has' },
  parent: { path: '/parentRef', message: 'The operation that makes its parent has failed' },
}
