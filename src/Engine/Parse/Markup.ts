/** Writes a tree as HTML, for the HTML formats and for selectors. */

import type { Block, Cell, Inline, Item, Span, Style, Tree } from "./Tree.ts"
import { escapeXml } from "./Xml.ts"

const styled = (text: string, style: Style): string => {
  let out = escapeXml(text)
  if (style.code) out = `<code>${out}</code>`
  if (style.italic) out = `<em>${out}</em>`
  if (style.bold) out = `<strong>${out}</strong>`
  if (style.strike) out = `<del>${out}</del>`
  return out
}

const inlines = (content: ReadonlyArray<Inline>): string => {
  let out = ""
  for (const inline of content) {
    if (inline.kind === "text") out += styled(inline.text, inline.style)
    else if (inline.kind === "break") out += "<br>"
    else if (inline.kind === "formula") out += escapeXml(inline.tex)
    else if (inline.kind === "call") out += `<sup><a href="#note-${inline.note}">${inline.note}</a></sup>`
    else if (inline.kind === "image") out += `<img src="${escapeXml(inline.src)}" alt="${escapeXml(inline.alt)}">`
    else if (inline.href === "") out += inlines(inline.content)
    else out += `<a href="${escapeXml(inline.href)}">${inlines(inline.content)}</a>`
  }
  return out
}

const item = ({ blocks: inner, checked, label }: Item): string => {
  const box = checked === undefined ? "" : `<input type="checkbox" disabled${checked ? " checked" : ""}> `
  const [only] = inner
  const content = inner.length === 1 && only?.kind === "paragraph" ? inlines(only.content) : blocks(inner)
  return `<li>${box}${label === undefined ? "" : `${escapeXml(label)} `}${content}</li>`
}

const spanning = ({ colSpan, rowSpan }: Span): string =>
  `${colSpan > 1 ? ` colspan="${colSpan}"` : ""}${rowSpan > 1 ? ` rowspan="${rowSpan}"` : ""}`

const cell = (node: Cell | undefined, tag: "td" | "th"): string => {
  if (node === undefined) return ""
  const [only] = node.blocks
  const content = node.blocks.length === 1 && only?.kind === "paragraph" ? inlines(only.content) : blocks(node.blocks)
  return `<${tag}${spanning(node)}>${content}</${tag}>`
}

const grid = ({ rows, spans }: Extract<Block, { readonly kind: "grid" }>): string => {
  const lines = rows.map((row, index) => {
    const tag = index === 0 ? "th" : "td"
    const cells = row.map((value, column) => {
      const span = spans?.get(`${index}:${column}`)
      return value === undefined
        ? ""
        : `<${tag}${span === undefined ? "" : spanning(span)}>${escapeXml(value)}</${tag}>`
    })
    return `<tr>${cells.join("")}</tr>`
  })
  return `<table>\n${lines.join("\n")}\n</table>`
}

const block = (node: Block): string => {
  switch (node.kind) {
    case "heading":
      return `<h${node.level}>${inlines(node.content)}</h${node.level}>`
    case "paragraph":
      return `<p>${inlines(node.content)}</p>`
    case "list": {
      const items = node.items.map(item).join("\n")
      return node.ordered
        ? `<ol${node.start === 1 ? "" : ` start="${node.start}"`}>\n${items}\n</ol>`
        : `<ul>\n${items}\n</ul>`
    }
    case "table": {
      const rows = node.rows.map(
        (row, index) => `<tr>${row.map((each) => cell(each, index < node.headerRows ? "th" : "td")).join("")}</tr>`
      )
      return `<table>\n${rows.join("\n")}\n</table>`
    }
    case "grid":
      return grid(node)
    case "quote":
      return `<blockquote>\n${blocks(node.blocks)}\n</blockquote>`
    case "note":
      return `<aside id="note-${node.note}">\n${blocks(node.blocks)}\n</aside>`
    case "code":
      return `<pre><code>${escapeXml(node.text)}</code></pre>`
    case "page":
      return `<div>\n${node.html}\n</div>`
    case "rule":
      return "<hr>"
  }
}

const blocks = (nodes: ReadonlyArray<Block>): string => nodes.map(block).join("\n")

const attribute = (name: string, value: string | number | undefined): string =>
  value === undefined ? "" : `<meta name="${escapeXml(name)}" content="${escapeXml(String(value))}">\n`

/** Writes a whole document, with its metadata in the head. */
export const toHtml = (tree: Tree): string => {
  const { title, language, description, keywords, author } = tree.metadata
  return [
    `<!doctype html>\n<html${language === undefined ? "" : ` lang="${escapeXml(String(language))}"`}>\n<head>\n<meta charset="utf-8">\n`,
    title === undefined ? "" : `<title>${escapeXml(String(title))}</title>\n`,
    attribute("description", description),
    attribute("keywords", keywords),
    attribute("author", author),
    `</head>\n<body>\n${blocks(tree.blocks)}\n</body>\n</html>`
  ].join("")
}
