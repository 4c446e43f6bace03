/** Texts as keys of a database: what UTF-8 or a C string cannot hold is written in another way, and read back the same. */

const mark = "\u001b"
/** NUL, the mark itself, and half a surrogate pair. */
const unfit = new RegExp(`[\\0${mark}\\p{Surrogate}]`, "gu")
const marked = new RegExp(`${mark}([0-9a-f]{4})`, "g")

/** The text as it is stored; texts that differ stay different. */
export const encode = (text: string): string =>
  text.replace(unfit, (sign) => mark + sign.charCodeAt(0).toString(16).padStart(4, "0"))

/** The text that {@link encode} stored. */
export const decode = (stored: string): string =>
  stored.includes(mark)
    ? stored.replace(marked, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : stored
