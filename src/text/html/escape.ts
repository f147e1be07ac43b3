const ENTITY_BY_SIGN: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITY_BY_SIGN[sign] ?? sign)

// Stored HTML holds references as numbers, as the sanitizer has always written them.
const toReference = (sign: string) => `&#x${sign.charCodeAt(0).toString(16).toUpperCase()};`

/** Text of stored HTML. */
export const escapeText = (text: string): string => text.replace(/[&<]/g, toReference)

/** Value of stored HTML between quotation marks. */
export const escapeAttribute = (value: string): string => value.replace(/[&<>"'`]/g, toReference)
