/** HTML in feeds: extracts its plain text, and makes addresses in its markup absolute. Both run in linear time, even on broken markup. */
import { canParse } from "../../Api/Url.ts"
import { escapeHtml, oneLine, withoutSoftHyphens } from "../../Values/Text.ts"
import { tokenizeHtml } from "../../Xml.ts"

/** Elements whose text is not visible. */
const hidden = new Set(["script", "style"])

/** Inline elements, which do not separate words. */
const inline =
  /^(?:a|abbr|b|bdi|bdo|big|cite|code|del|dfn|em|font|i|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|tt|u|var|wbr)$/i

/** Text of HTML on one line, without soft hyphens. */
export const textOf = (html: string): string => {
  let text = ""
  let skipped: string | undefined
  const separate = (name: string) => {
    if (!inline.test(name)) text += " "
  }
  tokenizeHtml(html, {
    ontext: (start, end) => {
      if (skipped === undefined) text += html.slice(start, end)
    },
    ontextentity: (codePoint) => {
      if (skipped === undefined) text += String.fromCodePoint(codePoint)
    },
    onopentagname: (start, end) => {
      const name = html.slice(start, end).toLowerCase()
      if (hidden.has(name)) skipped ??= name
      separate(name)
    },
    onclosetag: (start, end) => {
      const name = html.slice(start, end).toLowerCase()
      if (skipped === name) skipped = undefined
      separate(name)
    }
  })
  return oneLine(withoutSoftHyphens(text))
}

/** Matches `<` that does not begin markup in a title: `List<String>` and `a < b` are text, `<b>` and `</em>` are markup. */
const noMarkup =
  /<(?!\/?(?:a|abbr|b|bdi|big|br|cite|code|del|em|font|i|img|ins|kbd|mark|p|q|s|small|span|strong|sub|sup|tt|u|wbr)\b)/gi

/** Text of a title, which many feeds escape as HTML and many others do not. */
export const titleText = (title: string): string => textOf(title.replace(noMarkup, "&lt;"))

/** Absolute form of an address; undefined if it is neither http nor https. */
export const webAddress = (text: string | undefined, base: string | undefined): string | undefined => {
  const trimmed = text?.trim() ?? ""
  if (trimmed === "" || !canParse(trimmed, base)) return undefined
  const url = new URL(trimmed, base)
  return url.protocol === "http:" || url.protocol === "https:" ? url.href : undefined
}

const linking = new Set(["href", "src", "poster"])

/** HTML with absolute addresses in `href`, `src` and `poster`. Addresses such as `mailto:` stay unchanged. */
export const withAbsoluteAddresses = (html: string, base: string): string => {
  let made = ""
  let kept = 0
  let isLink = false
  let begins: number | undefined
  let ends = 0
  let value = ""
  tokenizeHtml(html, {
    onattribname: (start, end) => {
      isLink = linking.has(html.slice(start, end).toLowerCase())
      begins = undefined
      value = ""
    },
    onattribdata: (start, end) => {
      begins ??= start
      ends = end
      if (isLink) value += html.slice(start, end)
    },
    onattribentity: (codePoint) => {
      // An entity at the beginning has no position, so an address that begins with one stays unchanged.
      if (begins === undefined) isLink = false
      value += String.fromCodePoint(codePoint)
    },
    onattribend: () => {
      if (!isLink || begins === undefined) return
      const address = webAddress(value, base)
      if (address === undefined || address === value.trim()) return
      made += html.slice(kept, begins) + escapeHtml(address)
      kept = ends
    }
  })
  return kept === 0 ? html : made + html.slice(kept)
}

const feedType = /^(?:application\/(?:rss|atom|rdf|feed)\+(?:xml|json)|application\/json|(?:text|application)\/xml)$/i

const maxLinks = 100

/** Feeds that an HTML page links to with `<link rel="alternate">`, as absolute addresses. */
export const feedsOf = (html: string, url: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let base = url
  let tag = ""
  let name = ""
  let attributes: Record<string, string> = {}
  const end = () => {
    const { href, rel = "", type = "" } = attributes
    if (tag === "base" && base === url) base = webAddress(href, url) ?? url
    if (tag === "link" && /(?:^|\s)alternate(?:\s|$)/i.test(rel) && feedType.test(type.trim())) {
      const address = webAddress(href, base)
      if (address !== undefined && found.length < maxLinks && !found.includes(address)) found.push(address)
    }
    tag = ""
  }
  tokenizeHtml(html, {
    onopentagname: (start, end) => {
      tag = html.slice(start, Math.min(end, start + 8)).toLowerCase()
      attributes = {}
    },
    onattribname: (start, end) => {
      name = end - start > 8 ? "" : html.slice(start, end).toLowerCase()
    },
    onattribdata: (start, end) => {
      if (tag === "link" || tag === "base") attributes[name] = (attributes[name] ?? "") + html.slice(start, end)
    },
    onattribentity: (codePoint) => {
      if (tag === "link" || tag === "base")
        attributes[name] = (attributes[name] ?? "") + String.fromCodePoint(codePoint)
    },
    onopentagend: end,
    onselfclosingtag: end
  })
  return found
}
