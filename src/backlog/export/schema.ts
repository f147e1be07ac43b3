import * as z from 'zod'
import { ExportQuery } from '../../files/write'
import { createListQuery } from '../../http/pagination'

export const ExportBacklog = ExportQuery.extend({
  include: z.enum(['comments'], { error: 'Must be "comments"' }).optional().meta({
    description:
      '`comments` adds the comments of each item (the first 500 kB). Private comments are included for keys with the scope `products:read`, and your own private comments for your keys.',
  }),
})

export const ExportPageQuery = createListQuery(['order'])
