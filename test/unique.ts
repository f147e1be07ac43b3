/** A text that no other test has, for names, addresses and keys. */
export const createUniqueId = (): string => crypto.randomUUID()
