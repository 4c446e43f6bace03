/** Markers of list items: numbers, letters, and a different character if the list would otherwise continue the one before. */
import { type Element, isElement } from "./Element.ts"

/** Largest number that can start a list in Markdown. */
const longestNumber = 999_999_999

const wholeOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\s*[-+]?\d{1,10}/.test(text) ? Number.parseInt(text, 10) : undefined

const romans: ReadonlyArray<readonly [number, string]> = [
  [1000, "m"],
  [900, "cm"],
  [500, "d"],
  [400, "cd"],
  [100, "c"],
  [90, "xc"],
  [50, "l"],
  [40, "xl"],
  [10, "x"],
  [9, "ix"],
  [5, "v"],
  [4, "iv"],
  [1, "i"]
]

export const longestRoman = 3_999

/** Lower-case Roman numeral; undefined below 1 and above {@link longestRoman}. */
export const roman = (number: number): string | undefined => {
  if (number < 1 || number > longestRoman) return undefined
  let [rest, text] = [number, ""]
  for (const [value, sign] of romans) for (; rest >= value; rest -= value) text += sign
  return text
}

const letters = (number: number): string | undefined => {
  if (number < 1) return undefined
  let text = ""
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26))
    text = String.fromCharCode(97 + ((rest - 1) % 26)) + text
  return text
}

type Counting = (number: number) => string | undefined

const upper =
  (counting: Counting): Counting =>
  (number) =>
    counting(number)?.toUpperCase()

const countings: Readonly<Record<string, Counting>> = {
  a: letters,
  A: upper(letters),
  i: roman,
  I: upper(roman),
  "lower-alpha": letters,
  "upper-alpha": upper(letters),
  "lower-latin": letters,
  "upper-latin": upper(letters),
  "lower-roman": roman,
  "upper-roman": upper(roman)
}

const countingOf = ({ attributes }: Element): Counting | undefined => {
  const style = /(?:^|[;\s])list-style(?:-type)?:\s*([\w-]+)/i.exec(attributes.style ?? "")?.[1]
  return countings[style ?? ""] ?? countings[attributes.type ?? ""]
}

/** Computes the visible label of each list item in turn, such as `3` or `iv`; undefined for a bullet. */
export class ListNumbers {
  readonly #isOrdered: boolean
  readonly #step: 1 | -1
  readonly #counting: Counting | undefined
  #number: number

  constructor(list: Element) {
    this.#isOrdered = list.name === "ol"
    const isReversed = this.#isOrdered && list.attributes.reversed !== undefined
    this.#step = isReversed ? -1 : 1
    this.#counting = this.#isOrdered ? countingOf(list) : undefined
    this.#number =
      wholeOf(list.attributes.start) ??
      (isReversed ? list.children.filter((child) => isElement(child) && child.name === "li").length : 1)
  }

  next({ attributes }: Element): string | undefined {
    if (!this.#isOrdered) return undefined
    const number = wholeOf(attributes.value) ?? this.#number
    this.#number = number + this.#step
    return this.#counting?.(number) ?? String(number)
  }
}

/** The marker of an item. A label that Markdown cannot express becomes text after a bullet. `before` is the marker of the list before. */
export const markerOf = (label: string | undefined, before: string): string => {
  const bullet = before.startsWith("-") ? "*" : "-"
  if (label === undefined) return `${bullet} `
  if (!/^\d+$/.test(label) || Number(label) > longestNumber) return `${bullet} ${label}. `
  return `${label}${/^\d+\. /.test(before) ? ")" : "."} `
}
