declare module 'punycode/punycode.es6.js' {
  /** Decodes the domain of an address. Throws a RangeError for a wrong encoding. */
  export function toUnicode(address: string): string
}
