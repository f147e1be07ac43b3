// No known number is longer.
const MAX_NUMBER_LENGTH = 40
const PLAIN_PATTERN = /^[+-]?\d+(?:\.\d+)?$/
const COMMA_GROUPS_PATTERN = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/
const POINT_GROUPS_PATTERN = /^[+-]?\d{1,3}(?:\.\d{3})+,\d+$|^[+-]?\d{1,3}(?:\.\d{3}){2,}$/
const COMMA_DECIMAL_PATTERN = /^[+-]?\d+,\d+$/
const GROUP_SPACES_PATTERN = /(?<=\d)[\s'’](?=\d{3}(?!\d))/g

/** Reads a decimal comma, thousands separators and a percent sign. Other texts stay unchanged. */
export function parseNumberCell(text: string): string {
  if (text.length > MAX_NUMBER_LENGTH) return text
  const number = text.replace(/\s?%$/, '').replace(GROUP_SPACES_PATTERN, '')
  if (PLAIN_PATTERN.test(number)) return number
  if (COMMA_GROUPS_PATTERN.test(number)) return number.replaceAll(',', '')
  if (POINT_GROUPS_PATTERN.test(number)) return number.replaceAll('.', '').replace(',', '.')
  return COMMA_DECIMAL_PATTERN.test(number) ? number.replace(',', '.') : text
}
