/** Images that carry no script: a browser may show them in place. Never SVG. */
export const SHOWN_IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'] as const
