/**
 * Replacement text of marked content (`/ActualText`). The library hands on only `/MCID`, so the text is put there in a copy of the
 * file: `<< /MCID 3 /ActualText (x) >>` becomes `<< /MCID [3 (x)] … >>`, in new versions of the streams at the end.
 *
 * Replacements that are named in the resources of a page, not written in its content, are not found.
 */
import { decoded, type FileObject, maxDecoded, objectsIn } from "./Objects.ts"

/** Streams that are not content: images, fonts, colours, packed objects. */
const otherStream = /\/Subtype\s*\/(?!Form\b)|\/Length1\b|\/FunctionType\b|\/Alternate\b|\/Type\s*\/(?!XObject\b)/

const key = "/ActualText"
/** Decoded bytes of a file in which replacement texts are looked for: a small file may hold any number of huge streams. */
const maxSearched = 128 * 1024 * 1024

/** Longest replacement text as it is written, in bytes. */
const maxString = 20_000

/** A string in hexadecimal digits or in parentheses that begins at `from`, as it is written. */
const stringAt = (text: string, from: number): string | undefined => {
  if (text[from] === "<") return /^<[\dA-Fa-f\s]*>/.exec(text.slice(from, from + maxString))?.[0]
  if (text[from] !== "(") return undefined
  let depth = 0
  for (let at = from; at < Math.min(text.length, from + maxString); at += 1) {
    if (text[at] === "\\") at += 1
    else if (text[at] === "(") depth += 1
    else if (text[at] === ")") depth -= 1
    if (depth === 0) return text.slice(from, at + 1)
  }
  return undefined
}

/** Largest distance between the start of a dictionary and its replacement text. */
const maxEntries = 500

/** Texts without an end in one stream, after which the rest of it is left as it is. */
const maxFailures = 100

/** Content with the replacement texts in the place of the ids of marked content. */
const rewritten = (content: string): string => {
  const parts: Array<string> = []
  let done = 0
  let failures = 0
  for (let at = content.indexOf(key); at >= 0; at = content.indexOf(key, at + 1)) {
    const from = at + key.length + (/^\s*/.exec(content.slice(at + key.length, at + key.length + 20))?.[0].length ?? 0)
    const text = stringAt(content, from)
    const start = Math.max(0, at - maxEntries) + content.slice(Math.max(0, at - maxEntries), at).lastIndexOf("<<")
    if (text === undefined) failures += 1
    if (failures > maxFailures) break
    if (text === undefined || start < Math.max(done, at - maxEntries)) continue
    const before = content.slice(start + 2, at)
    const [rest] = /^[^>]{0,500}>>/.exec(content.slice(from + text.length, from + text.length + 502)) ?? []
    if (rest === undefined) continue
    const id = /\/MCID\s+(\d+)/.exec(before + rest)?.[1] ?? "-1"
    const others = (entries: string): string => entries.replace(/\/MCID\s+\d+/, "")
    parts.push(content.slice(done, start), `<</MCID[${id} ${text}]${others(before)}${others(rest)}`)
    done = from + text.length + rest.length
  }
  return parts.join("") + content.slice(done)
}

/** Entries that a new section of the cross-reference table takes from the last one; undefined when the file is damaged. */
const lastSection = (text: string): string | undefined => {
  const [, offset] = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(text.slice(-1024)) ?? []
  const at = Number(offset ?? Number.NaN)
  if (Number.isNaN(at) || at >= text.length) return undefined
  const start = text.startsWith("xref", at) ? text.indexOf("trailer", at) : at
  const dictionary = text.slice(start, start + 4096).split(/\bstream\b|\bstartxref\b/, 1)[0] ?? ""
  const entries = [/\/Root\s+\d+\s+\d+\s+R/, /\/Info\s+\d+\s+\d+\s+R/, /\/Size\s+\d+/].map(
    (entry) => entry.exec(dictionary)?.[0]
  )
  if (start < 0 || entries[0] === undefined || entries[2] === undefined) return undefined
  return `<< ${entries.join(" ")} /Prev ${at} >>`
}

const newVersion = ({ generation, head, number }: FileObject, content: string): string => {
  const entries = head.replace(/\/Length\s+\d+(?:\s+\d+\s+R)?/, "").replace(/\/Filter\s*(?:\[[^\]]*\]|\/\w+)/, "")
  return `${number} ${generation} obj\n${entries.replace(/>>\s*$/, "")} /Length ${content.length} >>\nstream\n${content}\nendstream\nendobj\n`
}

/** The file with its replacement texts where the library hands them on; the same bytes when it has none, or is encrypted. */
export const withActualText = (bytes: Buffer): Buffer => {
  const text = bytes.toString("latin1")
  if (!text.startsWith("%PDF-") || /\/Encrypt\s+\d+\s+\d+\s+R/.test(text)) return bytes
  const added: Array<string> = []
  const places: Array<string> = []
  let length = bytes.length + 1
  let searched = 0
  for (const object of objectsIn(text)) {
    if (object.stream === undefined || otherStream.test(object.head)) continue
    if (searched > maxSearched) break
    const stream = decoded(bytes, text, object)
    searched += stream?.length ?? maxDecoded
    if (stream?.includes(key) !== true) continue
    const version = newVersion(object, rewritten(stream.toString("latin1")))
    const place = `${String(length).padStart(10, "0")} ${String(object.generation).padStart(5, "0")} n`
    places.push(`${object.number} 1\n${place} \n`)
    added.push(version)
    length += version.length
  }
  const section = added.length === 0 ? undefined : lastSection(text)
  if (section === undefined) return bytes
  const end = `xref\n${places.join("")}trailer\n${section}\nstartxref\n${length}\n%%EOF\n`
  return Buffer.concat([bytes, Buffer.from(`\n${added.join("")}${end}`, "latin1")])
}

/** Text of a string of the library: UTF-16 with a byte order mark, UTF-8 with one, or one byte for each letter. */
export const textOfString = (value: string): string => {
  const bytes = Buffer.from(value, "latin1")
  if (value.startsWith("\u00fe\u00ff"))
    return bytes
      .subarray(2, 2 + 2 * Math.floor((bytes.length - 2) / 2))
      .swap16()
      .toString("utf16le")
  return value.startsWith("\u00ef\u00bb\u00bf") ? bytes.subarray(3).toString("utf8") : value
}
