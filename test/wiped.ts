import { env } from 'cloudflare:workers'

// Parts that work across all workspaces see only the workspaces of their own test file. Workspace ids continue from the
// last id, because the worker caches data by workspace id.
const { results } = await env.DB.prepare(`SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
  AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'd1_*'`).all<{ name: string }>()
await env.DB.batch([
  ...results.map(({ name }) => {
    const last = name === 'subscriptions' ? ' WHERE id < (SELECT max(id) FROM subscriptions)' : ''
    return env.DB.prepare(`DELETE FROM "${name}"${last}`)
  }),
  ...['search', 'search_people'].map((name) => env.DB.prepare(`INSERT INTO ${name} (${name}) VALUES ('delete-all')`)),
])
for (let listed = await env.FILES.list(); listed.objects.length; listed = await env.FILES.list()) {
  await env.FILES.delete(listed.objects.map(({ key }) => key))
}
