import { buildConsole } from '../console/build.ts'
import { buildPortalAssets } from '../portal/assets.ts'

export interface PageAssets {
  files: readonly { address: string; text: string }[]
  /** Content of `src/http/page-assets.json`, which gives the pages the addresses. */
  addresses: string
}

/** The styles and scripts of the portal and of the console. */
export async function buildPageAssets(): Promise<PageAssets> {
  const portal = buildPortalAssets()
  const team = await buildConsole()
  const named = [
    ...portal.map(({ name, address }) => [name, address]),
    ['console.css', team.style],
    ['console.js', team.script],
  ]
  return {
    files: [...portal, ...team.files],
    addresses: `${JSON.stringify(Object.fromEntries(named), null, 2)}\n`,
  }
}
