import { signal } from '@preact/signals'

/** The card that is carried, by pointer or by keyboard, and the column that it would go to. */
export function createCarrying() {
  const carried = signal<string | undefined>(undefined)
  const target = signal<string | undefined>(undefined)
  return {
    ...{ carried, target },
    end() {
      carried.value = undefined
      target.value = undefined
    },
  }
}

export type Carrying = ReturnType<typeof createCarrying>
