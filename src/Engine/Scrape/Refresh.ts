/** Meta refresh and the `Refresh` header: find the URL to which a page redirects by itself. */
import { canParse, withoutFragment } from "../../Api/Url.ts"
import { decodeText } from "../../Html/Charset.ts"
import { countText, type Element } from "../../Html/Element.ts"
import { PageUrls } from "../../Html/PageUrls.ts"
import { parseTree } from "../../Html/Tree.ts"
import { kindOf } from "../Fetch/ContentKind.ts"
import type { Fetched } from "../PageCache/PageSource.ts"

/** Maximum seconds of a refresh that counts as a redirect. With a longer delay, the page itself is meant to be read. */
const maxDelay = 10

/** Bytes that are searched, because a refresh is in the head of a page. */
const maxSearched = 64 * 1024

/** Seconds, separator and address, as browsers read them: `0; url='/a'`, `0, URL=/a`, `5 /a`. */
const refreshValue = /^\s*(\d{1,9})(?:\.[\d.]*)?(?:\s*[;,]\s*|\s+)(?:url\s*=\s*)?([\s\S]*)$/i

/** Returns the URL of a refresh within `maxDelay` seconds, as written. */
const targetIn = (value: string | undefined): string | undefined => {
  const [, seconds = "", rest = ""] = refreshValue.exec((value ?? "").slice(0, 8_192)) ?? []
  if (seconds === "" || Number(seconds) > maxDelay) return undefined
  const [, , quoted] = /^(["'])([\s\S]*?)(?:\1[\s\S]*)?$/.exec(rest.trim()) ?? []
  const target = (quoted ?? rest).trim()
  return target === "" ? undefined : target
}

const isRefresh = ({ attributes }: Element): boolean => attributes["http-equiv"]?.trim().toLowerCase() === "refresh"

const isInside = (element: Element, ...names: ReadonlyArray<string>): boolean => {
  for (let around = element.parent; around !== undefined; around = around.parent)
    if (names.includes(around.name)) return true
  return false
}

/**
 * Matches URLs of pages that ask visitors to enable scripts. A refresh to them is not followed, because the original page has more content.
 */
const asksForScript = /no-?_?(?:java)?script|no-?js\b|enable-?(?:java)?(?:script|js)|js-?(?:disabled|required)/i

const showsNothing = (root: Element): boolean => countText(root, ({ layout }) => layout !== "unseen", 1) === 0

/** True if the bytes may contain a refresh. Searches them as Latin-1 text, which is several times faster than `Buffer.includes`. */
const includesRefresh = (buffer: Buffer): boolean => /http-equiv\s*=\s*["']?\s*refresh/i.test(buffer.toString("latin1"))

const inMarkup = ({ body, headers, url }: Fetched): string | undefined => {
  const buffer = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, maxSearched))
  if (!includesRefresh(buffer)) return undefined
  const type = headers["content-type"]
  if (kindOf(type, new URL(url).pathname, body)._tag !== "Html") return undefined
  const { charset, text } = decodeText(buffer, type)
  const tree = parseTree(text)
  const urls = new PageUrls(tree, url, true, charset)
  for (const meta of tree.metas) {
    if (!isRefresh(meta) || isInside(meta, "template", "svg", "textarea")) continue
    const target = targetIn(meta.attributes.content)
    if (target === undefined) continue
    if (isInside(meta, "noscript") && (asksForScript.test(target) || !showsNothing(tree.root))) continue
    return urls.resolve(target)
  }
  return undefined
}

const isWeb = (address: string): boolean => /^https?:/i.test(address)

/**
 * Returns the absolute http URL that a successful page refreshes to within `maxDelay` seconds; undefined if it refreshes itself or not at
 * all. A refresh in `<noscript>` counts if the page shows nothing without it.
 */
export const refreshOf = (page: Fetched): string | undefined => {
  const { headers, statusCode, url } = page
  if (statusCode < 200 || statusCode >= 300) return undefined
  const header = targetIn(headers.refresh)
  const target = header !== undefined && canParse(header, url) ? new URL(header, url).href : inMarkup(page)
  if (target === undefined || !isWeb(target)) return undefined
  return withoutFragment(target) === withoutFragment(url) ? undefined : target
}
