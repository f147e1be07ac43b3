import { expect, test } from 'vitest'
import { explainRefusedWebhookUrl } from '../../../src/workspace/webhooks/target'

const ALLOWED_URLS = [
  'https://example.com/hooks',
  'https://example.com:443/hooks?token=1',
  'https://hooks.example.co.uk',
  'https://münchen.example/hooks',
  'https://1e100.net/hooks',
  'https://localhost.example.com/hooks',
]

const REFUSED_URLS = [
  'http://example.com/hooks',
  'ftp://example.com/hooks',
  'javascript:alert(1)',
  'hooks',
  '//example.com/hooks',
  'https://',
  'https://example.com:8443/hooks',
  'https://example.com:80/hooks',
  'https://user:password@example.com/hooks',
  'https://user@example.com/hooks',
  // IP addresses in several spellings.
  'https://127.0.0.1/hooks',
  'https://8.8.8.8/hooks',
  'https://169.254.169.254/latest/meta-data',
  'https://10.0.0.1/',
  'https://2130706433/hooks',
  'https://0x7f000001/hooks',
  'https://0x7f.0.0.1/hooks',
  'https://0177.0.0.1/hooks',
  'https://017700000001/hooks',
  'https://127.1/hooks',
  'https://0/hooks',
  'https://１２７.０.０.１/hooks',
  'https://127。0。0。1/hooks',
  'https://①②⑦.⓪.⓪.①/hooks',
  'https://%31%32%37.0.0.1/hooks',
  'https://127.0.0.1./hooks',
  'https://127.0.0.1../hooks',
  'https://[::1]/hooks',
  'https://[::]/hooks',
  'https://[::ffff:127.0.0.1]/hooks',
  'https://[::ffff:7f00:1]/hooks',
  'https://[fd00::1]/hooks',
  'https://[fe80::1%25eth0]/hooks',
  'https://[64:ff9b::7f00:1]/hooks',
  'https://1.2.3.4.5/hooks',
  'https://example.123/hooks',
  // Names in private networks.
  'https://localhost/hooks',
  'https://LOCALHOST/hooks',
  'https://localhost./hooks',
  'https://localhost../hooks',
  'https://metadata.google.internal../',
  'https://ｌｏｃａｌｈｏｓｔ/hooks',
  'https://api.localhost/hooks',
  'https://metadata.google.internal/computeMetadata',
  'https://printer.local/hooks',
  'https://router.home.arpa/hooks',
  'https://intranet/hooks',
  'https://nas.lan/',
  'https://127.0.0.1.nip.io/hooks',
  'https://10-0-0-1.sslip.io/hooks',
  // The service itself.
  'https://groundwork.example.com/api/hooks/x',
  'https://GROUNDWORK.example.com/',
  'https://groundwork.example.com./',
  'https://groundwork.example.com.:443/',
]

const serviceOrigin = 'https://groundwork.example.com'

test.each(ALLOWED_URLS)('the URL %s is accepted', (url) => {
  for (const loopback of [false, true])
    expect(explainRefusedWebhookUrl(url, { loopback, ownUrl: serviceOrigin })).toBeUndefined()
})

test.each(REFUSED_URLS)('the URL %s is refused', (url) => {
  expect(explainRefusedWebhookUrl(url, { loopback: false, ownUrl: serviceOrigin })).toMatch(/^Must /)
})

test('receivers on the local machine are allowed only with the setting', () => {
  const reach = { loopback: true, ownUrl: 'http://localhost:8787' }
  for (const url of ['http://localhost:9000/hooks', 'http://127.0.0.1:9000', 'https://[::1]:9000/hooks']) {
    expect([url, explainRefusedWebhookUrl(url, reach)]).toEqual([url, undefined])
    expect(explainRefusedWebhookUrl(url, { ...reach, loopback: false })).toMatch(/^Must /)
  }
  for (const url of [
    'http://localhost:8787/hooks',
    'http://10.0.0.1:9000',
    'http://example.com',
    'http://[fd00::1]/',
    'ftp://localhost/',
    'http://user@localhost:9000/',
  ])
    expect([url, explainRefusedWebhookUrl(url, reach)]).toEqual([url, expect.stringMatching(/^Must /)])
})
