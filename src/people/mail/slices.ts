/** As many recipients as an answer names. */
export const MAX_ANSWERED = 50_000

/** Rows of a mailing that are written in the batch that accepts it; whoever else gets it waits in slices. Where they are all used, the members are read again. */
export const MAX_FROZEN = 52_000

/** Recipients of a slice. A chunk never lies in two. */
export const SLICE = 2_000

/** Bytes of JSON that a room may say to one recipient alone: with their ids, a slice of them stays below the 2 MB of one value. */
export const MAX_OWN_BYTES = 960
