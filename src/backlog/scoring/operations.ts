import { declareCeiling, WHOLE_EVENT_COST_REASON } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { toHundredths } from '../../text/decimals'
import { WorkItemParams } from '../items/schema'
import { computeScore, pickModelInputs } from './models'
import * as queries from './queries'
import { Score, ScoreWorkItem } from './schema'

export const scoreWorkItem = operation({
  id: 'scoreWorkItem',
  ceiling: declareCeiling(520_000, WHOLE_EVENT_COST_REASON),
  of: 'work_item',
  route: 'PUT /api/initiatives/{product_external_key}/backlog/{item_external_key}/scoring',
  summary: 'Score an item',
  description:
    'Computes the `score` of the item by a model. The item shows the model and its inputs as `scoring`. The response explains the score.',
  params: WorkItemParams,
  body: ScoreWorkItem,
  data: Score,
  message: 'Item scored',
  async handle({ params, body, db, ifMatch }) {
    const scoring = pickModelInputs(body)
    const { score, formula, values } = computeScore(scoring)
    const hundredths = toHundredths(score) ?? 0
    const { externalKey, version } = await queries.scoreWorkItem(db, params, { scoring, score: hundredths }, ifMatch)
    const rounded = hundredths / 100
    const explanation = `${formula} = ${values} = ${rounded}`
    return { data: { externalKey, ...scoring, score: rounded, explanation }, version }
  },
})
