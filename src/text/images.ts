/** Image types that browsers may display inline. SVG is missing because SVG can carry scripts. */
export const INLINE_IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'] as const

export const SVG_NAME_END = '.svg'

/** An SVG has no signature, so the upload of an SVG has one of these types. */
export const SVG_UPLOAD_TYPES = ['application/xml', 'application/octet-stream'] as const

export const isSvgLogo = ({ mime, name }: { mime: string; name: string }): boolean =>
  name.toLowerCase().endsWith(SVG_NAME_END) && SVG_UPLOAD_TYPES.some((type) => type === mime)
