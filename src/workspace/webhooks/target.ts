/** What decides where deliveries may go. */
export interface Reach {
  /** Whether receivers on this machine will do, and plain http: for trying things out. */
  loopback: boolean
  /** Where this service is reached from outside: it does not call itself. */
  own?: string | undefined
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
// Names that mean something in a private network alone (RFC 6761, 6762, 8375), and what clouds call their inside.
const PRIVATE = [
  ...['localhost', 'localdomain', 'local', 'internal', 'intranet', 'private', 'corp', 'home', 'lan'],
  ...['home.arpa', 'onion'],
]
// They resolve to whatever address stands in the name.
const ECHOING = ['nip.io', 'sslip.io', 'xip.io', 'localtest.me', 'lvh.me']

/** Without the dots of the root, which name the same host. */
const bare = (host: string) => host.replace(/\.+(?=:|$)/, '')

const isBelow = (host: string, parents: readonly string[]) =>
  parents.some((parent) => host === parent || host.endsWith(`.${parent}`))

const ADDRESS = 'Must name its host: an IP address is not allowed, in whatever spelling'

/**
 * Why nothing may be delivered to the URL, or undefined. A URL parser writes every spelling of an IPv4 address (decimal, hex,
 * octal, full-width digits) in one way. Where a name leads is for the platform to refuse: it does not tell the address.
 */
export function unreachable(text: string, { loopback, own }: Reach): string | undefined {
  if (!URL.canParse(text)) return 'Must be a URL, like https://example.com/hooks'
  const url = new URL(text)
  const host = bare(url.hostname)
  if (url.username || url.password) return 'Must not hold a user name or a password'
  if (own && bare(url.host) === bare(new URL(own).host)) return 'Must not be this service itself'
  if (loopback && LOOPBACK.has(host)) {
    return url.protocol === 'https:' || url.protocol === 'http:' ? undefined : 'Must begin with https:// or http://'
  }
  if (url.protocol !== 'https:') return 'Must begin with https://'
  if (url.port) return 'Must not name a port: 443 is the only one'
  // A last part of digits alone is never a domain, whatever stands before it.
  if (host.startsWith('[') || /(^|\.)\d+$/.test(host)) return ADDRESS
  if (isBelow(host, PRIVATE) || !host.includes('.')) return 'Must be a host of the public internet'
  if (isBelow(host, ECHOING)) return 'Must be a host of the public internet, not one that stands for an address'
  return undefined
}
