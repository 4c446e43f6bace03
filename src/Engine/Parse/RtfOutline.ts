/** Gives RTF paragraphs with an outline level the style that says the same: the library knows headings by their style. */

/** Far above the numbers that programs give their styles. */
const firstStyle = 9000

const outline = /\\outlinelevel([0-8])(?!\d)/g

/** A paragraph's own style is better known than a level: nothing is added to it, nor to the sheet of styles itself. */
const isStyled = (text: string, at: number): boolean => {
  const before = text.slice(Math.max(0, at - 400), at)
  return /\\s\d/.test(before.slice(Math.max(0, before.lastIndexOf("\\pard"))))
}

const entry = (level: string): string =>
  `{\\s${firstStyle + Number(level)}\\outlinelevel${level} heading ${Number(level) + 1};}`

/** Headings that are marked by their level alone, as converters write them, become headings by style. */
export const withHeadingStyles = (bytes: Buffer): Buffer => {
  if (!bytes.includes("\\outlinelevel")) return bytes
  const text = bytes.toString("latin1")
  const levels = new Set<string>()
  const styled = text.replace(outline, (word: string, level: string, at: number) => {
    if (isStyled(text, at)) return word
    levels.add(level)
    return `${word}\\s${firstStyle + Number(level)}`
  })
  if (levels.size === 0) return bytes
  const entries = [...levels].map(entry).join("")
  const withSheet = styled.includes("{\\stylesheet")
    ? styled.replace("{\\stylesheet", (start) => start + entries)
    : styled.replace(/^\s*\{\\rtf\d*/, (start) => `${start}{\\stylesheet${entries}}`)
  return Buffer.from(withSheet, "latin1")
}
