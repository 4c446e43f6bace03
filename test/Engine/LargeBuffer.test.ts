/** Bytes in one piece, whatever their number. */
import { connect, createServer } from "node:net"
import * as Effect from "effect/Effect"
import fc from "fast-check"
import { LargeBuffer } from "../../src/Engine/Teams/LargeBuffer.ts"
import { describe, expect, it } from "../It.ts"

const megabyte = 1024 * 1024

describe("a large buffer", () => {
  it("has what was appended, in order, wherever it becomes large", () => {
    const part = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.string({ unit: "binary" }),
      fc.constantFrom("é\ud83d\ude00".repeat(90_000), "x".repeat(megabyte), new Uint8Array(700_000).fill(7))
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const buffer = new LargeBuffer()
        for (const each of parts) {
          if (typeof each === "string") buffer.write(each)
          else buffer.push(each)
        }
        const all = Buffer.concat(parts.map((each) => (typeof each === "string" ? Buffer.from(each) : each)))
        expect(buffer.size).toBe(all.byteLength)
        expect(buffer.take().equals(all)).toBe(true)
      }),
      { numRuns: 30 }
    )
  })

  it("moves when it outgrows the address space that it reserved first", () => {
    const buffer = new LargeBuffer()
    for (let n = 0; n < 70; n++) buffer.push(new Uint8Array(megabyte).fill(n))
    const all = buffer.take()
    expect(all.byteLength).toBe(70 * megabyte)
    expect([0, 1, 63, 64, 69].map((n) => all[n * megabyte])).toEqual([0, 1, 63, 64, 69])
  })

  it.live("is written to a socket and copied to a thread like any other", function* () {
    const buffer = new LargeBuffer()
    for (let n = 0; n < 200; n++) buffer.write("0123456789".repeat(1_000))
    const all = buffer.take()
    expect(Buffer.from(structuredClone(all)).equals(all)).toBe(true)
    const received = yield* Effect.async<Buffer>((resume) => {
      const chunks: Array<Buffer> = []
      const server = createServer((socket) => {
        socket.on("data", (chunk) => chunks.push(chunk))
        socket.on("end", () => {
          server.close()
          resume(Effect.succeed(Buffer.concat(chunks)))
        })
      }).listen(0, "127.0.0.1", () => {
        const address = server.address()
        if (address !== null && typeof address === "object") connect(address.port, "127.0.0.1").end(all)
      })
    })
    expect(received.equals(all)).toBe(true)
  })
})
