import { expect, test } from 'vitest'
import { findTypeCostProblem } from '../../scripts/checks/types'

const FIGURES = 'Files:   1582\nInstantiations:  1546113\nMemory used:     753988K\n'

test.each([
  ['figures within the budget', FIGURES, 280, undefined],
  ['many instantiations per operation', FIGURES, 200, 'cost 7731 instantiations per operation'],
  ['much memory', FIGURES.replace('753988K', '1400000K'), 280, '5000 kB per operation (at most 3100)'],
  ['missing figures', '', 280, 'NaN instantiations'],
])('The check of the types knows %s', (_, figures, operationCount, problem) => {
  const found = findTypeCostProblem(figures, operationCount)
  if (problem) expect(found).toContain(problem)
  else expect(found).toBeUndefined()
})
