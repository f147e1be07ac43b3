export const MAX_RETURNED_ADDRESSES = 50_000

/** Further recipients wait in slices. A full batch reads the members a second time for the slices. */
export const MAX_INSERTED_RECIPIENTS = 52_000

/** A multiple of every chunk size, because a chunk must not span two slices. */
export const RECIPIENTS_PER_SLICE = 2_000

/** Bytes of JSON with variables for a recipient: a slice with ids stays below 2 MB, the limit of a value. */
export const MAX_VARIABLES_BYTES = 960
