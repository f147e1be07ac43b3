import { env } from 'cloudflare:workers'
import { openHomesOfRun } from './homes'

// Parts that work across all workspaces see only the workspaces of their own test file. Workspace ids continue from the
// last id, because the worker caches data by workspace id.
async function deleteAllRows(d1: D1Database): Promise<void> {
  const { results } = await d1
    .prepare(`SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
      AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'd1_*'`)
    .all<{ name: string }>()
  if (!results.length) return
  await d1.batch([
    ...results.map(({ name }) => {
      const last = name === 'subscriptions' ? ' WHERE id < (SELECT max(id) FROM subscriptions)' : ''
      return d1.prepare(`DELETE FROM "${name}"${last}`)
    }),
    ...['search', 'search_people'].map((name) => d1.prepare(`INSERT INTO ${name} (${name}) VALUES ('delete-all')`)),
  ])
}

await deleteAllRows(env.DB)
// The second home reserves ids, and no cache knows its workspaces.
await deleteAllRows(env.DB_EU)
for (let listed = await env.FILES.list(); listed.objects.length; listed = await env.FILES.list()) {
  await env.FILES.delete(listed.objects.map(({ key }) => key))
}
await openHomesOfRun()
