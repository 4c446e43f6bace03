/** Messages on standard input that are too long: skipped and answered, and the next ones are read. */
import { text } from "node:stream/consumers"
import { describe, expect, it } from "vitest"
import { boundedLines, idOf, tooLong } from "../../src/Mcp/BoundedInput.ts"

const long = "x".repeat(5 * 1024 * 1024)

/** The lines that pass, and the ids of those that do not; the bytes come in pieces of a size. */
const through = async (input: string, size: number) => {
  const ids: Array<unknown> = []
  const lines = boundedLines(1024 * 1024, (id) => void ids.push(id))
  const read = text(lines)
  const bytes = Buffer.from(input)
  for (let at = 0; at < bytes.length; at += size) lines.write(bytes.subarray(at, at + size))
  lines.end()
  return { passed: (await read).split("\n").filter((line) => line !== ""), ids }
}

describe("a message of 5 MB", () => {
  for (const size of [1_000_003, 65_536, 64 * 1024 * 1024]) {
    it(`is skipped, and those around it pass, in pieces of ${size} bytes`, async () => {
      const before = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })
      const after = JSON.stringify({ method: "ping", jsonrpc: "2.0", id: 3 })
      const first = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { text: long } })
      const last = JSON.stringify({ method: "tools/call", params: { text: long }, jsonrpc: "2.0", id: "b" })
      const found = await through(`${before}\n${first}\n${after}\n${last}\n${before}\n`, size)
      expect(found).toEqual({ passed: [before, after, before], ids: [2, "b"] })
    })
  }

  it("that never ends takes no more memory than the limit, and is answered at the end of the input", async () => {
    expect((await through(long, 65_536)).ids).toEqual([null])
  })
})

describe("the id of a skipped message", () => {
  it("is never one of its arguments", () => {
    expect(idOf('{"params":{"jsonrpc":"2.0","id":7,', '"x"}}')).toBe(null)
    expect(idOf('{"method":"x","params":{', '"a":{"jsonrpc":"2.0","id":7}}}')).toBe(null)
    expect(idOf('{ "jsonrpc" : "2.0", "id" : 7, ', "")).toBe(7)
  })

  it("stands in the answer", () => {
    expect(JSON.parse(tooLong(7, 1024 * 1024))).toMatchObject({ id: 7, error: { code: -32_600 } })
  })
})
