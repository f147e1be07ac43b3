import { listQuery } from '../../http/pagination'

/** How its pages are read. */
export const InOrder = listQuery(['order'])
