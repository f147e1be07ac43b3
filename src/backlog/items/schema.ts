import { ProductParams, text } from '../../http/schemas'

export const WorkItemParams = ProductParams.extend({
  item_external_key: text(30).min(1).meta({
    pattern: '^(?:EP|FE|US)-[1-9]\\d{0,14}$',
    description: 'Key of an epic, a feature or a user story, or a former key from before a conversion.',
    example: 'EP-1',
  }),
})
