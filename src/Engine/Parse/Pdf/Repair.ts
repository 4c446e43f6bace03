/** Repairs PDF files that are truncated or have lost their trailer. Readers rebuild the cross-reference table in that case. */
import { decoded, maxDecoded, objectsIn } from "./Objects.ts"

/** Maximum bytes of packed objects to read, because a small file may contain any number of huge streams. */
const maxPacked = 64 * 1024 * 1024

const isType = (head: string, type: string): boolean => new RegExp(`/Type\\s*/${type}\\b`).test(head)

/** Returns the objects in an object stream as text, without truncated ones. */
const objectsOf = (stream: Buffer, head: string): ReadonlyArray<readonly [number: number, content: string]> => {
  const text = stream.toString("latin1")
  const first = Number(/\/First\s+(\d+)/.exec(head)?.[1] ?? 0)
  const numbers = text.slice(0, first).match(/\d+/g)?.map(Number) ?? []
  return numbers.flatMap((number, at) => {
    const start = first + (numbers[at + 1] ?? 0)
    const content = at % 2 === 1 ? "" : text.slice(start, first + (numbers[at + 3] ?? text.length))
    return content.trim() === "" ? [] : [[number, content] as const]
  })
}

/** Returns the file with its readable objects and a new trailer; undefined if it has no pages. */
export const repaired = (bytes: Buffer): Buffer | undefined => {
  const text = bytes.toString("latin1")
  const added: Array<string> = []
  const heads = new Map<number, string>()
  let packed = 0
  for (const object of objectsIn(text)) {
    heads.set(object.number, object.head)
    if (!isType(object.head, "ObjStm") || packed > maxPacked) continue
    const stream = decoded(bytes, text, object)
    packed += stream?.length ?? maxDecoded
    for (const [number, content] of stream === undefined ? [] : objectsOf(stream, object.head)) {
      heads.set(number, content)
      added.push(`${number} 0 obj\n${content}\nendobj\n`)
    }
  }
  const all = [...heads]
  const pages = all.filter(([, head]) => isType(head, "Page"))
  if (pages.length === 0) return undefined
  const [catalog, head] = all.findLast(([, head]) => isType(head, "Catalog")) ?? []
  const tree = heads.get(Number(/\/Pages\s+(\d+)/.exec(head ?? "")?.[1] ?? -1))
  let root = catalog
  const size = 2 + Math.max(...all.map(([number]) => number))
  if (root === undefined || tree === undefined) {
    root = size
    const kids = pages.map(([number]) => `${number} 0 R`).join(" ")
    added.push(`${size + 1} 0 obj\n<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>\nendobj\n`)
    added.push(`${root} 0 obj\n<< /Type /Catalog /Pages ${size + 1} 0 R >>\nendobj\n`)
  }
  // The word "endstream" also ends with the keyword that starts a stream.
  const isOpen =
    text.lastIndexOf("endstream") + 3 < Math.max(text.lastIndexOf("stream\n"), text.lastIndexOf("stream\r\n"))
  const secrets = [/\/Encrypt\s+\d+\s+\d+\s+R/, /\/ID\s*\[[^\]]{0,200}\]/].map((entry) => entry.exec(text)?.[0] ?? "")
  const end = `trailer\n<< /Size ${size + 2} /Root ${root} 0 R ${secrets.join(" ")} >>\nstartxref\n0\n%%EOF\n`
  return Buffer.concat([
    bytes,
    Buffer.from(`${isOpen ? "\nendstream\nendobj" : ""}\n${added.join("")}${end}`, "latin1")
  ])
}
