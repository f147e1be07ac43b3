import * as z from 'zod'
import { html, text } from '../../../http/schemas'

/** Accepts the shape of an opportunity too, because a client may send notes back unchanged. */
export const ModifyDocumentation = z
  .object({
    title: text(500).optional(),
    content: html().optional(),
    summary: text(500)
      .optional()
      .meta({ description: 'The title, as it is read; `title` counts where both are sent.' }),
    description: html().optional().meta({
      description:
        'The HTML, as it is read; `content` counts where both are sent. Sanitised when it is stored, at most 512 KiB then, and 128 elements deep.',
    }),
  })
  .meta({
    id: 'ModifyDocumentation',
    examples: [{ title: 'Notes on Nora', content: '<h2>Shift</h2><p>Starts at ten.</p>' }],
  })
