import { is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'

const modules = import.meta.glob<Record<string, unknown>>('../src/{db/schema/*,*/**/queries,*/**/queries/*}.ts', {
  eager: true,
})

/** Every exported table of the service. */
export const declaredTables: readonly SQLiteTable[] = [
  ...new Set(
    Object.values(modules).flatMap((module) =>
      Object.values(module).filter((value): value is SQLiteTable => is(value, SQLiteTable)),
    ),
  ),
]
