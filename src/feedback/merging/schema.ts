import * as z from 'zod'
import { line } from '../../http/schemas'

export const MergeFeedbackItem = z
  .object({ into: line(30).meta({ description: 'Key of the item that stays.' }) })
  .meta({ id: 'MergeFeedbackItem', examples: [{ into: 'IDEA-2' }] })
