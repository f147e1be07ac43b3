import { listQuery } from '../../http/pagination'

export const ExportPageQuery = listQuery(['order'])
