export interface WebhookUrlRules {
  loopback: boolean
  ownUrl?: string | undefined
}

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]'])
// Names of private networks (RFC 6761, 6762, 8375) and of internal hosts in clouds.
const PRIVATE_HOST_NAMES = [
  ...['localhost', 'localdomain', 'local', 'internal', 'intranet', 'private', 'corp', 'home', 'lan'],
  ...['home.arpa', 'onion'],
]
const IP_ECHO_DOMAINS = ['nip.io', 'sslip.io', 'xip.io', 'localtest.me', 'lvh.me']

const removeRootDots = (host: string) => host.replace(/\.+(?=:|$)/, '')

const isHostBelow = (host: string, parents: readonly string[]) =>
  parents.some((parent) => host === parent || host.endsWith(`.${parent}`))

const IP_ADDRESS_REFUSED_MESSAGE = 'Must have a host name: IP addresses are not allowed'

/**
 * The URL parser normalizes every spelling of an IPv4 address. A Worker cannot resolve names, so only the platform can
 * refuse a name by address.
 */
export function explainRefusedWebhookUrl(text: string, { loopback, ownUrl }: WebhookUrlRules): string | undefined {
  if (!URL.canParse(text)) return 'Must be a URL, like https://example.com/hooks'
  const url = new URL(text)
  const host = removeRootDots(url.hostname)
  if (url.username || url.password) return 'Must not have a user name or a password'
  if (ownUrl && removeRootDots(url.host) === removeRootDots(new URL(ownUrl).host))
    return 'Must not be this service itself'
  if (loopback && LOOPBACK_HOSTS.has(host)) {
    return url.protocol === 'https:' || url.protocol === 'http:' ? undefined : 'Must begin with https:// or http://'
  }
  if (url.protocol !== 'https:') return 'Must begin with https://'
  if (url.port) return 'Must not have a port: only 443 is allowed'
  // A last label of digits is never a domain.
  if (host.startsWith('[') || /(^|\.)\d+$/.test(host)) return IP_ADDRESS_REFUSED_MESSAGE
  if (isHostBelow(host, PRIVATE_HOST_NAMES) || !host.includes('.')) return 'Must be a host of the public internet'
  if (isHostBelow(host, IP_ECHO_DOMAINS)) return 'Must be a host of the public internet, not a name for an IP address'
  return undefined
}
