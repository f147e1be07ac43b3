import { listQuery } from '../../http/pagination'

/** Internal query for the pages of an export. */
export const ExportPageQuery = listQuery(['order'])
