/** Code blocks: their lines, their language, and the columns of line numbers beside them. */

import { type Element, isElement, tagTest, textOf, trimmedLength } from "./Element.ts"
import { collapse } from "./Serialize.ts"
import { noAttributes } from "./Tokenizer.ts"

/** Classes that highlighters and editors give to line numbers. */
const gutterClass =
  /(?:^|[\s_-])(?:line-?no(?:s|de)?|line-?numbers?(?:-rows)?|gutters?|gutterElement|ln|lnt|blob-num|hljs-ln-(?:numbers|n|line)|crayon-nums?|nums?|data-line-number)(?=$|[\s_-])/i

const isGutter = (element: Element): boolean => {
  const { attributes } = element
  if (attributes === noAttributes) return false
  const isNamed =
    gutterClass.test(attributes.class ?? "") ||
    /user-select:\s*none/.test(attributes.style ?? "") ||
    attributes["data-line-number"] !== undefined
  if (codeCell.test(attributes.class ?? "")) return false
  return isNamed && /^[\s\d.:|]*$/.test(textOf(element))
}

const styled = (element: Element, pattern: RegExp): boolean => pattern.test(element.attributes.style ?? "")

const breaksLines = (element: Element): boolean =>
  (element.layout === "block" && !styled(element, /(?:^|;)\s*display:\s*inline/i)) ||
  styled(element, /(?:^|;)\s*display:\s*(?:block|flex|grid|table-row)/i)

const keepsSpaces = (element: Element): boolean =>
  element.name === "pre" || styled(element, /(?:^|;)\s*white-space:\s*(?:pre|pre-wrap|break-spaces)\s*(?:;|$)/i)

const tableParts = new Set(["table", "thead", "tbody", "tfoot", "tr"])

/** True for white space between block elements, which only indents the markup. */
const isBetweenBlocks = ({ children, name }: Element, at: number): boolean => {
  const text = children[at]
  if (typeof text !== "string" || trimmedLength(text) > 0) return false
  if (tableParts.has(name)) return true
  if (name === "pre" || name === "code") return false
  return [children[at - 1], children[at + 1]].some((side) => side !== undefined && isElement(side) && breaksLines(side))
}

/** Collects the lines of code, whether they end by a line break in the text, by `<br>` or by a block. */
class Lines {
  readonly #parts: Array<string> = []
  #isLineStart = true
  /** Number of line ends that come from the markup. */
  breaks = 0
  /** The last line was ended by a block: a line break at the start of the following text is the same line end. */
  #isImplied = false

  add(element: Element, isKept: boolean): void {
    const { children } = element
    // Highlighted code has a hundred thousand children, for each of which `entries()` would make an array.
    for (let at = 0; at < children.length; at++) {
      const child = children[at] as Element | string
      if (!isElement(child)) {
        if (!isBetweenBlocks(element, at)) this.#addText(child, isKept)
      } else if (child.name === "br") this.#end()
      else if (!child.dropped && child.layout !== "unseen" && child.name !== "button" && !isGutter(child))
        this.#addElement(element, child, isKept || keepsSpaces(child))
    }
  }

  #addElement(parent: Element, element: Element, isKept: boolean): void {
    if (!breaksLines(element)) {
      this.add(element, isKept)
      return
    }
    const isCell = element.name === "td" || element.name === "th"
    if (!isCell) this.#endLine()
    const from = this.#parts.length
    this.add(element, isKept)
    if (isCell) return
    const isBlank = this.#parts.length === from && !element.children.some(isElement)
    if (
      isBlank &&
      parent.children.some((other) => isElement(other) && other !== element && other.name === element.name)
    )
      this.#end()
    else if (this.#parts.length === from && element.name === "tr") this.#end()
    else this.#endLine()
    this.#isImplied = this.#isLineStart
  }

  #addText(text: string, isKept: boolean): void {
    const line = isKept ? (this.#isImplied ? text.replace(/^[^\S\n]*\r?\n/, "") : text) : collapse(text)
    const added = !isKept && this.#isLineStart ? line.replace(/^[ \n]+/, "") : line
    if (added === "") return
    this.#isImplied = false
    this.#isLineStart = added.endsWith("\n")
    this.#parts.push(added.includes("\u00a0") ? added.replaceAll("\u00a0", " ") : added)
  }

  #end(): void {
    this.#parts.push("\n")
    this.breaks++
    this.#isLineStart = true
    this.#isImplied = false
  }

  #endLine(): void {
    if (this.#isLineStart) return
    this.#end()
    this.#isImplied = true
  }

  get text(): string {
    return this.#parts.join("")
  }
}

/** Text of a code block, with its lines. */
export const codeText = (element: Element): string => {
  const lines = new Lines()
  lines.add(element, true)
  return lines.text
}

/** Lines of code in running text: several where the markup ends lines. */
export const codeLines = (element: Element): ReadonlyArray<string> => {
  if (!element.children.some(isElement) && element.attributes === noAttributes) return [collapse(textOf(element))]
  const lines = new Lines()
  const isKept = keepsSpaces(element)
  lines.add(element, isKept)
  return lines.breaks === 0 && !isKept && !holdsKept(element, 3) ? [lines.text] : lines.text.split("\n")
}

const holdsKept = (element: Element, depth: number): boolean =>
  element.children.some(
    (child) => isElement(child) && (keepsSpaces(child) || (depth > 0 && holdsKept(child, depth - 1)))
  )

/** Classes of boxes that show code without `<pre>`: editors, and highlighters that put the lines into a table. */
const boxClass =
  /(?:^|\s)(?:cm-editor|CodeMirror-code|CodeMirror|ace_editor|monaco-editor|syntaxhighlighter|js-file-line-container|crayon-table|hljs-ln|dp-highlighter|blob-code-table)(?=$|\s)/

const codeCell = /(?:^|\s)(?:blob-code|hljs-ln-code|js-file-line|code-line|line-code)(?=$|\s)/

/** Elements that show that a block has more than lines of code. */
const prose = new Set([
  "p",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "ul",
  "ol",
  "dl",
  "table",
  "img",
  "form",
  "article",
  "section"
])

const holds = (element: Element, test: (element: Element) => boolean, depth: number): boolean =>
  element.children.some(
    (child) => isElement(child) && !child.dropped && (test(child) || (depth > 0 && holds(child, test, depth - 1)))
  )

const namesBox = tagTest(
  ({ attributes }) =>
    boxClass.test(attributes.class ?? "") ||
    /(?:^|;)\s*white-space:\s*(?:pre|pre-wrap|break-spaces)\s*(?:;|$)/i.test(attributes.style ?? "")
)

const isMonospaced = (element: Element): boolean =>
  styled(element, /white-space:\s*pre\s*(?:;|$)/i) || styled(element, /monospace|courier|consolas|menlo/i)

/** True for an element that shows code without being a `<pre>`. */
export const isCodeBox = (element: Element): boolean => {
  if (element.name === "table" && holds(element, isCodeCell, 3)) return true
  if (!namesBox(element) || !breaksLines(element)) return false
  if (boxClass.test(element.attributes.class ?? "")) return true
  return isMonospaced(element) && !holds(element, ({ name }) => prose.has(name), 4)
}

const isCodeCell = ({ attributes, name }: Element): boolean => name === "td" && codeCell.test(attributes.class ?? "")

const languageClass =
  /(?:^|\s)(?:language-|lang[-:]\s*|highlight-source-|highlight-|brush:\s*|hljs\s+(?:language-)?|sourceCode\s+|programlisting\s+|syntaxhighlighter\s+(?:nogutter\s+)?)([\w+#.-]+)/

/** Matches the language in `<code class="python hljs">`. */
const beforeHighlighter = /^\s*([\w+#.-]+)\s+hljs\s*$/

/** Words in classes of code blocks that are not languages. */
const noLanguage = new Set(
  "default none text plain plaintext source block wrapper container nohighlight no-highlight undefined null auto".split(
    " "
  )
)

/** Programming languages whose names could also be codes of spoken languages, in the `lang` of `<pre>`. */
const shortLanguages = new Set(
  "c r d js ts py rb go cs sh md php sql css xml lua jsx tsx cpp vb pl rs kt ini".split(" ")
)

const declared = ({ attributes, name }: Element): string | undefined => {
  const { lang } = attributes
  if (lang !== undefined && name === "pre" && (/^[a-z+#]{4,}$/.test(lang) || shortLanguages.has(lang))) return lang
  return attributes["data-lang"] ?? attributes["data-language"] ?? attributes["data-enlighter-language"]
}

const named = (element: Element): string | undefined => {
  const { attributes } = element
  if (attributes === noAttributes) return undefined
  const classes = attributes.class ?? ""
  const name = declared(element) ?? languageClass.exec(classes)?.[1] ?? beforeHighlighter.exec(classes)?.[1]
  return name === undefined || !/^[\w+#.-]+$/.test(name) ? undefined : name
}

/** Language of a code block, from the attributes of the element, of the `<code>` in it, or of the elements directly around it. */
export const codeLanguage = (element: Element): string => {
  const inner = element.children.find((child): child is Element => isElement(child) && child.name === "code")
  for (const candidate of [inner, element, element.parent, element.parent?.parent]) {
    const found = candidate === undefined ? undefined : named(candidate)
    if (found !== undefined)
      return noLanguage.has(found) && (candidate !== inner || found.startsWith("no"))
        ? ""
        : found.replace(/^python3$/, "python")
  }
  return ""
}

/** True for line numbers in the table cell beside the code. */
export const isLineNumbers = (element: Element, text: string): boolean => {
  let cell: Element | undefined = element.parent
  while (cell !== undefined && cell.name !== "td" && cell.layout !== "block") cell = cell.parent
  if (cell?.name !== "td" || cell.parent === undefined) return false
  const numbers = text.trim().split(/\s+/)
  if (!numbers.every((number, at) => Number(number) === Number(numbers[0]) + at)) return false
  return cell.parent.children.some((other) => isElement(other) && other !== cell && holdsCode(other, 4))
}

const holdsCode = (element: Element, depth: number): boolean =>
  element.name === "pre" ||
  (depth > 0 && element.children.some((child) => isElement(child) && holdsCode(child, depth - 1)))
