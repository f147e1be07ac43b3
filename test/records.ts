import type { AnyRecord } from '../src/db/records/record'

const modules = import.meta.glob<Record<string, unknown>>('../src/*/**/{queries/*,queries,statements,fields}.ts', {
  eager: true,
})

const isRecord = (value: unknown): value is AnyRecord =>
  typeof value === 'object' && value !== null && 'justInserted' in value && 'eventSource' in value

/** Every exported record of the service. */
export const declaredRecords: readonly AnyRecord[] = [
  ...new Set(Object.values(modules).flatMap((module) => Object.values(module).filter(isRecord))),
]
