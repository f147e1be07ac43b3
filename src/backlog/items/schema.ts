import * as z from 'zod'
import { attributesParameter } from '../../http/attributes'
import { createRestorableQuery } from '../../http/pagination'
import { ProductParams, severalOf, severalTexts, text } from '../../http/schemas'
import { declareWeight } from '../../http/weight'
import { WorkItem } from '../work-items/schema'

export const WorkItemParams = ProductParams.extend({
  item_external_key: text(30).min(1).meta({
    pattern: '^(?:EP|FE|US)-[1-9]\\d{0,14}$',
    description: 'Key of an epic, a feature or a user story, or a former key from before a conversion.',
    example: 'EP-1',
  }),
})

const WALKS = 'Looks at 10,000 items per page: a page can be short or empty and still have a next page.'

export const ListAllWorkItems = createRestorableQuery(['-createdAt', 'createdAt']).extend({
  type: declareWeight(
    'walk',
    severalOf(z.enum(['epic', 'feature', 'userstory']))
      .optional()
      .meta({ description: `Only items of this type, or of any of several separated by commas. ${WALKS}` }),
  ),
  progress: declareWeight(
    'walk',
    severalTexts(100)
      .optional()
      .meta({
        description: `Only items of this progress, or of any of several separated by commas: \`to-do\`, \`in-progress\`, \`done\`, or another text. ${WALKS}`,
        example: ['in-progress', 'done'],
      }),
  ),
  product: declareWeight(
    'walk',
    text(20)
      .optional()
      .meta({ description: `Only items of the product with this external key. ${WALKS}` }),
  ),
  attributes: attributesParameter(),
})

export const WorkItemOfWorkspace = WorkItem.extend({
  productId: z.int(),
  productKey: z.string().meta({ description: 'External key of the product.', examples: ['GW-DEMO'] }),
}).meta({ id: 'WorkItemOfWorkspace', description: 'An epic, a feature or a user story of any product.' })
