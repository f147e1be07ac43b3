import path from 'node:path'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [
          cloudflareTest(async () => ({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: {
                MIGRATIONS: await readD1Migrations(path.join(import.meta.dirname, 'migrations')),
                SIGNING_SECRETS:
                  'test-new:bmV3LXNlY3JldC1vZi10aGUtdGVzdC1zdWl0ZS0wMDAx,test-old:b2xkLXNlY3JldC1vZi10aGUtdGVzdC1zdWl0ZS0wMDAx',
              },
            },
          })),
        ],
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: ['test/repo/**'],
          setupFiles: ['./test/setup.ts'],
          testTimeout: 30_000,
        },
      },
      {
        // What needs the file system runs on Node.
        test: { name: 'repo', include: ['test/repo/*.test.ts'], testTimeout: 30_000 },
      },
    ],
  },
})
