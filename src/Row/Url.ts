/** One spelling for each address, so that a page is known again however it was linked. */
import { canParse } from "../Api/Url.ts"

/** Parameters that name a visitor or a campaign, never a page. */
const tracking =
  /^(utm_.*|gclid|gclsrc|gbraid|wbraid|dclid|fbclid|msclkid|mc_[ce]id|igshid|yclid|twclid|ttclid|li_fat_id|_ga|_gl|_hs(enc|mi)|__hs(tc|sc|fp)|mkt_tok|oly_(anon|enc)_id|vero_id|wickedid)$/i

/** No server takes a longer address, and no page has more of a right to time. */
const maxLength = 65_536

const parse = (text: string): URL | undefined => {
  const url = text.length <= maxLength && canParse(text) ? new URL(text) : undefined
  return url !== undefined && (url.protocol === "http:" || url.protocol === "https:") ? url : undefined
}

const nameOf = (url: URL): string => url.hostname.replace(/\.+$/, "")

/** Stray `%` encoded, needless escapes decoded, hexadecimal in capitals. */
const normalizeEscapes = (text: string): string =>
  text.replace(/%(?![0-9a-f]{2})/gi, "%25").replace(/%[0-9a-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : escape.toUpperCase()
  })

/** Without slashes and names of an index at its end, which are looked for from the end: a page may write any number of them. */
const canonicalPath = (path: string): string => {
  const text = normalizeEscapes(path)
  let end = text.length
  for (;;) {
    const name = [10, 11].find((length) => end >= length && /^\/index\.html?$/.test(text.slice(end - length, end)))
    if (name !== undefined) end -= name
    else if (text.charCodeAt(end - 1) === 0x2f) end--
    else return end === 0 ? "/" : text.slice(0, end)
  }
}

const parameterName = (parameter: string): string => parameter.split("=", 1)[0] ?? ""

const canonicalQuery = (search: string): string => {
  const parameters = normalizeEscapes(search.slice(1))
    .split("&")
    .filter((parameter) => parameter !== "" && !tracking.test(parameterName(parameter)))
    .map((parameter) => ({ name: parameterName(parameter), parameter }))
    // Repeated names keep their order: it may mean something.
    .sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0))
  return parameters.length === 0 ? "" : `?${parameters.map(({ parameter }) => parameter).join("&")}`
}

/**
 * The identity of a web page, undefined for what is not an http(s) address. It is compared, never fetched:
 * scheme and host in lower case; no credentials, default port, dot segments, fragment or tracking parameter; parameters
 * sorted by name; escapes spelt one way; no slash and no `index.html` at the end. `http` and `https`, and `www.` and
 * none, stay different.
 */
export const canonicalUrl = (text: string): string | undefined => {
  const url = parse(text)
  if (url === undefined) return undefined
  const name = nameOf(url)
  if (name === "") return undefined
  const port = url.port === "" ? "" : `:${url.port}`
  return `${url.protocol}//${name}${port}${canonicalPath(url.pathname)}${canonicalQuery(url.search)}`
}

/** Canonical addresses that one page may have: with `http` and `https`, with `www.` and without. */
export const spellings = (text: string): ReadonlyArray<string> => {
  const canonical = canonicalUrl(text)
  if (canonical === undefined) return [text]
  const rest = canonical.replace(/^https?:\/\/(?:www\.)?/, "")
  return ["http://", "https://", "http://www.", "https://www."].map((start) => start + rest)
}

/** The host of an http(s) address: lower case, without port; international names in their ASCII form. */
export const host = (text: string): string | undefined => {
  const url = parse(text)
  return url === undefined ? undefined : nameOf(url) || undefined
}
