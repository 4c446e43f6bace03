/** Watchers of a job that do not answer pings: those that read nothing are disconnected sooner than those that read slowly. */
import { EventEmitter, once } from "node:events"
import { type AddressInfo, createConnection, createServer, type Socket } from "node:net"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import type { WebSocket } from "ws"
import { open } from "../../../src/Engine/Handlers/WatchSocket.ts"
import { acceptedBytes } from "../../../src/Engine/Http/AcceptedBytes.ts"
import { describe, expect, it } from "../../It.ts"

/** The engine's end of a connection. */
class Line extends EventEmitter {
  readonly OPEN = 1
  readyState = 1
  pings = 0
  accepted = 0
  resume() {}
  ping() {
    this.pings += 1
    this.accepted += 2
  }
  terminate() {
    this.readyState = 3
    this.emit("close")
  }
  close() {
    this.terminate()
  }
}

const watched = Effect.gen(function* () {
  const line = new Line()
  yield* open(line as unknown as WebSocket, Duration.seconds(30), () => line.accepted)
  const beat = (accepted: number) =>
    Effect.suspend(() => {
      line.accepted += accepted
      return TestClock.adjust("30 seconds")
    })
  return { line, beat }
})

describe("a watcher that does not answer pings", () => {
  it.scoped("is disconnected at the next ping if it reads nothing", function* () {
    const { beat, line } = yield* watched
    yield* beat(1_000)
    expect([line.pings, line.readyState]).toEqual([1, 1])
    yield* beat(0)
    expect([line.pings, line.readyState]).toEqual([1, 3])
  })

  it.scoped("is disconnected after four pings if it reads, and stays if it answers one of them", function* () {
    const { beat, line } = yield* watched
    for (let n = 0; n < 4; n++) yield* beat(1)
    expect([line.pings, line.readyState]).toEqual([4, 1])
    line.emit("pong")
    for (let n = 0; n < 4; n++) yield* beat(1)
    expect([line.pings, line.readyState]).toEqual([8, 1])
    yield* beat(1)
    expect([line.pings, line.readyState]).toEqual([8, 3])
  })

  it.scoped("is disconnected once it stops to read", function* () {
    const { beat, line } = yield* watched
    for (let n = 0; n < 3; n++) yield* beat(1)
    expect([line.pings, line.readyState]).toEqual([3, 1])
    yield* beat(0)
    expect([line.pings, line.readyState]).toEqual([3, 3])
  })
})

/** Two connected sockets. */
const pair = Effect.gen(function* () {
  const server = createServer()
  yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
  yield* Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening"))
  const reader = createConnection({ port: (server.address() as AddressInfo).port, host: "127.0.0.1" }).pause()
  const [writer] = (yield* Effect.promise(() => once(server, "connection"))) as [Socket]
  yield* Effect.addFinalizer(() => Effect.sync(() => [reader, writer].map((socket) => socket.destroy())))
  return { reader, writer }
})

describe("the accepted bytes of a socket", () => {
  it.scopedLive("grow while a long write is read, and are all of them in the end", () =>
    Effect.gen(function* () {
      const { reader, writer } = yield* pair
      const length = 64 * 1024 * 1024
      const written = new Promise((resolve) => writer.write(Buffer.alloc(length), resolve))
      const accepted = Effect.sync(() => acceptedBytes(writer))
      const first = yield* accepted
      expect(first).toBeLessThan(length)
      const until = (bytes: number) =>
        Effect.repeat(Effect.delay(accepted, "2 millis"), { until: (now) => now >= bytes })
      let read = 0
      reader.on("data", ({ byteLength }) => {
        read += byteLength
        if (read > 32 * 1024 * 1024) reader.pause()
      })
      reader.resume()
      const half = yield* until(32 * 1024 * 1024)
      expect(half).toBeLessThan(length)
      expect(writer.writableLength).toBe(length)
      reader.removeAllListeners("data").resume()
      yield* Effect.promise(() => written)
      expect(yield* accepted).toBe(length)
      writer.destroy()
      expect(yield* accepted).toBe(0)
    }).pipe(Effect.timeout("20 seconds"))
  )
})
