interface Route {
  pattern: string
  custom_domain?: boolean
}

const HOST_PATTERN = /^[a-z\d-]+(?:\.[a-z\d-]+)+$/

/** The origin for portals of a service with a second host; undefined for a service without one or with several. */
export function findPortalOrigin(
  { PUBLIC_URL: publicUrl, PORTAL_ORIGIN: portalOrigin }: Readonly<Record<string, unknown>>,
  routes: readonly (string | Route)[] = [],
): string | undefined {
  if (portalOrigin) return undefined
  const hosts = routes.flatMap((route) =>
    typeof route !== 'string' && route.custom_domain && HOST_PATTERN.test(route.pattern) ? [route.pattern] : [],
  )
  const [other, ...further] = hosts.filter((host) => `https://${host}` !== publicUrl)
  return other === undefined || further.length || !hosts.includes(new URL(String(publicUrl)).host)
    ? undefined
    : `https://${other}`
}

/** The file with the setting of the environment. Undefined if the file has no empty line for the setting. */
export function writePortalOrigin(file: string, env: string, portalOrigin: string): string | undefined {
  const lines = file.split('\n')
  const start = lines.indexOf(`[env.${env}.vars]`)
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('['))
  const end = length < 0 ? lines.length : start + 1 + length
  const at = lines.findIndex((line, n) => n > start && n < end && /^PORTAL_ORIGIN\s*=\s*""/.test(line))
  if (start < 0 || at < 0) return undefined
  return lines.with(at, `PORTAL_ORIGIN = "${portalOrigin}"`).join('\n')
}
