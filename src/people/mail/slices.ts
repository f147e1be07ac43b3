export const MAX_RETURNED = 50_000

/**
 * Maximum recipients inserted by the accepting batch; further recipients wait in slices. A full batch reads the members
 * a second time for the slices.
 */
export const MAX_INSERTED = 52_000

/** Recipients per slice; a multiple of every chunk size, because a chunk must not span two slices. */
export const SLICE_SIZE = 2_000

/**
 * Maximum bytes of JSON with variables for a single recipient: a slice with ids stays below 2 MB, the limit of a value.
 */
export const MAX_VARIABLES_BYTES = 960
