/** Names of tags in lowercase, from a list, a serialized list or the tags of an idea. */
export function namesOf(value: unknown): string[] {
  const list: unknown = typeof value === 'string' && value.startsWith('[') ? JSON.parse(value) : value
  return (Array.isArray(list) ? list : []).map((one) =>
    String(one !== null && typeof one === 'object' && 'key' in one ? one.key : one).toLowerCase(),
  )
}
