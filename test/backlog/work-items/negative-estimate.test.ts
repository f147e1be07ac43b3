import { expect, test } from 'vitest'
import { createImportScenario } from '../imports/scenario'

const NEGATIVE_ESTIMATES = ['-1', '-0.5', '-1000000']

test.each(NEGATIVE_ESTIMATES)(
  'an estimate of %s is refused at every door, and is a warning in a file',
  async (estimate) => {
    const { client, product, run } = await createImportScenario()
    const at = `/api/initiatives/${product.externalKey}`
    await client('POST', `${at}/epics`, { json: { summary: 'E', estimate: '1' } })
    const doors: [method: string, path: string, json: object, field: string][] = [
      ['POST', `${at}/epics`, { summary: 'E', estimate }, '/estimate'],
      ['PUT', `${at}/epics/EP-1`, { estimate }, '/estimate'],
      ['POST', `${at}/features`, { summary: 'F', estimate }, '/estimate'],
      ['PUT', `${at}/backlog/external/linear/L-1`, { type: 'epic', summary: 'E', estimate }, '/estimate'],
    ]
    for (const [method, path, json, field] of doors) {
      const { status, body } = await client(method, path, { json })
      expect([method, path, status, body.error?.issues.map((issue) => issue.path)]).toEqual([
        method,
        path,
        400,
        [field],
      ])
    }
    const { data } = (await run(`type,summary,estimate\nepic,Shop,${estimate}`)).body
    expect(data.totals).toMatchObject({ created: 1, rejected: 0 })
    expect(data.warnings.map(({ field, value, became }) => [field, value, became])).toEqual([
      ['estimate', estimate, null],
    ])
  },
)
