/**
 * Parser for XML as found on the web, in feeds and sitemaps.
 *
 * - Reads broken markup as far as possible: bare `&` and `<`, tags that do not match, a missing end.
 * - Skips everything before the first element that `isRoot` accepts: script output, blank lines, other markup.
 * - Decodes the references of XML, those of HTML if they end in `;`, and the entities that the document itself declares. Other references
 *   stay as written. The size of expanded entities is bounded, and nothing that a document refers to is loaded.
 * - Calls the handler during `write`. Text between two tags arrives in one piece, so it takes that much memory.
 */
import { Parser, Tokenizer, type TokenizerCallbacks } from "htmlparser2"

/** Characters per write; between two writes, the caller can stop once the handler has enough. */
export const pieceLength = 32_768

export type XmlAttributes = Readonly<Record<string, string>>

export interface XmlHandler {
  /** True for the name of a root, in lower case and without its prefix. */
  readonly isRoot: (name: string) => boolean
  /** Maximum attributes of an element. With more, `overflow` is called instead of `open`. */
  readonly maxAttributes: number
  readonly overflow: () => void
  /** The name as written. */
  readonly open: (name: string, attributes: XmlAttributes) => void
  /** `isCut` is true if the document ended inside the element. */
  readonly close: (isCut: boolean) => void
  readonly text: (text: string) => void
}

/** Result of parsing a document. */
export interface XmlEnd {
  /** Name of the first element, in lower case; undefined if the document has no elements. */
  readonly first: string | undefined
  readonly hasRoot: boolean
  /** True if the root was closed by its own tag, and all references to the document's own entities could be expanded. */
  readonly isWhole: boolean
}

export interface XmlReader {
  readonly write: (piece: string) => void
  readonly end: () => XmlEnd
}

/** Maximum characters of one entity, characters expanded per document, and entities per document. */
const maxEntity = 4_096
const maxExpanded = 1_000_000
const maxEntities = 1_000

const reference = /&(?:#(?:x([0-9a-f]{1,6})|(\d{1,7}))|([a-z_][\w.-]{0,63}));/gi

const declaration = /!ENTITY\s+([\w.-]{1,64})\s+(?:"([^"]*)"|'([^']*)'|(?:SYSTEM|PUBLIC)\s)/g

const ofXml: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

const ignore = (): void => {}

const nothing: TokenizerCallbacks = {
  onattribdata: ignore,
  onattribentity: ignore,
  onattribend: ignore,
  onattribname: ignore,
  oncdata: ignore,
  onclosetag: ignore,
  oncomment: ignore,
  ondeclaration: ignore,
  onend: ignore,
  onopentagend: ignore,
  onopentagname: ignore,
  onprocessinginstruction: ignore,
  onselfclosingtag: ignore,
  ontext: ignore,
  ontextentity: ignore
}

/** Calls back for each token of HTML, with its references decoded. */
export const tokenizeHtml = (html: string, callbacks: Partial<TokenizerCallbacks>): void => {
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: true }, { ...nothing, ...callbacks })
  tokenizer.write(html)
  tokenizer.end()
}

/** Cache of HTML entities that were looked up; undefined for names that are not entities. */
const ofHtml = new Map<string, string | undefined>()

const htmlEntity = (name: string): string | undefined => {
  if (ofHtml.has(name)) return ofHtml.get(name)
  let decoded = ""
  let hasText = false
  tokenizeHtml(`&${name};`, {
    ontext: () => {
      hasText = true
    },
    ontextentity: (codePoint) => {
      decoded += String.fromCodePoint(codePoint)
    }
  })
  // A name that only begins with an entity (`&copyright;`) is not an entity.
  const found = hasText || decoded === "" ? undefined : decoded
  if (ofHtml.size < 5_000) ofHtml.set(name, found)
  return found
}

const ofCodePoint = (code: number): string | undefined =>
  code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : undefined

const localName = (name: string): string => name.slice(name.indexOf(":") + 1).toLowerCase()

export const makeXmlReader = (handler: XmlHandler): XmlReader => {
  /** Values of declared entities; undefined for those that are not expanded, because they are external or too long. */
  const declared = new Map<string, string | undefined>()
  let expanded = 0
  let isExpanded = true
  let first: string | undefined
  /** Number of open elements; undefined before the root. */
  let depth: number | undefined
  let isEnding = false
  let isCut = false
  let isClosed = false
  let isCdata = false
  let attributeCount = 0
  let pending = ""

  const named = (written: string, name: string): string => {
    if (!declared.has(name)) return ofXml[name] ?? htmlEntity(name) ?? written
    const own = declared.get(name)
    if (own === undefined || expanded + own.length > maxExpanded) {
      isExpanded = false
      return written
    }
    expanded += own.length
    return own
  }
  const decode = (text: string): string =>
    text.includes("&")
      ? text.replace(reference, (written: string, hex?: string, decimal?: string, name?: string) =>
          name === undefined
            ? (ofCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)) ?? written)
            : named(written, name)
        )
      : text

  /** Stores the entities that a DOCTYPE declares. As in XML, the first declaration of a name counts. */
  const declare = (data: string): void => {
    for (const [, name = "", quoted, single] of data.matchAll(declaration)) {
      if (declared.size >= maxEntities) return
      if (declared.has(name)) continue
      const value = quoted ?? single
      const text = value === undefined || value.length > maxEntity ? undefined : decode(value)
      declared.set(name, isExpanded && (text?.length ?? 0) <= maxEntity ? text : undefined)
      // An entity that cannot be expanded matters only if the document uses it.
      isExpanded = true
    }
  }

  const flush = (): void => {
    if (pending === "") return
    const text = isCdata ? pending : decode(pending)
    pending = ""
    handler.text(text)
  }

  const parser = new Parser(
    {
      onprocessinginstruction: (_, data) => {
        if (depth === undefined && data.startsWith("!")) declare(data)
      },
      onattribute: () => {
        attributeCount++
        if (attributeCount === handler.maxAttributes + 1) handler.overflow()
      },
      onopentag: (name, written) => {
        const hasRoom = attributeCount <= handler.maxAttributes
        attributeCount = 0
        first ??= name.toLowerCase()
        if (isClosed || (depth === undefined && !handler.isRoot(localName(name)))) return
        flush()
        depth = (depth ?? 0) + 1
        if (!hasRoom) return handler.open(name, {})
        const attributes: Record<string, string> = {}
        for (const key of Object.keys(written)) attributes[key] = decode(written[key] ?? "")
        handler.open(name, attributes)
      },
      onclosetag: () => {
        if (depth === undefined || depth === 0) return
        flush()
        depth--
        handler.close(isEnding)
        if (depth > 0) return
        isClosed = true
        isCut = isEnding
      },
      oncdatastart: () => {
        flush()
        isCdata = true
      },
      oncdataend: () => {
        flush()
        isCdata = false
      },
      ontext: (text) => {
        if (depth !== undefined && depth > 0) pending += text
      }
    },
    { xmlMode: true, decodeEntities: false }
  )

  return {
    write: (piece) => parser.write(piece),
    end: () => {
      isEnding = true
      parser.end()
      return { first, hasRoot: depth !== undefined, isWhole: isClosed && !isCut && isExpanded }
    }
  }
}
