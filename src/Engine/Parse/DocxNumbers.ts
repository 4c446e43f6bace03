/**
 * Computes the heading numbers of a DOCX file as Word shows them, because anydoc, which reads the file, ignores the list levels of styles.
 */
import { longestRoman, roman } from "../../Html/Lists.ts"
import type { Block, Inline } from "./Tree.ts"
import { decodeXml } from "./Xml.ts"
import { type Entry, readPart } from "./Zip.ts"

const maxPart = 64 * 1024 * 1024

interface Level {
  readonly start: number
  readonly format: string
  readonly text: string
  /** True if the label shows the numbers of all levels as decimals. */
  readonly isLegal: boolean
}

interface List {
  /** Lists with the same definition share counters. */
  readonly definition: string
  /** First numbers of levels whose counter the list starts again. */
  readonly restarts: ReadonlyMap<number, number>
}

interface Numbering {
  /** Lists by their number. */
  readonly lists: ReadonlyMap<string, List>
  readonly levels: ReadonlyMap<string, ReadonlyMap<number, Level>>
  /** List level of a style; the key is `definition style`. */
  readonly ofStyle: ReadonlyMap<string, number>
}

/** List and level that a paragraph or a style refers to. */
interface ListPosition {
  readonly list: string | undefined
  readonly level: number | undefined
}

/** Value of an element. The length of matches is limited, so that broken XML takes linear time. */
const value = (xml: string, element: string): string | undefined =>
  new RegExp(`<w:${element}\\s[^>]{0,500}?w:val="([^"]{0,1000})"`).exec(xml)?.[1]

/** True if the element is there and not switched off. */
const isOn = (xml: string, element: string): boolean => {
  const tag = new RegExp(`<w:${element}(?=[\\s/>])[^>]{0,500}>`).exec(xml)?.[0]
  return tag !== undefined && !/w:val="(?:0|false|off)"/.test(tag)
}

/** Finds elements that cannot be nested, in linear time. */
const blocksIn = (xml: string, element: string): ReadonlyArray<readonly [whole: string, attributes: string]> =>
  xml.split(`</w:${element}>`).flatMap((piece) => {
    const start = piece.indexOf(`<w:${element} `)
    const end = piece.indexOf(">", start)
    return start < 0 || end < 0 ? [] : [[piece.slice(start), piece.slice(start, end)] as const]
  })

/** Finds paragraphs; for nested ones only the innermost. */
const paragraphsIn = (xml: string): ReadonlyArray<string> =>
  xml.split("</w:p>").flatMap((piece) => {
    const start = Math.max(piece.lastIndexOf("<w:p "), piece.lastIndexOf("<w:p>"))
    return start < 0 ? [] : [piece.slice(start)]
  })

const attribute = (attributes: string, name: string): string =>
  new RegExp(`w:${name}="([^"]{0,1000})"`).exec(attributes)?.[1] ?? ""

/** Lists have nine levels, from 0. */
const maxLevel = 8

const numberingOf = (xml: string): Numbering => {
  const levels = new Map<string, ReadonlyMap<number, Level>>()
  const ofStyle = new Map<string, number>()
  for (const [abstract, attributes] of blocksIn(xml, "abstractNum")) {
    const id = attribute(attributes, "abstractNumId")
    const own = new Map<number, Level>()
    for (const [level, place] of blocksIn(abstract, "lvl")) {
      const index = Number(attribute(place, "ilvl"))
      if (!(index >= 0 && index <= maxLevel)) continue
      const style = value(level, "pStyle")
      if (style !== undefined) ofStyle.set(`${id} ${style}`, index)
      own.set(index, {
        start: Number(value(level, "start") ?? 1),
        format: value(level, "numFmt") ?? "decimal",
        text: value(level, "lvlText") ?? "",
        isLegal: isOn(level, "isLgl")
      })
    }
    levels.set(id, own)
  }
  const lists = new Map(
    blocksIn(xml, "num").map(([list, attributes]): [string, List] => {
      const restarts = blocksIn(list, "lvlOverride").flatMap(([level, place]): ReadonlyArray<[number, number]> => {
        const start = value(level, "startOverride")
        return start === undefined ? [] : [[Number(attribute(place, "ilvl")), Number(start)]]
      })
      return [
        attribute(attributes, "numId"),
        { definition: value(list, "abstractNumId") ?? "", restarts: new Map(restarts) }
      ]
    })
  )
  return { lists, levels, ofStyle }
}

const positionIn = (properties: string): ListPosition => {
  const [numbers] = /<w:numPr>[\s\S]{0,2000}?<\/w:numPr>/.exec(properties) ?? []
  const level = numbers === undefined ? undefined : value(numbers, "ilvl")
  return {
    list: numbers === undefined ? undefined : value(numbers, "numId"),
    level: level === undefined ? undefined : Number(level)
  }
}

/** Returns the list position of each style, inherited from its base styles. */
const stylesOf = (xml: string): ((style: string) => ListPosition) => {
  const styles = new Map(
    blocksIn(xml, "style").map(([style, attributes]) => [
      attribute(attributes, "styleId"),
      { ...positionIn(style), base: value(style, "basedOn") }
    ])
  )
  const look = (style: string, depth: number): ListPosition => {
    const own = styles.get(style)
    if (own === undefined || depth > 20) return { list: undefined, level: undefined }
    const base = own.base === undefined ? undefined : look(own.base, depth + 1)
    return { list: own.list ?? base?.list, level: own.level ?? base?.level }
  }
  return (style) => look(style, 0)
}

/** Text without white space, for comparison: XML and blocks may split the same words differently. */
const keyOf = (text: string): string => text.replace(/\s+/g, "")

const wordsIn = (paragraph: string): string =>
  decodeXml([...paragraph.matchAll(/<w:t(?:\s[^>]{0,500})?>([^<]*)<\/w:t>/g)].map(([, text = ""]) => text).join(""))

/** Returns text and label of each numbered paragraph, in order. */
const labelsOf = (
  bytes: Buffer,
  parts: ReadonlyArray<Entry>
): ReadonlyArray<readonly [words: string, label: string]> => {
  const part = (name: string) => readPart(bytes, parts, `word/${name}.xml`, maxPart) ?? ""
  const { levels: definitions, lists, ofStyle } = numberingOf(part("numbering"))
  const positionOf = stylesOf(part("styles"))
  const counters = new Map<string, Array<number | undefined>>()
  /** Lists and levels that have started again. */
  const restarted = new Set<string>()
  const labels: Array<readonly [string, string]> = []
  for (const paragraph of paragraphsIn(part("document"))) {
    const [properties = ""] = paragraph.split("</w:pPr>", 1)
    const style = value(properties, "pStyle") ?? ""
    const [own, styled] = [positionIn(properties), positionOf(style)]
    const number = own.list ?? styled.list ?? ""
    const list = lists.get(number)
    const levels = list === undefined ? undefined : definitions.get(list.definition)
    const index = own.level ?? ofStyle.get(`${list?.definition} ${style}`) ?? styled.level ?? 0
    const level = levels?.get(index)
    if (list === undefined || levels === undefined || level === undefined) continue
    const startOf = (at: number): number => list.restarts.get(at) ?? levels.get(at)?.start ?? 1
    const counts = counters.get(list.definition) ?? []
    counters.set(list.definition, counts)
    // Outer levels that have no number yet count as being at their first number.
    for (let above = 0; above < index; above += 1) counts[above] ??= startOf(above)
    const place = `${number} ${index}`
    if (list.restarts.has(index) && !restarted.has(place)) counts[index] = undefined
    restarted.add(place)
    counts[index] = (counts[index] ?? startOf(index) - 1) + 1
    counts.length = index + 1
    const label = level.text.replace(/%(\d)/g, (_, digit: string) => {
      const at = Number(digit) - 1
      const other = levels.get(at)
      if (other === undefined) return ""
      return numeral(counts[at] ?? startOf(at), level.isLegal ? "decimal" : other.format)
    })
    if (level.format !== "bullet" && level.format !== "none") labels.push([keyOf(wordsIn(paragraph)), label])
  }
  return labels
}

/** True for a number that anydoc puts before a heading. */
const isLabel = (inline: Inline | undefined): boolean =>
  inline?.kind === "text" && /^[\p{L}\p{N}.()]{1,20}[.)]?\s$/u.test(inline.text) && /[\dIVXivxa-zA-Z]/.test(inline.text)

const wordsOf = (content: ReadonlyArray<Inline>): string =>
  content
    .map((inline) => (inline.kind === "text" ? inline.text : inline.kind === "link" ? wordsOf(inline.content) : ""))
    .join("")

/** Returns the blocks with the heading numbers that Word shows. */
export const withHeadingNumbers = (
  blocks: ReadonlyArray<Block>,
  bytes: Buffer,
  parts: ReadonlyArray<Entry>
): ReadonlyArray<Block> => {
  const numbered = (block: Block) => block.kind === "heading" && block.content.length > 1 && isLabel(block.content[0])
  if (!blocks.some(numbered)) return blocks
  const waiting = new Map<string, Array<string>>()
  for (const [words, label] of labelsOf(bytes, parts).toReversed()) {
    const labels = waiting.get(words)
    if (labels === undefined) waiting.set(words, [label])
    else labels.push(label)
  }
  return blocks.map((block) => {
    if (block.kind !== "heading" || !numbered(block)) return block
    const rest = block.content.slice(1)
    const label = waiting.get(keyOf(wordsOf(rest)))?.pop()
    if (label === undefined) return block
    return { ...block, content: label === "" ? rest : [{ kind: "text", text: `${label} `, style: {} }, ...rest] }
  })
}

const romanOf = (count: number): string => roman(Math.min(count, longestRoman)) ?? ""

const letter = (count: number): string =>
  count < 1 ? "" : String.fromCharCode(97 + ((count - 1) % 26)).repeat(Math.min(10, Math.ceil(count / 26)))

/** Formats a number; the names of formats are those of OOXML. */
export const numeral = (count: number, format: string): string => {
  switch (format) {
    case "upperRoman":
      return romanOf(count).toUpperCase()
    case "lowerRoman":
      return romanOf(count)
    case "upperLetter":
      return letter(count).toUpperCase()
    case "lowerLetter":
      return letter(count)
    case "decimalZero":
      return String(count).padStart(2, "0")
    default:
      return String(count)
  }
}
