import * as z from 'zod'
import { html, text } from '../../../http/schemas'

/** Accepts the shape of an opportunity too, because a client may send notes back unchanged. */
export const ModifyDocumentation = z
  .object({
    title: text(500).optional(),
    content: html().optional(),
    summary: text(500)
      .optional()
      .meta({ description: 'Title, under the name in the response. `title` takes precedence.' }),
    description: html().optional().meta({
      description:
        'HTML, under the name in the response. `content` takes precedence. Sanitized when stored, then at most 512 KiB and 128 elements deep.',
    }),
  })
  .meta({
    id: 'ModifyDocumentation',
    examples: [{ title: 'Notes on Nora', content: '<h2>Shift</h2><p>Starts at ten.</p>' }],
  })
