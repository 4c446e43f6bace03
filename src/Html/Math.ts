/** Converts MathML formulas to TeX, from their annotation or from their elements. Also writes powers as superscript characters. */
import { type Element, isElement, squeeze, textOf } from "./Element.ts"

const partsOf = ({ children }: Element): ReadonlyArray<Element> => children.filter(isElement)

const group = (tex: string): string => (/^(?:\w|\\[a-zA-Z]+)?$/.test(tex) ? tex : `{${tex}}`)

const between = (element: Element, marks: ReadonlyArray<string>): string =>
  partsOf(element)
    .map((part, at) => (at === 0 ? "" : (marks[at - 1] ?? " ")) + (at === 0 ? linear(part) : group(linear(part))))
    .join("")

const inner = (element: Element): string => partsOf(element).map(linear).join(" ")

const rowsOf = (element: Element): string =>
  partsOf(element)
    .map((row) => partsOf(row).map(inner).join(" & "))
    .join(" \\\\ ")

/** Converts MathML elements to TeX, for formulas without a TeX annotation. Unknown elements become their text. */
const linear = (element: Element): string => {
  switch (element.name) {
    case "mi":
    case "mn":
    case "mo":
    case "ms":
      return squeeze(textOf(element))
    case "mtext":
      return `\\text{${squeeze(textOf(element))}}`
    case "mfrac": {
      const [above, below] = partsOf(element)
      return above === undefined || below === undefined ? "" : `\\frac{${linear(above)}}{${linear(below)}}`
    }
    case "msqrt":
      return `\\sqrt{${inner(element)}}`
    case "mroot": {
      const [base, index] = partsOf(element)
      return base === undefined || index === undefined ? "" : `\\sqrt[${linear(index)}]{${linear(base)}}`
    }
    case "msup":
    case "mover":
      return between(element, ["^"])
    case "msub":
    case "munder":
      return between(element, ["_"])
    case "msubsup":
    case "munderover":
      return between(element, ["_", "^"])
    case "mtable":
      return `\\begin{matrix} ${rowsOf(element)} \\end{matrix}`
    case "annotation":
    case "annotation-xml":
    case "mphantom":
      return ""
    default:
      return inner(element)
  }
}

const annotationIn = (element: Element): string | undefined => {
  for (const child of partsOf(element)) {
    const tex = /tex$/i.test(child.attributes.encoding ?? "") ? textOf(child) : annotationIn(child)
    if (tex !== undefined) return tex
  }
  return undefined
}

/** The formula of a `<math>` between `$` signs, or `$$` if it is displayed as a block; empty if there is no formula. */
export const formulaOf = (math: Element): string => {
  const tex = squeeze(annotationIn(math) ?? math.attributes.alttext ?? linear(math))
  const mark = math.attributes.display === "block" ? "$$" : "$"
  return tex === "" ? "" : mark + tex + mark
}

const maxSteps = 3

const holdsFormula = (element: Element, steps: number): boolean =>
  element.name === "math" ||
  (steps > 0 && element.children.some((child) => isElement(child) && !child.dropped && holdsFormula(child, steps - 1)))

/** True for the drawing of a formula beside its MathML; it is hidden from screen readers. */
export const drawsFormula = (element: Element): boolean =>
  element.attributes["aria-hidden"] === "true" &&
  element.parent !== undefined &&
  element.parent.children.some(
    (child) => isElement(child) && child !== element && !child.dropped && holdsFormula(child, maxSteps)
  )

/** Superscript characters by character, so that 10 to the third power does not become 103. */
const raised: Readonly<Record<string, string>> = Object.fromEntries(
  [..."0123456789+-−()n"].map((character, at) => [character, [..."⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾ⁿ"][at] ?? ""])
)

const maxPower = 8

/** The text in superscript characters; undefined if one of its characters has no superscript form. */
export const raisedText = (text: string): string | undefined => {
  const power = [...text.trim()].map((character) => raised[character])
  return power.length === 0 || power.length > maxPower || power.includes(undefined) ? undefined : power.join("")
}
