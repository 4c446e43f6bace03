/** Takes secrets out of what is recorded, in every spelling in which a service or a page may echo them. */

/** A secret, and what stands for it in the recording. */
export interface Secret {
  readonly value: string
  /** `{secrets.TOKEN}`. */
  readonly mark: string
}

/** Shorter secrets cannot be distinguished from other content. */
export const shortest = 6

const entities: Readonly<Record<string, string>> = {
  "&": "&(?:amp|#38);",
  "<": "&(?:lt|#60);",
  ">": "&(?:gt|#62);",
  '"': "&(?:quot|#34);",
  "'": "&(?:apos|#39|#x27);"
}

/** A character as it is, or as Markdown, JSON, HTML and addresses write it. */
const spellings = (character: string): string => {
  if (/^[A-Za-z0-9]$/.test(character)) return character
  const literal = character.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")
  const percent = [...Buffer.from(character)]
    .map(
      (byte) =>
        `%${[...byte.toString(16).padStart(2, "0")].map((digit) => `[${digit}${digit.toUpperCase()}]`).join("")}`
    )
    .join("")
  const unicode = [...Array(character.length).keys()]
    .map((index) => `\\\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
    .join("")
  // The longer ones first: what begins as the character itself would be left in part.
  return `(?:${[percent, unicode, entities[character]].filter((each) => each !== undefined).join("|")}|\\\\?${literal})`
}

/** The part of every Base64 text around the secret that only the secret decides: for each of the three ways to begin. */
const base64Of = (value: string): ReadonlyArray<string> =>
  [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)])
    const inner = bytes.toString("base64").slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6))
    if (inner.length < 8) return []
    return [inner.replace(/[+/]/g, "\\$&"), inner.replaceAll("+", "-").replaceAll("/", "_")]
  })

/** Replaces every secret, the longest first, so that none is found inside another. */
export const masking = (secrets: ReadonlyArray<Secret>): ((text: string) => string) => {
  const patterns = [...secrets]
    .filter(({ value }) => value.length >= shortest)
    .sort((a, b) => b.value.length - a.value.length)
    .map(({ mark, value }) => ({
      mark,
      pattern: new RegExp([[...value].map(spellings).join(""), ...base64Of(value)].join("|"), "g")
    }))
  return (text) => patterns.reduce((now, { mark, pattern }) => now.replace(pattern, () => mark), text)
}

const sensitive = /^(proxy-)?authorization$|^(set-)?cookie$|(^|[-_])(api[-_]?key|token|secret|password)$/i

/** Header values that are a secret by their name alone: what a step sends along, written as a literal. */
export const headerSecrets = (value: unknown): ReadonlyArray<string> => {
  if (typeof value !== "object" || value === null) return []
  if (Array.isArray(value)) return value.flatMap(headerSecrets)
  return Object.entries(value).flatMap(([key, item]) =>
    key === "headers" && typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.entries(item).flatMap(([name, each]) => (sensitive.test(name) && typeof each === "string" ? [each] : []))
      : headerSecrets(item)
  )
}

/** The same request with a mark for each of them, unless a named secret's mark stands there. */
export const hideHeaders = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(hideHeaders)
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === "headers" && typeof item === "object" && item !== null && !Array.isArray(item)
        ? Object.fromEntries(
            Object.entries(item).map(([name, each]) => [
              name,
              sensitive.test(name) && !(typeof each === "string" && each.includes("{secrets.")) ? "{masked}" : each
            ])
          )
        : hideHeaders(item)
    ])
  )
}
