/** Writes a tree as CommonMark with pipe tables. */
import { codeSpan, lineOf, type Mark, type Piece } from "../../Html/Emphasis.ts"
import { escapeHeadingEnd, escapeLineStart, fenceFor, isBalanced } from "../../Html/MarkdownEscape.ts"
import { imagePlaceholder } from "../../Html/PageUrls.ts"
import type { Block, Cell, Inline, Item, Style, Tree } from "./Tree.ts"

/** Characters to escape because they could be markup. */
const markup = /[\\*`]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|~(?=~)|(?<=~)~|\](?=[([])/gu
/** Characters to escape in a link, whose text would end at a lone bracket. */
const linkMarkup = new RegExp(`${markup.source}|[[\\]]`, "gu")
/** The white space before a line, and the line. */
const textLines = /^([^\S\n]*)(\S.*)/gm

/** Escaped as entities rather than with a backslash, so that programs that strip tags also keep them. */
const entities = /<(?=[a-zA-Z/!?])|&(?=#?\w{1,32};)/g

/** Quick test: most strings need no escape, and sheets may have a million cells. */
const special = /[\\*`_\]<&~]/

const escapeText = (text: string, link = false): string => {
  const brackets = link && !isBalanced(text)
  if (!brackets && !special.test(text)) return text
  return text
    .replace(entities, (mark) => (mark === "<" ? "&lt;" : "&amp;"))
    .replace(brackets ? linkMarkup : markup, "\\$&")
}

const escapeStarts = (text: string): string =>
  text.replace(textLines, (_, space: string, line: string) => space + escapeLineStart(line))

const escapeHref = (href: string): string =>
  href !== imagePlaceholder && /[\s<>()]/.test(href)
    ? href.replace(/[\s<>()]/g, (char) => encodeURIComponent(char).replace("(", "%28").replace(")", "%29"))
    : href

const sameStyle = (a: Style, b: Style): boolean =>
  !a.bold === !b.bold && !a.italic === !b.italic && !a.strike === !b.strike && !a.code === !b.code

/** Joins runs of the same style: `**a****b**` is not bold. */
const mergeRuns = (content: ReadonlyArray<Inline>): ReadonlyArray<Inline> => {
  const merged: Array<Inline> = []
  for (const inline of content) {
    const last = merged[merged.length - 1]
    if (inline.kind === "text" && last?.kind === "text") {
      // White space shows no style, so it takes the style of the run before it.
      if (sameStyle(last.style, inline.style) || inline.text.trim() === "") {
        merged[merged.length - 1] = { ...last, text: last.text + inline.text }
        continue
      }
      if (last.text.trim() === "") {
        merged[merged.length - 1] = { ...inline, text: last.text + inline.text }
        continue
      }
    }
    merged.push(inline)
  }
  return merged
}

/** Pieces of a run. Its white space stays outside of the marks. */
const styledText = (text: string, style: Style, link: boolean): ReadonlyArray<Piece> => {
  const body = text.trim()
  const kinds = [style.strike && "~~", style.bold && "**", style.italic && "*"] as const
  const opening = kinds.flatMap((kind): ReadonlyArray<Mark> => (kind ? [{ kind, opens: true, pair: undefined }] : []))
  if (body === "" || (opening.length === 0 && !style.code)) return [escapeText(text, link)]
  const lead = text.slice(0, text.length - text.trimStart().length)
  const tail = text.slice(text.trimEnd().length)
  if (style.code) return [lead, codeSpan(body), tail]
  const closing = opening.map((pair): Mark => {
    pair.pair = { kind: pair.kind, opens: false, pair }
    return pair.pair
  })
  return [lead, ...opening, escapeText(body, link), ...closing.reverse(), tail]
}

const piecesOf = (inline: Inline, lineBreak: string, link: boolean): ReadonlyArray<Piece> => {
  switch (inline.kind) {
    case "text":
      return styledText(inline.text, inline.style, link)
    case "break":
      return [{ markdown: lineBreak }]
    case "formula":
      return [{ markdown: inline.tex }]
    case "call":
      return [{ markdown: `[^${inline.note}]` }]
    case "image":
      return [{ markdown: `![${escapeText(inline.alt, true)}](${escapeHref(inline.src)})` }]
    case "link": {
      const label = inlines(inline.content, " ", true).trim()
      return [{ markdown: label === "" || inline.href === "" ? label : `[${label}](${escapeHref(inline.href)})` }]
    }
  }
}

const inlines = (content: ReadonlyArray<Inline>, lineBreak: string, link = false): string =>
  lineOf(
    mergeRuns(content)
      .flatMap((inline) => piecesOf(inline, lineBreak, link))
      .filter((piece) => piece !== "")
  )

const indent = (text: string, by: string): string => text.replace(/\n(?!\n|$)/g, `\n${by}`)

const item = ({ blocks, checked, label }: Item, marker: string): string => {
  const box = checked === undefined ? "" : checked ? "[x] " : "[ ] "
  const [first, ...rest] = blocks
  const head = first === undefined ? "" : block(first)
  const tail = rest.map((next) => `${next.kind === "list" ? "\n" : "\n\n"}${block(next)}`).join("")
  return `${marker} ${indent(`${box}${label === undefined ? "" : `${label} `}${head}${tail}`, " ".repeat(marker.length + 1))}`
}

const escapeCell = (text: string): string => {
  const line = text.includes("|") ? text.replaceAll("|", "\\|") : text
  return /[\r\n]/.test(line)
    ? line
        .split(/[\r\n]+/)
        .map((part) => part.trim())
        .filter((part) => part !== "")
        .join("<br>")
    : line
}

/** Text of a table cell. Cells are single lines, so their blocks are separated by `<br>`. */
const cellText = (nodes: ReadonlyArray<Block>): string =>
  nodes
    .map(cellBlock)
    .filter((part) => part !== "")
    .join("<br>")

const cellItem = ({ blocks: inner, label }: Item, marker: string): string => `${label ?? marker} ${cellText(inner)}`

const cellBlock = (node: Block): string => {
  switch (node.kind) {
    case "heading":
    case "paragraph":
      return escapeCell(inlines(node.content, "\n").trim())
    case "list":
      return node.items
        .map((entry, index) => cellItem(entry, node.ordered ? `${node.start + index}.` : "-"))
        .join("<br>")
    case "table":
      return node.rows.map((row) => row.map((inside) => cellText(inside?.blocks ?? [])).join(" ")).join("<br>")
    case "grid":
      return node.rows.map((row) => row.map((cell = "") => escapeCell(cell)).join(" ")).join("<br>")
    case "quote":
    case "note":
      return cellText(node.blocks)
    case "code":
    case "page":
      return escapeCell(node.text)
    case "rule":
      return ""
  }
}

const rowLine = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`

const pipeTable = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const lines = rows.map((row) =>
    rowLine(row.length === width ? row : [...row, ...Array.from({ length: width - row.length }, () => "")])
  )
  lines.splice(1, 0, rowLine(Array.from({ length: width }, () => "---")))
  return lines.join("\n")
}

const table = (rows: ReadonlyArray<ReadonlyArray<Cell | undefined>>, headerRows: number): string => {
  const cells = rows.map((row) => row.map((cell) => (cell === undefined ? "" : cellText(cell.blocks))))
  return pipeTable(headerRows > 0 ? cells : [(cells[0] ?? []).map(() => ""), ...cells])
}

const block = (node: Block): string => {
  switch (node.kind) {
    case "heading":
      return `${"#".repeat(node.level)} ${escapeHeadingEnd(inlines(node.content, " ").replace(/\s+/g, " ").trim())}`
    case "paragraph":
      return escapeStarts(inlines(node.content, "  \n").trim())
    case "list":
      return node.items
        .map((entry, index) => item(entry, node.ordered && entry.label === undefined ? `${node.start + index}.` : "-"))
        .join("\n")
    case "table":
      return table(node.rows, node.headerRows)
    case "grid":
      return pipeTable(node.rows.map((row) => row.map((cell = "") => escapeCell(escapeText(cell)))))
    case "quote":
      return blocks(node.blocks).replace(/^/gm, "> ")
    case "note":
      return `[^${node.note}]: ${indent(blocks(node.blocks), "    ")}`
    case "code": {
      const fence = fenceFor(node.text, 3)
      return `${fence}\n${node.text.replace(/\n$/, "")}\n${fence}`
    }
    case "page":
      return node.markdown.trim()
    case "rule":
      return "---"
  }
}

/** Markdown of each block; empty for blocks without content. */
export const markdownOfBlocks = (nodes: ReadonlyArray<Block>): ReadonlyArray<string> =>
  nodes.map((node) => {
    const part = block(node)
    return /^#+ $/.test(part) ? "" : part
  })

const blocks = (nodes: ReadonlyArray<Block>): string =>
  markdownOfBlocks(nodes)
    .filter((part) => part !== "")
    .join("\n\n")

export const toMarkdown = (tree: Tree): string => blocks(tree.blocks)
