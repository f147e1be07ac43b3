import { createListQuery } from '../../http/pagination'

export const ExportPageQuery = createListQuery(['order'])
