import * as z from 'zod'
import { html, text } from '../../../http/schemas'

export const ModifyDocumentation = z.object({ title: text(500).optional(), content: html().optional() }).meta({
  id: 'ModifyDocumentation',
  examples: [{ title: 'Notes on Nora', content: '<h2>Shift</h2><p>Starts at ten.</p>' }],
})
