import { MAX_ATTRIBUTES, MAX_ATTRIBUTES_BYTES } from '../../text/attributes'

export const TOO_MANY_ATTRIBUTES_MESSAGE = `attributes: A person has at most ${MAX_ATTRIBUTES} attributes and ${MAX_ATTRIBUTES_BYTES / 1000} kB, including the known attributes. Send fewer attributes, or null to clear some.`
