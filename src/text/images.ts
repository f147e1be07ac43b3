/** Image types that browsers may display inline. SVG is missing because SVG can carry scripts. */
export const INLINE_IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'] as const
