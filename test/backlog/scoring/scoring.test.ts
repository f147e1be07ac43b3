import { expect, test } from 'vitest'
import { createWorkItemScenario } from '../work-items/scenario'

async function createScoringScenario() {
  const here = await createWorkItemScenario()
  await here.create('epics', { summary: 'E' })
  const score = (raw: object | string) =>
    here.client<{ score: number; explanation: string; inputs: object }>('PUT', `${here.at}/backlog/EP-1/scoring`, {
      raw: typeof raw === 'string' ? raw : JSON.stringify(raw),
      headers: { 'content-type': 'application/json' },
    })
  return { ...here, score }
}

test('every model computes its score and stores its formula and inputs', async () => {
  const here = await createScoringScenario()
  const cases: [object, number, string][] = [
    [
      { model: 'rice', inputs: { reach: 500, impact: 2, confidence: 0.8, effort: 4, noise: 1 } },
      200,
      'reach × impact × confidence / effort = 500 × 2 × 0.8 / 4 = 200',
    ],
    [
      { model: 'ice', inputs: { impact: 3, confidence: 0.5, ease: 7 } },
      10.5,
      'impact × confidence × ease = 3 × 0.5 × 7 = 10.5',
    ],
    [
      { model: 'wsjf', inputs: { businessValue: 8, timeCriticality: 3, riskReduction: 2, jobSize: 3 } },
      4.33,
      '(businessValue + timeCriticality + riskReduction) / jobSize = (8 + 3 + 2) / 3 = 4.33',
    ],
    [{ model: 'value-effort', inputs: { value: -1, effort: 8 } }, -0.13, 'value / effort = -1 / 8 = -0.13'],
    [
      { model: 'custom', inputs: { fun: 4, money: 1 }, weights: { money: 3 } },
      1.75,
      'Σ weight × input / Σ weight = (1 × 4 + 3 × 1) / 4 = 1.75',
    ],
  ]
  for (const [json, score, explanation] of cases) {
    const answer = await here.score(json)
    expect([json, answer.status, answer.cost.roundTrips]).toEqual([json, 200, 1])
    expect(answer.body.data).toMatchObject({ externalKey: 'EP-1', score, explanation })
    const { inputs } = answer.body.data
    expect(await here.detail('epics/EP-1')).toMatchObject({ score, scoring: { inputs } })
    expect(inputs).not.toHaveProperty('noise')
  }
  const again = await here.score(cases.at(-1)?.[0] ?? {})
  expect([again.status, again.cost.rowsWritten]).toEqual([200, 0])
  expect((await here.events('EP-1')).at(-1)).toMatchObject({
    type: 'epic.updated',
    data: { score: 1.75, scoring: { model: 'custom' } },
    previous: { score: -0.13, scoring: { model: 'value-effort', inputs: { value: -1, effort: 8 } } },
  })
  const list = await here.client<{ externalKey: string }[]>('GET', `${here.at}/epics?sort=-score`)
  expect(list.body.data[0]).toMatchObject({ score: 1.75, scoring: { model: 'custom' } })
})

test('invalid inputs are all listed', async () => {
  const here = await createScoringScenario()
  const cases: [object | string, string[]][] = [
    [{ model: 'rice', inputs: {} }, ['/inputs/reach', '/inputs/impact', '/inputs/confidence', '/inputs/effort']],
    [{ model: 'rice', inputs: { reach: 1, impact: 1, confidence: 1, effort: 0 } }, ['/inputs/effort']],
    [
      { model: 'wsjf', inputs: { businessValue: 1, timeCriticality: 1, riskReduction: 1, jobSize: -0 } },
      ['/inputs/jobSize'],
    ],
    [{ model: 'value-effort', inputs: { value: 1e9, effort: 1e-9 } }, ['/inputs/value']],
    [{ model: 'value-effort', inputs: { value: 1, effort: 5e-324 } }, ['/inputs/effort']],
    [{ model: 'value-effort', inputs: { value: '1', effort: 1 } }, ['/inputs/value']],
    [{ model: 'value-effort', inputs: { value: 1, effort: -2 } }, ['/inputs/effort']],
    [{ model: 'rice', inputs: { reach: 1, impact: 1, confidence: 101, effort: 1 } }, ['/inputs/confidence']],
    [
      { model: 'rice', inputs: { reach: -1, impact: -1, confidence: -0.1, effort: -1 } },
      ['/inputs/reach', '/inputs/impact', '/inputs/confidence', '/inputs/effort'],
    ],
    [{ model: 'ice', inputs: { impact: 11, confidence: 8, ease: -1 } }, ['/inputs/impact', '/inputs/ease']],
    [
      { model: 'wsjf', inputs: { businessValue: -1, timeCriticality: 1, riskReduction: 1, jobSize: 1 } },
      ['/inputs/businessValue'],
    ],
    [{ model: 'custom', inputs: {} }, ['/inputs']],
    [{ model: 'custom', inputs: { a: 1, b: 1 }, weights: { a: 1, b: -1 } }, ['/weights']],
    [{ model: 'custom', inputs: { a: 1 }, weights: { c: 1 } }, ['/weights/c']],
    [{ model: 'magic', inputs: {} }, ['/model']],
    ['{"model":"custom","inputs":{"__proto__":1}}', ['/inputs/__proto__']],
  ]
  for (const [json, paths] of cases) {
    const { status, body, cost } = await here.score(json)
    expect([json, status, body.error?.issues.map(({ path }) => path)]).toEqual([json, 400, paths])
    expect(cost.rowsWritten).toBe(0)
  }
  const fine = { model: 'ice', inputs: { impact: 1, confidence: 1, ease: 1 } }
  expect((await here.client('PUT', `${here.at}/backlog/EP-2/scoring`, { json: fine })).status).toBe(404)
})

test('the confidence of RICE is a percentage or a fraction and is stored as sent', async () => {
  const here = await createScoringScenario()
  for (const [confidence, score] of [
    [80, 200],
    [0.8, 200],
    [100, 250],
    [1, 250],
    [50.5, 126.25],
    [0, 0],
  ] as const) {
    const inputs = { reach: 500, impact: 2, confidence, effort: 4 }
    const { body } = await here.score({ model: 'rice', inputs })
    expect([confidence, body.data]).toMatchObject([confidence, { score, inputs }])
  }
  const { body } = await here.score({ model: 'rice', inputs: { reach: 1, impact: 1, confidence: 8000, effort: 1 } })
  expect(body.message).toContain('/inputs/confidence: Must be from 0 to 100 percent')
})
