import path from 'node:path'
import process from 'node:process'
import { build, type Rolldown } from 'vite'

const consoleFolder = path.resolve(import.meta.dirname, '../../web/console')
const clientEntry = path.resolve(import.meta.dirname, '../../clients/typescript/src/index.ts')

/** The first browsers with `light-dark()` and relative colors, which a lower target would rewrite without the colors of the portal. */
const CSS_TARGET = ['chrome123', 'firefox128', 'safari17.5']

export interface ConsoleFile {
  /** Path of the address; holds a hash of the content. */
  address: string
  text: string
}

export interface ConsoleBuild {
  files: readonly ConsoleFile[]
  script: string
  style: string
}

/** The shell is one script and one stylesheet, and each screen is a script of its own. */
export async function buildConsole(): Promise<ConsoleBuild> {
  const { NODE_ENV } = process.env
  // Vite builds for development if a test runner says so.
  process.env.NODE_ENV = 'production'
  try {
    return collectFiles(await runBuild())
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  }
}

async function runBuild(): Promise<Rolldown.RolldownOutput> {
  const built = await build({
    root: consoleFolder,
    configFile: false,
    logLevel: 'error',
    resolve: { alias: { 'groundwork-client': clientEntry } },
    build: {
      write: false,
      target: 'es2022',
      cssTarget: CSS_TARGET,
      cssCodeSplit: false,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: path.join(consoleFolder, 'src/main.tsx'),
        output: {
          entryFileNames: 'assets/console.[hash].js',
          chunkFileNames: 'assets/console-[name].[hash].js',
          assetFileNames: 'assets/console.[hash][extname]',
        },
      },
    },
  })
  return (Array.isArray(built) ? built[0] : built) as Rolldown.RolldownOutput
}

function collectFiles({ output }: Rolldown.RolldownOutput): ConsoleBuild {
  const files = output.map((file) => ({
    address: `/${file.fileName}`,
    text: file.type === 'chunk' ? file.code : String(file.source),
  }))
  const entry = output.find((file) => file.type === 'chunk' && file.isEntry)
  const style = output.find(({ fileName }) => fileName.endsWith('.css'))
  if (!entry || !style) throw new Error('The build of the console has no script or no stylesheet.')
  return { files, script: `/${entry.fileName}`, style: `/${style.fileName}` }
}
