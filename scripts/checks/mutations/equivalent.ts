/** Conditions that change nothing, each with the reason. No test can notice that such a condition is gone. */
export const EQUIVALENT_CONDITIONS: readonly [file: string, condition: string, reason: string][] = []
