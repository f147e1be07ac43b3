const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/Firefox\/|FxiOS/, 'Firefox'],
  [/Chrom(?:e|ium)\/|CriOS/, 'Chrome'],
  [/Safari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux|X11/, 'Linux'],
]

const findName = (names: typeof BROWSERS, agent: string) => names.find(([pattern]) => pattern.test(agent))?.[1]

/** Name of a session, from the header `User-Agent`. */
export function describeBrowser(agent = ''): string {
  const [browser = 'Browser', system] = [findName(BROWSERS, agent), findName(SYSTEMS, agent)]
  return system === undefined ? browser : `${browser} on ${system}`
}
