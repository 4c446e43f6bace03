import { describe, expect, it } from "vitest"
import { maxAnswer, readMessages } from "../../../src/Engine/Render/CdpMessages.ts"

const read = (...chunks: ReadonlyArray<Buffer | string>) => {
  const heard: Array<object> = []
  const take = readMessages((message) => heard.push(message))
  for (const chunk of chunks) take(Buffer.from(chunk))
  return heard
}

const text = (length: number) => `${"x".repeat(length)}`

describe("messages of the browser", () => {
  it("are assembled from chunks of any size", () => {
    const whole = `{"id":1,"result":{"text":"ü"}}\0{"method":"Page.loadEventFired","params":{}}\0`
    const expected = [
      { id: 1, result: { text: "ü" } },
      { method: "Page.loadEventFired", params: {} }
    ]
    expect(read(whole)).toEqual(expected)
    expect(read(...[...Buffer.from(whole)].map((byte) => Buffer.from([byte])))).toEqual(expected)
  })

  it("that a page can send at any rate are dropped", () => {
    expect(
      read(`{"method":"Runtime.consoleAPICalled","params":{"args":[1]}}\0{"method":"Log.entryAdded"}\0{"id":2}\0`)
    ).toEqual([{ id: 2 }])
  })

  it("over the limit are dropped if they are events, and replaced by an error if they are responses", () => {
    const piece = text(1024 * 1024)
    const event = [`{"method":"Network.requestWillBeSent","params":{"url":"`, ...Array(5).fill(piece), `"}}\0`]
    expect(read(...event, `{"id":3}\0`)).toEqual([{ id: 3 }])
    const pieces = Array(maxAnswer / piece.length + 1).fill(piece)
    expect(read(`{"id":4,"result":{"data":"`, ...pieces, `"},"sessionId":"ABC"}\0{"id":5}\0`)).toEqual([
      { id: 4, sessionId: "ABC", error: { code: -32000, message: expect.stringContaining("longer than") } },
      { id: 5 }
    ])
  })
})
