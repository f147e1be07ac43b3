// Leaves room for the number of the row among rows with the same id.
const MAX_DERIVED_ID_LENGTH = 180

/** The id of an issue that the file of a product and its webhook share: the address. GitLab has two addresses of an issue. */
export function toAddressId(address: unknown): string | undefined {
  if (typeof address !== 'string' || !/^https?:\S+$/.test(address)) return undefined
  const id = address.replace('/-/work_items/', '/-/issues/')
  return id.length <= MAX_DERIVED_ID_LENGTH ? id : undefined
}
