/** Computed style of an element: colors, fonts and lengths, from its declared and inherited values. */
import type { Element } from "../../Html/Element.ts"
import { type DeclaredStyle, substitute } from "./Cascade.ts"
import { findColor, parseColor, toHex } from "./Color.ts"

export interface ComputedStyle {
  readonly color: string | undefined
  readonly background: string | undefined
  readonly borderColor: string | undefined
  readonly borderRadius: string | undefined
  readonly fontFamily: string | undefined
  readonly fontSize: string | undefined
  readonly fontWeight: number | undefined
  readonly lineHeight: string | undefined
  readonly colorScheme: string | undefined
  /** Pixels of padding, margin and gap. */
  readonly spaces: ReadonlyArray<number>
}

/** Font sizes in pixels to which relative lengths refer. */
export interface BaseSizes {
  readonly root: number
  readonly body: number
}

const length = /^(-?\d*\.?\d+)(px|rem|em|pt|%|ch|vw|vh)?$/i

/** Converts a length to pixels; undefined if it depends on the window. */
export const toPixels = (text: string, { body, root }: BaseSizes): number | undefined => {
  const [, number, unit] = text.length > 40 ? [] : (length.exec(text.trim()) ?? [])
  if (number === undefined) return undefined
  const value = Number(number)
  switch (unit?.toLowerCase()) {
    case "px":
      return value
    case "rem":
      return value * root
    case "em":
      return value * body
    case "%":
      return (value / 100) * body
    case "pt":
      return (value * 4) / 3
    case undefined:
      return value === 0 ? 0 : undefined
    default:
      return undefined
  }
}

const inPixels = (text: string | undefined, base: BaseSizes): string | undefined => {
  if (text === undefined || text.length > 100) return undefined
  const pixels = toPixels(text, base)
  // On common screens, `clamp()` evaluates to its maximum.
  const clamped = /^clamp\(.*,([^,()]+)\)$/i.exec(text)?.[1]
  if (pixels === undefined && clamped !== undefined) return inPixels(clamped, base)
  return pixels === undefined ? (/^[a-z-]+\(/i.test(text) ? text : undefined) : `${Math.round(pixels * 100) / 100}px`
}

const generic =
  /^(?:inherit|initial|unset|revert|serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-[a-z-]+|-apple-system|blinkmacsystemfont|emoji|math|apple color emoji)$/i

/** The first font family that is not generic; if all are generic, the first one. */
export const familyOf = (text: string | undefined): string | undefined => {
  const families = (text ?? "")
    .split(",")
    .map((each) => each.trim().replace(/^["']|["']$/g, ""))
    .filter((each) => each !== "" && each.length <= 100 && !/[()]/.test(each))
  const own = families.find((each) => !generic.test(each))
  return own ?? families.find((each) => !/^(?:inherit|initial|unset|revert)$/i.test(each))
}

const weightOf = (text: string | undefined): number | undefined => {
  if (text === "bold") return 700
  if (text === "normal") return 400
  const weight = Number(text)
  return Number.isInteger(weight) && weight >= 1 && weight <= 1_000 ? weight : undefined
}

/** Parts of a shorthand such as `italic 600 1.2rem/1.5 Inter, sans-serif`. */
const fontShorthand = (text: string | undefined) => {
  const [, before, size, height, family] =
    /^(.*?)([\d.]+(?:px|rem|em|pt|%))(?:\s*\/\s*([\d.]+[a-z%]*))?\s+(.+)$/i.exec((text ?? "").slice(0, 200)) ?? []
  return { size, height, family, weight: /\b(?:bold|[1-9]00)\b/.exec(before ?? "")?.[0] }
}

const spaced = [
  "padding",
  "padding-top",
  "padding-right",
  "padding-bottom",
  "padding-left",
  "margin",
  "margin-top",
  "margin-bottom",
  "gap"
]

const lineHeightOf = (text: string | undefined, base: BaseSizes): string | undefined => {
  if (text === undefined) return undefined
  return /^\d*\.?\d+$/.test(text) ? String(Number(text)) : inPixels(text, base)
}

/** Computes the style of an element; `variables` are the custom properties that it inherits. */
export const computeStyle = (style: DeclaredStyle, variables: DeclaredStyle, base: BaseSizes): ComputedStyle => {
  const valueOf = (property: string): string | undefined => {
    const declared = style.get(property)
    return declared === undefined
      ? undefined
      : substitute(declared, (name) => style.get(name) ?? variables.get(name))?.trim()
  }
  const font = fontShorthand(valueOf("font"))
  const color = valueOf("color")
  const background = valueOf("background-color") ?? valueOf("background")
  const border = valueOf("border-color") ?? valueOf("border")
  const radius = valueOf("border-radius")
  return {
    color: color === undefined ? undefined : toHex(parseColor(color)),
    background: background === undefined ? undefined : toHex(findColor(background)),
    borderColor: border === undefined ? undefined : toHex(findColor(border)),
    borderRadius:
      radius === undefined ? undefined : (inPixels(radius, base) ?? (radius.length <= 40 ? radius : undefined)),
    fontFamily: familyOf(valueOf("font-family") ?? font.family),
    fontSize: inPixels(valueOf("font-size") ?? font.size, base),
    fontWeight: weightOf(valueOf("font-weight") ?? font.weight),
    lineHeight: lineHeightOf(valueOf("line-height") ?? font.height, base),
    colorScheme: valueOf("color-scheme")?.toLowerCase(),
    spaces: spaced.flatMap((property) =>
      (valueOf(property) ?? "").split(/\s+/).flatMap((each) => {
        const pixels = toPixels(each, base)
        return pixels === undefined || pixels <= 0 ? [] : [pixels]
      })
    )
  }
}

/** Custom properties of the elements; later elements override earlier ones. */
export const variablesOf = (
  styles: ReadonlyMap<Element, DeclaredStyle>,
  ...elements: ReadonlyArray<Element>
): DeclaredStyle =>
  new Map(
    elements.flatMap((element) => [...(styles.get(element) ?? [])].filter(([property]) => property.startsWith("--")))
  )
