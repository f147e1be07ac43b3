import { env } from 'cloudflare:workers'

// What works for all workspaces at once finds those of its own file alone. Ids of workspaces go on from the last one, as
// the worker remembers some things of each.
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
