import type { Experiment } from './requests'

export const RESULTS: readonly NonNullable<Experiment['result']>[] = ['validated', 'invalidated', 'inconclusive']
export const DECISIONS: readonly NonNullable<Experiment['decision']>[] = ['persevere', 'pivot', 'stop']
