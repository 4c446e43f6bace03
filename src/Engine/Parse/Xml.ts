/** Reading untrusted XML of documents with searches: bounded matches, so that broken XML costs linear time. */

export const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag)
  return found === null ? undefined : plainText(found[1] ?? found[2] ?? "")
}

export const isTrue = (tag: string, name: string): boolean => /^(?:1|true|on)$/.test(attribute(tag, name) ?? "")

/** Tags of an element, with any prefix. */
export const tagsOf = (xml: string, name: string): ReadonlyArray<string> =>
  Array.from(xml.matchAll(new RegExp(`<(?:\\w{1,20}:)?${name}(?:\\s[^>]{0,4000})?>`, "g")), ([tag]) => tag)

/** Writes CDATA as text and removes comments, which the readers below do not know. */
export const withoutSections = (xml: string): string =>
  xml.includes("<!")
    ? xml
        .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;"))
        .replace(/<!--[\s\S]*?-->/g, "")
    : xml

const named = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"]
])

const reference = /&(?:(amp|lt|gt|quot|apos)|#(x[\da-f]+|\d+));/gi
const escaped = /_x([\da-f]{4})_/gi

/** Character of a reference such as `x1F600` or `128512`. */
const character = (number: string): string => {
  const code = /^x/i.test(number) ? Number.parseInt(number.slice(1), 16) : Number(number)
  return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd"
}

export const plainText = (text: string): string => {
  const decoded = text.includes("&")
    ? text.replace(reference, (whole, name: string | undefined, number: string | undefined) =>
        name === undefined ? character(number ?? "") : (named.get(name.toLowerCase()) ?? whole)
      )
    : text
  return decoded.includes("_x")
    ? decoded.replace(escaped, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : decoded
}
