/** Canonical URLs, which identify a page however it was linked. */
import { canParse, isTracking } from "../Api/Url.ts"

/** Maximum length of a URL in characters. Servers do not accept longer ones. */
const maxLength = 65_536

const parse = (text: string): URL | undefined => {
  const url = text.length <= maxLength && canParse(text) ? new URL(text) : undefined
  return url !== undefined && (url.protocol === "http:" || url.protocol === "https:") ? url : undefined
}

const nameOf = (url: URL): string => url.hostname.replace(/\.+$/, "")

/** Escapes stray `%`, decodes escapes of unreserved characters, and writes other escapes in upper case. */
const normalizeEscapes = (text: string): string =>
  text.replace(/%(?![0-9a-f]{2})/gi, "%25").replace(/%[0-9a-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : escape.toUpperCase()
  })

/** Removes trailing slashes and index files from a path. Searches backwards, in linear time for paths with any number of slashes. */
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
    .filter((parameter) => parameter !== "" && !isTracking(parameterName(parameter)))
    .map((parameter) => ({ name: parameterName(parameter), parameter }))
    // Parameters with the same name keep their order, which may be significant.
    .sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0))
  return parameters.length === 0 ? "" : `?${parameters.map(({ parameter }) => parameter).join("&")}`
}

/** URLs that are canonical as they are: most of those that pages and files have, and parsing one takes ten times as long. */
const isCanonical = /^https?:\/\/(?:[a-z\d]+(?:-[a-z\d]+)*\.)+[a-z]{2,}(?:\/(?!\.\.?(?:\/|$)|index\.html?$)[\w.~-]+)+$/

/**
 * Canonical URL of a page; undefined if the string is not an http(s) URL. It is only compared, never fetched.
 *
 * Scheme and host are in lower case, parameters are sorted by name, and escapes are normalized. Credentials, default port, dot
 * segments, fragment, tracking parameters, and a trailing `/` or `index.html` are removed. `http` and `https`, and hosts with and
 * without `www.`, stay different.
 */
export const canonicalUrl = (text: string): string | undefined => {
  if (text.length <= maxLength && isCanonical.test(text)) return text
  const url = parse(text)
  if (url === undefined) return undefined
  const name = nameOf(url)
  if (name === "") return undefined
  const port = url.port === "" ? "" : `:${url.port}`
  return `${url.protocol}//${name}${port}${canonicalPath(url.pathname)}${canonicalQuery(url.search)}`
}

/** Canonical URLs under which the same page may be known: with `http` and `https`, with and without `www.`. */
export const urlVariants = (text: string): ReadonlyArray<string> => {
  const canonical = canonicalUrl(text)
  if (canonical === undefined) return [text]
  const rest = canonical.replace(/^https?:\/\/(?:www\.)?/, "")
  return ["http://", "https://", "http://www.", "https://www."].map((start) => start + rest)
}

/** Host of an http(s) URL, in lower case and without the port; international names in ASCII form. */
export const host = (text: string): string | undefined => {
  const url = parse(text)
  return url === undefined ? undefined : nameOf(url) || undefined
}
