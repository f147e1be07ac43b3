import type { Store } from '../../db/client/client'

/** An invocation may run 1,000 statements and calls, and handles other messages too. A step takes up to 200. */
const MAX_CALLS_PER_INVOCATION = 350

export interface Budget {
  spend(calls: number): void
  isSpent(): boolean
}

export function createBudget(max = MAX_CALLS_PER_INVOCATION): Budget {
  let spent = 0
  return {
    spend: (calls) => {
      spent += calls
    },
    isSpent: () => spent >= max,
  }
}

/** Counts the statements of a store. Each batch has the time of its own. */
export function countStatements(open: () => Store, budget: Budget): Store {
  const batch = (subscriptionId: number | null, ...statements: Parameters<Store['batch']>[1][]) => {
    budget.spend(statements.length)
    return open().batch(subscriptionId, ...statements)
  }
  return { batch: batch as Store['batch'] }
}
