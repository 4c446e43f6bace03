/** The parts of the live view that need no browser. */
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Screencast from "../../../src/Engine/Browser/Screencast.ts"
import { addressOf, commandOf } from "../../../src/Engine/Browser/ViewInput.ts"
import { live, over } from "../../../src/Web/Live/Page.ts"
import { header } from "../../../src/Web/Live/Protocol.ts"
import { FromWatcher, Steering } from "../../../src/Web/Live/Steering.ts"

const metadata = { deviceWidth: 1280, deviceHeight: 713 }

const ordered = () => {
  const orders: Array<string> = []
  const screencast = Screencast.make({
    start: () => orders.push("start"),
    stop: () => orders.push("stop"),
    acknowledge: (id) => orders.push(`ack ${id}`)
  })
  return { orders, screencast }
}

/** A watcher that takes a given number of pictures. */
const viewer = () => {
  const pictures: Array<Buffer> = []
  const one = {
    pictures,
    hasRoom: true,
    offer: (picture: Buffer) => {
      if (one.hasRoom) pictures.push(picture)
      return one.hasRoom
    }
  }
  return one
}

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

describe("A screencast", () => {
  it("is begun once for all who look on, and ends with the last of them", () => {
    const { orders, screencast } = ordered()
    const [first, second] = [viewer(), viewer()]
    screencast.join(first)
    expect(orders).toEqual([])
    screencast.begin()
    screencast.hear({ data: "AAAA", sessionId: 1, metadata })
    screencast.join(second)
    // A watcher that joins later gets the last picture, although nothing moves.
    expect(second.pictures).toEqual(first.pictures)
    const picture = first.pictures[0] ?? Buffer.alloc(0)
    expect(picture.readUInt16BE(header.width)).toBe(1280)
    expect(picture.readUInt16BE(header.height)).toBe(713)
    expect([...picture.subarray(header.bytes)]).toEqual([0, 0, 0])
    screencast.leave(first)
    expect(orders).toEqual(["start"])
    screencast.leave(second)
    expect(orders).toEqual(["start", "stop"])
  })

  it("requests pictures only while a watcher has room, and a slow watcher does not delay others", async () => {
    const { orders, screencast } = ordered()
    const [fast, slow] = [viewer(), viewer()]
    slow.hasRoom = false
    screencast.begin()
    screencast.join(slow)
    screencast.hear({ data: "AAAA", sessionId: 7, metadata })
    await pause(5)
    expect(orders).toEqual(["start"])
    screencast.ready()
    await pause(5)
    expect(orders).toEqual(["start", "ack 7"])
    screencast.join(fast)
    screencast.hear({ data: "AAAB", sessionId: 8, metadata })
    await pause(50)
    expect(orders).toEqual(["start", "ack 7", "ack 8"])
    screencast.close()
  })

  it("is restarted after motion, because its last picture may have been dropped", async () => {
    const { orders, screencast } = ordered()
    screencast.begin()
    screencast.join(viewer())
    for (const sessionId of [1, 2]) screencast.hear({ data: "AAAA", sessionId, metadata })
    await pause(200)
    screencast.hear({ data: "AAAA", sessionId: 3, metadata })
    await pause(200)
    expect(orders.filter((order) => order === "start").length).toBe(2)
    screencast.close()
  })
})

describe("What people do", () => {
  it("becomes addresses as people write them, and nothing that is none", () => {
    expect(addressOf(" example.com/a b ")).toBeUndefined()
    expect(addressOf("example.com/a")).toBe("https://example.com/a")
    expect(addressOf("example.com:8080")).toBe("https://example.com:8080")
    expect(addressOf("localhost:3000/x")).toBe("http://localhost:3000/x")
    expect(addressOf("127.0.0.1:3000")).toBe("http://127.0.0.1:3000")
    expect(addressOf("http://example.com")).toBe("http://example.com")
    expect(addressOf("javascript:alert(1)")).toBeUndefined()
    // Refused where those of programs are, with the same words.
    expect(addressOf("file:///etc/passwd")).toBe("file:///etc/passwd")
    expect(addressOf("")).toBeUndefined()
  })

  it("becomes commands to the browser", () => {
    expect(
      commandOf({ type: "mouse", action: "down", x: 1, y: 2, button: "left", buttons: 1, clicks: 2, modifiers: 8 })
    ).toEqual([
      "Input.dispatchMouseEvent",
      { type: "mousePressed", x: 1, y: 2, button: "left", buttons: 1, clickCount: 2, modifiers: 8 }
    ])
    const key = {
      type: "key",
      key: "a",
      code: "KeyA",
      keyCode: 65,
      location: 0,
      isRepeat: false,
      modifiers: 0
    } as const
    expect(commandOf({ ...key, action: "down", text: "a" })[1]).toMatchObject({ type: "keyDown", text: "a" })
    expect(commandOf({ ...key, action: "down", text: "" })[1]).toMatchObject({ type: "rawKeyDown" })
    expect(commandOf({ ...key, action: "up", text: "" })[1]).toMatchObject({ type: "keyUp", windowsVirtualKeyCode: 65 })
    expect(commandOf({ type: "compose", text: "に", start: 1, end: 1 })[0]).toBe("Input.imeSetComposition")
    expect(commandOf({ type: "touch", action: "end", points: [], modifiers: 0 })).toEqual([
      "Input.dispatchTouchEvent",
      { type: "touchEnd", touchPoints: [], modifiers: 0 }
    ])
  })

  it("is read within bounds, and of a watcher nothing that steers", () => {
    const isSteering = (message: object) => Either.isRight(Schema.decodeUnknownEither(Steering)(message))
    expect(isSteering({ type: "size", width: 800, height: 600 })).toBe(true)
    expect(isSteering({ type: "size", width: 8000, height: 600 })).toBe(false)
    expect(isSteering({ type: "text", text: "x".repeat(100_001) })).toBe(false)
    expect(isSteering({ type: "wheel", x: 0, y: 0, dx: 0, dy: Number.POSITIVE_INFINITY, modifiers: 0 })).toBe(false)
    expect(Either.isLeft(Schema.decodeUnknownEither(FromWatcher)({ type: "text", text: "x" }))).toBe(true)
  })
})

describe("The page of the live view", () => {
  it("has no script or style of its own, and names everything that can be pressed", () => {
    for (const html of [live("watch"), live("interact"), over("<Over>", "a & b")]) {
      expect(html).not.toMatch(/<style|<script(?![^>]* src=)| style=| on\w+=/)
      for (const [, attributes, text] of html.matchAll(/<button([^>]*)>([^<]*)/g)) {
        expect(/aria-label="[^"]+"/.test(attributes ?? "") || text !== "").toBe(true)
      }
    }
    expect(over("<Over>", "a & b")).toContain("&lt;Over&gt;")
  })
})
