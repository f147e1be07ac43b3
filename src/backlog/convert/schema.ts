import * as z from 'zod'
import { WorkItemDetail } from '../work-items/schema'

export const ConvertWorkItem = z
  .object({ type: z.enum(['epic', 'feature', 'userstory'], { error: 'Must be "epic", "feature" or "userstory"' }) })
  .meta({ id: 'ConvertWorkItem', examples: [{ type: 'feature' }] })

export const Converted = WorkItemDetail.extend({
  previousKeys: z
    .array(z.string())
    .meta({ description: 'Former keys of the item, the oldest first. Each key still finds the item.' }),
}).meta({ id: 'Converted' })
