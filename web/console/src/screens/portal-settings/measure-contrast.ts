type Rgb = readonly [number, number, number]

export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/.test(text)

let context: CanvasRenderingContext2D | null = null

/** A computed color, such as `oklch(0.5 0.1 170)`, as the screen shows it. */
function toRgb(color: string): Rgb {
  context ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (!context) return [0, 0, 0]
  context.fillStyle = color
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
  return [red, green, blue]
}

/** Relative luminance of WCAG 2.2. */
function luminanceOf(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function contrastOf(one: string, other: string): number {
  const [low = 0, high = 0] = [luminanceOf(toRgb(one)), luminanceOf(toRgb(other))].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

export const toHex = (color: string): string =>
  `#${toRgb(color)
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`
