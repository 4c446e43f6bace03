/**
 * Reads RSS 0.9x, 1.0 and 2.0, and Atom 0.3 and 1.0, in chunks.
 *
 * - `Xml.ts` reads the markup, even if it is broken.
 * - The nesting depth and the attributes of an element are limited. The entries take about as much memory as the document.
 * - Elements are recognized by their namespaces; an undeclared prefix has its usual meaning.
 */
import { escapeHtml, oneLine } from "../../Values/Text.ts"
import { makeXmlReader, pieceLength, type XmlAttributes, type XmlReader } from "../../Xml.ts"
import {
  addEnclosure,
  addText,
  dateOf,
  type Enclosure,
  type Entry,
  type Feed,
  isEntry,
  type Unreadable
} from "./FeedEntry.ts"
import { textOf, titleText, webAddress, withAbsoluteAddresses } from "./FeedText.ts"

const maxDepth = 256
const maxAttributes = 500

export { pieceLength }

type Attributes = XmlAttributes

/** `channel` alone is a feed, too: some feeds omit `rss`. */
const roots = new Set(["rss", "rdf", "feed", "channel"])

/** Usual prefixes of namespaces, by namespace address in lower case. */
const prefixes: Readonly<Record<string, string>> = {
  "": "",
  "http://www.w3.org/2005/atom": "atom",
  "http://purl.org/atom/ns#": "atom",
  "http://purl.org/rss/1.0/": "",
  "http://my.netscape.com/rdf/simple/0.9/": "",
  "http://channel.netscape.com/rdf/simple/0.9/": "",
  "http://backend.userland.com/rss2": "",
  "http://purl.org/rss/1.0/modules/content/": "content",
  "http://purl.org/dc/elements/1.1/": "dc",
  "http://purl.org/dc/terms/": "dcterms",
  "http://search.yahoo.com/mrss/": "media",
  "http://search.yahoo.com/mrss": "media",
  "http://www.itunes.com/dtds/podcast-1.0.dtd": "itunes",
  "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
  "http://www.w3.org/1999/xhtml": "xhtml"
}

interface Element {
  readonly name: string
  /** Base for relative addresses. */
  readonly base: string
  /** Namespaces declared on the element, by prefix. */
  readonly declared: ReadonlyMap<string, string> | undefined
}

/** Content of an element being read. Nested elements are kept as markup. */
interface Capture {
  readonly name: string
  readonly attributes: Attributes
  readonly base: string
  readonly depth: number
  text: string
  /** Undefined as long as there are no nested elements. */
  markup: string | undefined
}

interface OpenEntry {
  readonly depth: number
  readonly base: string
  readonly about: string | undefined
  id: string | undefined
  isPermalink: boolean
  links: Array<{ readonly url: string; readonly type: string }>
  title: string | undefined
  published: string | undefined
  updated: string | undefined
  summary: string | undefined
  content: string | undefined
  encoded: string | undefined
  authors: Array<string>
  categories: Array<string>
  enclosures: Array<Enclosure>
}

/** Elements whose children count as children of the element's parent. */
const transparent = new Set(["media:group", "author", "atom:author"])

const texts = new Set([
  "author",
  "category",
  "content",
  "content:encoded",
  "created",
  "dc:creator",
  "dc:date",
  "dc:subject",
  "dcterms:issued",
  "dcterms:modified",
  "description",
  "guid",
  "id",
  "issued",
  "itunes:author",
  "link",
  "media:description",
  "modified",
  "name",
  "pubdate",
  "published",
  "summary",
  "title",
  "updated"
])

/** Maximum characters of a declared base: every relative address repeats it. */
const maxBase = 4_000

const voidElements = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/

/** Text construct as HTML. All texts in RSS are HTML; in Atom, `type` (and `mode` in version 0.3) says what they are. */
const htmlOf = ({ attributes, markup, text }: Capture, isAtom: boolean): string | undefined => {
  const type = (attributes.type ?? "").toLowerCase()
  if (!isAtom) return markup ?? text
  if (type === "xhtml" || type === "application/xhtml+xml") {
    return /^\s*<div\b[^>]*>([\s\S]*)<\/div>\s*$/i.exec(markup ?? "")?.[1] ?? markup ?? escapeHtml(text)
  }
  if (type === "html" || type === "text/html") return markup ?? text
  if (type === "" || type === "text" || type === "text/plain") {
    return markup ?? (attributes.mode === "escaped" ? text : escapeHtml(text))
  }
  return undefined
}

/** Name in `email (name)`, the form that RSS uses. */
const authorOf = (text: string): string =>
  oneLine(/^[^\s()]+@[^\s()]+\s*\(([^()]+)\)\s*$/.exec(text.trim())?.[1] ?? text)

const declarationsOf = (attributes: Attributes): ReadonlyMap<string, string> | undefined => {
  let declared: Map<string, string> | undefined
  for (const [name, value] of Object.entries(attributes)) {
    if (name !== "xmlns" && !name.startsWith("xmlns:")) continue
    declared ??= new Map()
    declared.set(name.slice(6).toLowerCase(), value.trim().toLowerCase())
  }
  return declared
}

const addLink = (target: OpenEntry, url: string | undefined, type = ""): void => {
  if (url !== undefined && target.links.length < 10) target.links.push({ url, type })
}

/** Reads elements of an entry whose information is in their attributes. */
const readAttributes = (target: OpenEntry, name: string, attributes: Attributes, base: string): void => {
  const { href, length, rel = "alternate", term, label, type, url } = attributes
  if ((name === "link" || name === "atom:link") && href !== undefined) {
    if (rel === "enclosure") addEnclosure(target.enclosures, base, { url: href, type, length })
    else if (rel === "alternate") addLink(target, webAddress(href, base), type)
  } else if (name === "enclosure") addEnclosure(target.enclosures, base, { url, type, length })
  else if (name === "media:content") {
    addEnclosure(target.enclosures, base, { url, type, length: attributes.filesize ?? attributes.fileSize })
  } else if (name === "category" && (label ?? term) !== undefined) {
    addText(target.categories, oneLine(label ?? term ?? ""))
  }
}

const entryOf = (done: OpenEntry): Entry => {
  const { about, authors, base, categories, content, enclosures, encoded, id, isPermalink, links, published, summary } =
    done
  const link = links.find(({ type }) => /html/i.test(type)) ?? links.find(({ type }) => type !== "content") ?? links[0]
  const permalink = isPermalink && /^https?:\/\//i.test(id ?? "") ? webAddress(id, base) : undefined
  return {
    id: id ?? about,
    url: link?.url ?? permalink ?? webAddress(about, base),
    title: done.title ?? "",
    published,
    updated: done.updated,
    authors,
    summary,
    content: encoded ?? content,
    categories,
    enclosures,
    base
  }
}

/** Reads one document in chunks. */
export class XmlFeedReader {
  readonly #documentBase: string
  readonly #limit: number
  readonly #parser: XmlReader
  /** Open elements, from the root. */
  readonly #path: Array<Element> = []
  readonly #entries: Array<Entry> = []
  readonly #feedAuthors: Array<string> = []
  #format: "atom" | "rss" | undefined
  #root: string | undefined
  #feedTitle = ""
  #entry: OpenEntry | undefined
  #capture: Capture | undefined
  /** Why the rest of the document is skipped. */
  #fault: string | undefined
  /** True if there are more entries than the limit. */
  #isCut = false

  /** `documentBase` is the address of the document. */
  constructor(documentBase: string, limit: number) {
    this.#documentBase = documentBase
    this.#limit = limit
    this.#parser = makeXmlReader({
      isRoot: (name) => roots.has(name),
      maxAttributes,
      overflow: () => {
        this.#fault ??= `an element has more than ${maxAttributes} attributes`
      },
      open: (name, attributes) => {
        if (this.#isReading) this.#open(name, attributes)
      },
      close: () => {
        if (this.#isReading) this.#close()
      },
      text: (text) => {
        const capture = this.#capture
        if (capture === undefined) return
        if (capture.markup === undefined) capture.text += text
        else capture.markup += escapeHtml(text)
      }
    })
  }

  get #isReading(): boolean {
    return this.#fault === undefined && !this.#isCut
  }

  /** Returns false once there is nothing more to read. */
  write(piece: string): boolean {
    this.#parser.write(piece)
    return this.#isReading
  }

  end(): Feed | Unreadable {
    const closed = this.#entries.length
    const read = this.#isReading ? this.#parser.end() : undefined
    // An entry that the document does not close is cut: its address may be a part of one.
    if (read?.isWhole === false) this.#entries.length = closed
    const fault = this.#fault
    if (fault !== undefined && (this.#format === undefined || this.#entries.length === 0)) return { unreadable: fault }
    if (this.#root === undefined) {
      const first = read?.first
      return {
        unreadable: first === undefined ? "it has no elements" : `its first element is <${first.slice(0, 40)}>`
      }
    }
    return {
      title: this.#feedTitle,
      authors: this.#feedAuthors,
      entries: this.#entries,
      isCut: this.#isCut || fault !== undefined,
      isDamaged: read?.isWhole === false
    }
  }

  #namespaceOf(prefix: string): string | undefined {
    for (let at = this.#path.length - 1; at >= 0; at--) {
      const found = this.#path[at]?.declared?.get(prefix)
      if (found !== undefined) return found
    }
    return undefined
  }

  #nameOf(written: string, declared: ReadonlyMap<string, string> | undefined): string {
    const lower = written.toLowerCase()
    const colon = lower.indexOf(":")
    const prefix = colon < 0 ? "" : lower.slice(0, colon)
    const local = lower.slice(colon + 1)
    const namespace = declared?.get(prefix) ?? this.#namespaceOf(prefix)
    const known =
      namespace === undefined ? prefix : Object.hasOwn(prefixes, namespace) ? prefixes[namespace] : undefined
    // An unknown namespace is ignored if it applies to the whole document, but not if it applies to a part.
    const isOfPart =
      prefix !== "" ||
      (this.#path.length > 0 && declared?.has("")) ||
      this.#path.slice(1).some((each) => each.declared?.has(""))
    const usual = known ?? (isOfPart ? "?" : "")
    const isOwn = usual === "" || (usual === "atom" && this.#format !== "rss")
    return isOwn ? local : `${usual}:${local}`
  }

  #begin(name: string): void {
    this.#root = name
    if (name === "feed") this.#format = "atom"
    else if (name === "rss" || name === "rdf:rdf" || name === "channel") this.#format = "rss"
    else this.#fault = `its first element is <${name.slice(0, 40)}>`
  }

  #isDirect(depth: number): boolean {
    let at = this.#path.length - 1
    while (at > depth && transparent.has(this.#path[at]?.name ?? "")) at--
    return at === depth
  }

  #open(written: string, attributes: Attributes): void {
    const declared = declarationsOf(attributes)
    const name = this.#nameOf(written, declared)
    const parent = this.#path.at(-1)
    const outer = parent?.base ?? this.#documentBase
    const own = webAddress(attributes["xml:base"], outer)
    const base = own === undefined || own.length > maxBase ? outer : own
    if (this.#root === undefined) this.#begin(name)
    if (this.#capture !== undefined) {
      this.#capture.markup ??= escapeHtml(this.#capture.text)
      const shown = Object.entries(attributes).filter(([key]) => !key.includes(":") && key !== "xmlns")
      this.#capture.markup += `<${name.slice(name.indexOf(":") + 1)}${shown.map(([key, value]) => ` ${key}="${escapeHtml(value)}"`).join("")}>`
    } else if (this.#entry !== undefined) {
      if (this.#isDirect(this.#entry.depth)) {
        readAttributes(this.#entry, name, attributes, base)
        const key = name.startsWith("atom:") ? name.slice(5) : name
        // In Atom an author contains a name; in RSS the author is the name.
        const isGroup = transparent.has(name) && (this.#format === "atom" || name !== "author")
        if (texts.has(key) && !isGroup)
          this.#capture = { name: key, attributes, base, depth: this.#path.length, text: "", markup: undefined }
      }
    } else if (name === "item" || (name === "entry" && this.#format === "atom")) {
      if (this.#entries.length >= this.#limit) this.#isCut = true
      this.#entry = {
        depth: this.#path.length,
        base,
        about: attributes["rdf:about"],
        id: undefined,
        isPermalink: true,
        links: [],
        title: undefined,
        published: undefined,
        updated: undefined,
        summary: undefined,
        content: undefined,
        encoded: undefined,
        authors: [],
        categories: [],
        enclosures: []
      }
    } else if (name === "title" && (parent?.name === "channel" || parent?.name === "feed")) {
      this.#capture = { name, attributes, base, depth: this.#path.length, text: "", markup: undefined }
    } else if (name === "name" && parent?.name === "author" && this.#path.length === 2) {
      this.#capture = { name, attributes, base, depth: this.#path.length, text: "", markup: undefined }
    }
    this.#path.push({ name, base, declared })
    if (this.#path.length > maxDepth) this.#fault = `its elements are nested deeper than ${maxDepth}`
  }

  #addToFeed(captured: Capture): void {
    if (captured.name === "name") addText(this.#feedAuthors, oneLine(captured.text))
    else if (this.#feedTitle === "") this.#feedTitle = this.#plainOf(captured)
  }

  #plainOf(captured: Capture): string {
    const isAtom = this.#format === "atom"
    const html = htmlOf(captured, isAtom) ?? ""
    return isAtom || captured.markup !== undefined ? textOf(html) : titleText(html)
  }

  #addToEntry(target: OpenEntry, captured: Capture): void {
    const { attributes, base, markup, name } = captured
    const text = markup === undefined ? captured.text : textOf(markup)
    /** HTML with addresses resolved against the base of the entry. */
    const htmlIn = (html: string | undefined) =>
      html === undefined || base === target.base ? html : withAbsoluteAddresses(html, base)
    switch (name) {
      case "title":
        target.title ??= this.#plainOf(captured)
        break
      case "link":
        addLink(target, webAddress(text, base))
        break
      case "id":
      case "guid":
        if (target.id === undefined && text.trim() !== "") {
          target.id = text.trim()
          target.isPermalink = attributes.isPermaLink?.trim().toLowerCase() !== "false"
        }
        break
      case "pubdate":
      case "published":
      case "issued":
      case "dcterms:issued":
      case "created":
      case "dc:date":
        target.published ??= dateOf(text)
        break
      case "updated":
      case "modified":
      case "dcterms:modified":
        target.updated ??= dateOf(text)
        break
      case "description":
      case "summary":
      case "media:description":
        target.summary ??= htmlIn(htmlOf(captured, this.#format === "atom"))
        break
      case "content":
        addLink(target, webAddress(attributes.src, base), "content")
        target.content ??= attributes.src === undefined ? htmlIn(htmlOf(captured, this.#format === "atom")) : undefined
        break
      case "content:encoded":
        target.encoded ??= htmlIn(captured.markup ?? captured.text)
        break
      case "author":
      case "dc:creator":
      case "name":
      case "itunes:author":
        addText(target.authors, authorOf(text).slice(0, 500))
        break
      case "category":
      case "dc:subject":
        addText(target.categories, titleText(text).slice(0, 500))
    }
  }

  #close(): void {
    const closed = this.#path.pop()
    if (closed === undefined) return
    if (this.#capture !== undefined) {
      if (this.#path.length > this.#capture.depth) {
        const name = closed.name.slice(closed.name.indexOf(":") + 1)
        if (this.#capture.markup !== undefined && !voidElements.test(name)) this.#capture.markup += `</${name}>`
        return
      }
      if (this.#entry === undefined) this.#addToFeed(this.#capture)
      else this.#addToEntry(this.#entry, this.#capture)
      this.#capture = undefined
      return
    }
    if (this.#entry !== undefined && this.#path.length === this.#entry.depth) {
      const made = entryOf(this.#entry)
      if (isEntry(made) && this.#entries.length < this.#limit) this.#entries.push(made)
      this.#entry = undefined
    }
  }
}
