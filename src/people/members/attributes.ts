import { MAX_ATTRIBUTES, MAX_ATTRIBUTES_BYTES } from '../../text/attributes'

export const TOO_MANY = `attributes: A person has at most ${MAX_ATTRIBUTES}, which take ${MAX_ATTRIBUTES_BYTES / 1000} kB at most; with those that are known it would be more. Send fewer, or null for some to clear them.`
