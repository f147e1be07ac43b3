/** Decoration in a color that somebody has typed. Shows nothing for text that names no color. */
export const ColorDot = ({ color }: { color: string | null }) =>
  color !== null && CSS.supports('color', color) ? (
    <svg class="color-dot" viewBox="0 0 8 8" aria-hidden="true">
      <circle cx="4" cy="4" r="4" fill={color} />
    </svg>
  ) : null
