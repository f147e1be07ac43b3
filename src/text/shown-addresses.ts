/// <reference path="./punycode.d.ts" />
import { toUnicode } from 'punycode/punycode.es6.js'
import { toAsciiAddress } from './addresses'

/**
 * An address or a domain with its letters. A wrong encoding stays as it is.
 * @example showAddress('info@xn--bcher-kva.example') // 'info@bücher.example'
 */
export function showAddress(address: string): string {
  if (!/xn--/i.test(address)) return address
  try {
    const shown = toUnicode(address)
    // An encoding can hide signs, spaces and marks of direction, which no domain has.
    return toAsciiAddress(shown) === address.toLowerCase() ? shown : address
  } catch {
    return address
  }
}
