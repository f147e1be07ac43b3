import { expect, test } from 'vitest'
import { Held } from '../../src/http/memory'

const MIB = 1024 * 1024

test('bodies beyond what an isolate holds are sent away until there is room; one that is alone is not', () => {
  const [alone, next, third] = [new Held(), new Held(), new Held()]
  alone.take(200 * MIB)
  expect(() => next.take(1)).toThrow('Too many large bodies')
  alone.take(50 * MIB)
  alone.release()
  next.take(40 * MIB)
  third.take(40 * MIB)
  expect(() => third.take(1)).toThrow('Too many large bodies')
  next.release()
  third.take(30 * MIB)
  third.release()
  third.release()
  alone.take(300 * MIB)
  alone.release()
})
