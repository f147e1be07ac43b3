import * as z from 'zod'
import { WorkItemDetail } from '../work-items/schema'

export const ConvertWorkItem = z
  .object({ type: z.enum(['epic', 'feature', 'userstory'], { error: 'Must be "epic", "feature" or "userstory"' }) })
  .meta({ id: 'ConvertWorkItem', examples: [{ type: 'feature' }] })

export const Converted = WorkItemDetail.extend({
  previousKeys: z
    .array(z.string())
    .meta({ description: 'The keys that it had, which still find it, the oldest first.' }),
}).meta({ id: 'Converted' })
