import * as z from 'zod'
import { createRestorableQuery } from '../../../http/pagination'
import { externalKey, html, line, ProductParams, Timestamp, text } from '../../../http/schemas'
import { declareWeight } from '../../../http/weight'
import { MAX_VARIABLE_LENGTH, TemplateVariableKey } from '../templates/schema'

export const DocumentParams = ProductParams.extend({
  document_external_key: externalKey('DOC', 'The key of the document.'),
})

export const CreateDocument = z
  .object({ title: line(500), content: html().default('') })
  .meta({ id: 'CreateDocument', examples: [{ title: 'Notes', content: '<p>Shifts begin at ten.</p>' }] })

export const ModifyDocument = z
  .object({ title: line(500).optional(), content: html().optional() })
  .meta({ id: 'ModifyDocument', examples: [{ title: 'Notes on shifts' }] })

export const InstantiateTemplate = z
  .object({
    product: line(20).meta({ description: 'External key of the product for the document.' }),
    title: line(500),
    variables: z.record(TemplateVariableKey, text(MAX_VARIABLE_LENGTH)).default({}).meta({
      description: 'Values of the variables, by key: text, not HTML.',
    }),
  })
  .meta({
    id: 'InstantiateTemplate',
    examples: [{ product: 'GW-DEMO', title: 'Interview with Nora', variables: {} }],
  })

export const ListDocuments = createRestorableQuery(['-createdAt', 'createdAt']).extend({
  q: declareWeight(
    'walk',
    line(200).optional().meta({
      description: 'Words in the title or text, or their beginnings. Looks at the newest 10,000 matches.',
    }),
  ),
})

export const Document = z
  .object({
    id: z.int(),
    externalKey: z.string(),
    initiativeId: z.int(),
    title: z.string(),
    content: z.string().meta({ description: 'HTML.' }),
    template: z.int().nullable().meta({ description: 'Id of the template that the document was created from.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Document', description: 'Document of a product.' })
