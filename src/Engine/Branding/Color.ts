/** Parses CSS colors, and finds colors in the custom properties of a site. */
import { type DeclaredStyle, substitute } from "./Cascade.ts"

export interface Rgb {
  /** All four components range from 0 to 1. */
  readonly red: number
  readonly green: number
  readonly blue: number
  readonly alpha: number
}

/** Named colors of CSS Color 4. */
const named: ReadonlyMap<string, string> = new Map(
  (
    "aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 black 000000 " +
    "blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00 " +
    "chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b darkcyan 008b8b " +
    "darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f " +
    "darkorange ff8c00 darkorchid 9932cc darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f " +
    "darkslategrey 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 " +
    "dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff " +
    "gold ffd700 goldenrod daa520 gray 808080 green 008000 greenyellow adff2f grey 808080 honeydew f0fff0 hotpink ff69b4 indianred cd5c5c " +
    "indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 " +
    "lightcoral f08080 lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 " +
    "lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899 lightsteelblue b0c4de " +
    "lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000 mediumaquamarine 66cdaa mediumblue 0000cd " +
    "mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371 mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc " +
    "mediumvioletred c71585 midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 " +
    "oldlace fdf5e6 olive 808000 olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 " +
    "paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd powderblue b0e0e6 " +
    "purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 " +
    "seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 " +
    "snow fffafa springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee " +
    "wheat f5deb3 white ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32"
  )
    .match(/[a-z]+ [0-9a-f]{6}/g)
    ?.map((pair) => pair.split(" ") as [string, string]) ?? []
)

const clamp = (value: number): number => Math.min(1, Math.max(0, value))

const fromHex = (digits: string): Rgb | undefined => {
  const long = digits.length <= 4 ? digits.replace(/./g, "$&$&") : digits
  if (long.length !== 6 && long.length !== 8) return undefined
  const at = (from: number) => Number.parseInt(long.slice(from, from + 2), 16) / 255
  return { red: at(0), green: at(2), blue: at(4), alpha: long.length === 8 ? at(6) : 1 }
}

const fromHsl = (hue: number, saturation: number, lightness: number, alpha: number): Rgb => {
  const spread = saturation * Math.min(lightness, 1 - lightness)
  const channel = (offset: number) => {
    const place = (((offset + hue / 30) % 12) + 12) % 12
    return clamp(lightness - spread * Math.max(-1, Math.min(place - 3, 9 - place, 1)))
  }
  return { red: channel(0), green: channel(8), blue: channel(4), alpha }
}

const fromHwb = (hue: number, white: number, black: number, alpha: number): Rgb => {
  const rest = Math.max(0, 1 - white - black)
  const pure = fromHsl(hue, 1, 0.5, alpha)
  const mix = (channel: number) => clamp(channel * rest + white)
  return { red: mix(pure.red), green: mix(pure.green), blue: mix(pure.blue), alpha }
}

/** Converts with the matrices of CSS Color 4. */
const fromOklab = (lightness: number, a: number, b: number, alpha: number): Rgb => {
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const curve = (linear: number) =>
    clamp(linear <= 0.0031308 ? 12.92 * linear : 1.055 * Math.max(0, linear) ** (1 / 2.4) - 0.055)
  return {
    red: curve(4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short),
    green: curve(-1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short),
    blue: curve(-0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short),
    alpha
  }
}

/** Value of a number, or of a percentage of `whole`. */
const amount = (text: string | undefined, whole: number): number =>
  text === undefined || text === "none"
    ? 0
    : text.endsWith("%")
      ? (Number.parseFloat(text) / 100) * whole
      : Number.parseFloat(text)

const turns: Readonly<Record<string, number>> = { deg: 1, rad: 180 / Math.PI, grad: 0.9, turn: 360 }

const angle = (text: string | undefined): number => {
  const [, number, unit] = /^(-?[\d.]+)(deg|rad|grad|turn)?$/.exec(text ?? "") ?? []
  return Number(number ?? 0) * (turns[unit ?? "deg"] ?? 1)
}

const fromFunction = (name: string, inner: string): Rgb | undefined => {
  const [x, y, z, last] = inner.split(/[\s,/]+/).filter((text) => text !== "")
  if (z === undefined || ![x, y, z].every((text) => /^-?[\d.]|^none$/.test(text ?? ""))) return undefined
  const alpha = last === undefined || !/^[\d.]/.test(last) ? 1 : clamp(amount(last, 1))
  const share = (text: string | undefined) =>
    clamp((text?.endsWith("%") ? amount(text, 1) : amount(text, 1) / 100) || 0)
  switch (name) {
    case "rgb":
    case "rgba":
      return {
        red: clamp(amount(x, 255) / 255),
        green: clamp(amount(y, 255) / 255),
        blue: clamp(amount(z, 255) / 255),
        alpha
      }
    case "hsl":
    case "hsla":
      return fromHsl(angle(x), share(y), share(z), alpha)
    case "hwb":
      return fromHwb(angle(x), share(y), share(z), alpha)
    case "oklab":
      return fromOklab(amount(x, 1), amount(y, 0.4), amount(z, 0.4), alpha)
    case "oklch": {
      const chroma = amount(y, 0.4)
      const hue = (angle(z) * Math.PI) / 180
      return fromOklab(amount(x, 1), chroma * Math.cos(hue), chroma * Math.sin(hue), alpha)
    }
    default:
      return undefined
  }
}

const bareHsl = /^-?[\d.]+(?:deg)?[\s,]+[\d.]+%[\s,]+[\d.]+%$/
const bareRgb = /^\d{1,3}[\s,]+\d{1,3}[\s,]+\d{1,3}$/

/** Parses a color; undefined if it is invalid or depends on the context, like `currentcolor`. */
export const parseColor = (text: string): Rgb | undefined => {
  const value = text.trim().toLowerCase()
  if (value.length > 200) return undefined
  if (value.startsWith("#")) return /^#[0-9a-f]+$/.test(value) ? fromHex(value.slice(1)) : undefined
  const name = named.get(value)
  if (name !== undefined) return fromHex(name)
  // Custom properties often hold only the arguments of hsl() or rgb().
  if (bareHsl.test(value)) return fromFunction("hsl", value)
  if (bareRgb.test(value)) return fromFunction("rgb", value)
  const [, called, inner] = /^([a-z]+)\(([^()]*)\)$/.exec(value) ?? []
  const color = called === undefined || inner === undefined ? undefined : fromFunction(called, inner)
  return color !== undefined && [color.red, color.green, color.blue, color.alpha].every(Number.isFinite)
    ? color
    : undefined
}

const token = /#[0-9a-f]{3,8}\b|[a-z]+\([^()]*\)|[a-z]+/gi

/** The first color in a shorthand such as `1px solid red`. */
export const findColor = (text: string): Rgb | undefined => {
  const whole = parseColor(text)
  if (whole !== undefined) return whole
  for (const [part] of text.slice(0, 1_000).matchAll(token)) {
    const color = parseColor(part)
    if (color !== undefined) return color
  }
  return undefined
}

const channel = (value: number, alpha: number): string =>
  Math.round((value * alpha + (1 - alpha)) * 255)
    .toString(16)
    .padStart(2, "0")

/** The color over white as `#RRGGBB`; undefined if it is nearly transparent. */
export const toHex = (color: Rgb | undefined): string | undefined =>
  color === undefined || color.alpha < 0.1
    ? undefined
    : `#${channel(color.red, color.alpha)}${channel(color.green, color.alpha)}${channel(color.blue, color.alpha)}`.toUpperCase()

/** Relative luminance by WCAG: 0 is black, 1 is white. */
export const luminance = (hex: string): number => {
  const color = fromHex(hex.slice(1))
  const linear = (value = 0) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
  return 0.2126 * linear(color?.red) + 0.7152 * linear(color?.green) + 0.0722 * linear(color?.blue)
}

/** False for white, black and grays. */
export const isColorful = (hex: string): boolean => {
  const { blue = 0, green = 0, red = 0 } = fromHex(hex.slice(1)) ?? {}
  return Math.max(red, green, blue) - Math.min(red, green, blue) > 0.12
}

/** Custom properties in which sites and frameworks store each color, without `--`. */
const colorVariables = {
  primary: [
    "primary",
    "color-primary",
    "primary-color",
    "brand",
    "brand-color",
    "color-brand",
    "brand-primary",
    "bs-primary",
    "theme-primary",
    "md-sys-color-primary",
    "wp--preset--color--primary",
    "color-primary-500",
    "primary-500",
    "main-color"
  ],
  secondary: [
    "secondary",
    "color-secondary",
    "secondary-color",
    "brand-secondary",
    "bs-secondary",
    "md-sys-color-secondary",
    "wp--preset--color--secondary"
  ],
  accent: [
    "accent",
    "color-accent",
    "accent-color",
    "brand-accent",
    "highlight",
    "md-sys-color-tertiary",
    "wp--preset--color--accent"
  ],
  background: [
    "background",
    "color-background",
    "background-color",
    "bg",
    "color-bg",
    "bg-color",
    "body-bg",
    "bs-body-bg",
    "md-sys-color-background"
  ],
  textPrimary: [
    "text",
    "color-text",
    "text-color",
    "text-primary",
    "color-text-primary",
    "foreground",
    "color-foreground",
    "body-color",
    "bs-body-color"
  ],
  textSecondary: [
    "text-secondary",
    "color-text-secondary",
    "secondary-text",
    "text-muted",
    "color-text-muted",
    "muted-foreground",
    "color-muted",
    "bs-secondary-color"
  ],
  link: ["link", "color-link", "link-color", "bs-link-color"],
  success: ["success", "color-success", "success-color", "bs-success"],
  warning: ["warning", "color-warning", "warning-color", "bs-warning"],
  error: [
    "error",
    "color-error",
    "error-color",
    "danger",
    "color-danger",
    "danger-color",
    "destructive",
    "bs-danger",
    "md-sys-color-error"
  ]
} as const

export type ColorName = keyof typeof colorVariables

/** Returns the color, as `#RRGGBB`, of the first custom property in `colorVariables` that holds a valid one. */
export const colorNamed = (variables: DeclaredStyle, color: ColorName): string | undefined => {
  for (const name of colorVariables[color]) {
    const value = variables.get(`--${name}`)
    const put = value === undefined ? undefined : substitute(value, (each) => variables.get(each))
    const found = put === undefined ? undefined : toHex(parseColor(put))
    if (found !== undefined) return found
  }
  return undefined
}
