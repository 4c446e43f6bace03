/** Removes secrets from recordings, in every encoding in which a service or a page may repeat them. */
import type { Asked } from "../Recording.ts"

/** A secret, and its placeholder in the recording. */
export interface Secret {
  readonly value: string
  /** Placeholder such as `{secrets.TOKEN}`. */
  readonly mark: string
}

/** Minimum length of a secret to remove: a shorter one cannot be told from other content. */
export const minLength = 6

const entities: Readonly<Record<string, string>> = {
  "&": "&(?:amp|#38);",
  "<": "&(?:lt|#60);",
  ">": "&(?:gt|#62);",
  '"': "&(?:quot|#34);",
  "'": "&(?:apos|#39|#x27);"
}

/** Letters that stand for control characters in JSON. */
const letters: Readonly<Record<string, string>> = { "\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f" }

/**
 * Pattern of a character, or of some backslashes in a row, plain or escaped as in Markdown, JSON (also in a string of JSON, up to three
 * deep), HTML and URLs.
 */
const encodings = (piece: string): string => {
  if (/^[A-Za-z0-9]$/.test(piece)) return piece
  const percent = [...Buffer.from(piece)]
    .map(
      (byte) =>
        `%${[...byte.toString(16).padStart(2, "0")].map((digit) => `[${digit}${digit.toUpperCase()}]`).join("")}`
    )
    .join("")
  const unicode = [...Array(piece.length).keys()]
    .map((index) => `\\\\{1,7}u${piece.charCodeAt(index).toString(16).padStart(4, "0")}`)
    .join("")
  const letter = letters[piece]
  const escaped = letter === undefined ? undefined : `\\\\{1,7}${letter}`
  const literal = piece.startsWith("\\")
    ? // One pattern for all of them: with one for each, a text of many backslashes would match in too many ways.
      `\\\\{${piece.length},${8 * piece.length}}`
    : `\\\\{0,7}${piece.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")}`
  // Longer alternatives first: the plain character would match only the start of its escape.
  return `(?:${[percent, unicode, escaped, entities[piece], literal].filter((each) => each !== undefined).join("|")})`
}

/** Base64 forms of a secret inside longer data, one per alignment, without characters that depend on the surrounding data. */
const base64Of = (value: string): ReadonlyArray<string> =>
  [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)])
    const inner = bytes.toString("base64").slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6))
    if (inner.length < 8) return []
    return [inner.replace(/[+/]/g, "\\$&"), inner.replaceAll("+", "-").replaceAll("/", "_")]
  })

/** Replaces each secret by its placeholder, longest first, so that no secret is found inside another one. */
export const masking = (secrets: ReadonlyArray<Secret>): ((text: string) => string) => {
  const patterns = [...secrets]
    .filter(({ value }) => value.length >= minLength)
    .sort((a, b) => b.value.length - a.value.length)
    .map(({ mark, value }) => ({
      mark,
      pattern: new RegExp([(value.match(/\\+|./gsu) ?? []).map(encodings).join(""), ...base64Of(value)].join("|"), "g")
    }))
  return (text) => patterns.reduce((now, { mark, pattern }) => now.replace(pattern, () => mark), text)
}

/** Pattern of the names of headers that have secret values, in requests and responses. */
export const sensitiveHeader =
  /^(proxy-)?authorization$|^(set-)?cookie2?$|(^|[-_])((api|auth|access|subscription|functions)[-_]?key|token|secret|password|session[-_]?id)$/i

/** Values of headers whose names say that they are secret (`sensitiveHeader`), written literally in a definition. */
export const headerSecrets = (value: unknown): ReadonlyArray<string> => {
  if (typeof value !== "object" || value === null) return []
  if (Array.isArray(value)) return value.flatMap(headerSecrets)
  return Object.entries(value).flatMap(([key, item]) =>
    key === "headers" && typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.entries(item).flatMap(([name, each]) =>
          sensitiveHeader.test(name) && typeof each === "string" ? [each] : []
        )
      : headerSecrets(item)
  )
}

/** Replaces the values of such headers by `{masked}` in a request. Placeholders of named secrets stay. */
const hideHeaders = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(hideHeaders)
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === "headers" && typeof item === "object" && item !== null && !Array.isArray(item)
        ? Object.fromEntries(
            Object.entries(item).map(([name, each]) => [
              name,
              sensitiveHeader.test(name) && !(typeof each === "string" && each.includes("{secrets."))
                ? "{masked}"
                : each
            ])
          )
        : hideHeaders(item)
    ])
  )
}

const parameter = /(^|[?&])([\w.[\]-]+)=([^&]*)/g
const sensitiveParameter =
  /^(key|app_?id|sig|signature)$|(^|[-_.])((api|access|auth|subscription)[-_]?key|token|secret|password)$/i

/** Pattern of the names of headers and parameters with paging tokens, which are kept, because they select the response. */
const paging = /next|page|contin|cursor|sync|start|after/i

/** True for a response header whose value is a secret. */
export const isSecretOfAnswer = (name: string): boolean => sensitiveHeader.test(name) && !paging.test(name)

const isSecretParameter = (name: string): boolean => sensitiveParameter.test(name) && !paging.test(name)

const formsOf = ({ path, text }: Asked): ReadonlyArray<string> => [path, ...(text === undefined ? [] : [text])]

/** Values of parameters whose names say that they are secret, in a query or a form. */
export const parameterSecrets = (request: Asked): ReadonlyArray<string> =>
  formsOf(request).flatMap((text) =>
    [...text.matchAll(parameter)].flatMap(([all, lead = "", name = ""]) =>
      isSecretParameter(name) ? [new URLSearchParams(all.slice(lead.length)).get(name) ?? ""] : []
    )
  )

const hideParameters = (text: string): string =>
  text.replace(parameter, (all: string, lead: string, name: string, value: string) =>
    isSecretParameter(name) && !value.includes("{secrets.") ? `${lead}${name}={masked}` : all
  )

/** Replaces secrets that are literals in the definition by `{masked}` in a request. */
export const hideLiterals = ({ path, text, ...rest }: Asked): Asked => ({
  ...(hideHeaders(rest) as Omit<Asked, "path">),
  path: hideParameters(path),
  ...(text === undefined ? {} : { text: hideParameters(text) })
})
