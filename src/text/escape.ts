const ENTITY_BY_SIGN: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITY_BY_SIGN[sign] ?? sign)
