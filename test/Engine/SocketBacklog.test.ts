/** Connections of a team that leave too many bytes unread. */

import * as Effect from "effect/Effect"
import * as PageMemory from "../../src/Engine/Teams/PageMemory.ts"
import * as SocketBacklog from "../../src/Engine/Teams/SocketBacklog.ts"
import { describe, expect, it } from "../It.ts"

const megabyte = 1024 * 1024

/** A peer that reads nothing unless it is said. */
const peer = () => {
  const closed: Array<readonly [code: number | undefined, reason: string]> = []
  return {
    closed,
    bufferedAmount: 0,
    close(code?: number, reason?: string | Buffer) {
      closed.push([code, String(reason)])
    },
    terminate() {
      this.bufferedAmount = 0
    }
  }
}

const reason = "Too many bytes for this team are unread, most of them on this connection"

describe("bytes that wait at WebSockets", () => {
  it.scoped("count as unread answers of their team until they are read, or the connection ends", function* () {
    const room = PageMemory.make(PageMemory.defaultShares(256 * megabyte))
    const { open } = SocketBacklog.make(room)
    const viewer = peer()
    yield* Effect.scoped(
      Effect.gen(function* () {
        const { count } = yield* open("a", viewer)
        viewer.bufferedAmount = 10 * megabyte + 1
        count()
        expect([room.unreadOf("a"), room.unreadOf("b")]).toEqual([10 * megabyte, 0])
        viewer.bufferedAmount = 2 * megabyte
        count()
        expect(room.unreadOf("a")).toBe(2 * megabyte)
        viewer.bufferedAmount = 1_000
        count()
        expect(room.unreadOf("a")).toBe(0)
        viewer.bufferedAmount = 5 * megabyte
        count()
      })
    )
    expect([room.unreadOf("a"), viewer.closed]).toEqual([0, []])
  })

  it.scoped("close the connection with most of them once the team has too many, and no other", function* () {
    const room = PageMemory.make(PageMemory.defaultShares(256 * megabyte))
    const { open } = SocketBacklog.make(room)
    const [slow, slower, quick, other] = [peer(), peer(), peer(), peer()]
    const grow = Effect.fnUntraced(function* (team: string, one: ReturnType<typeof peer>, bytes: number) {
      const connection = yield* open(team, one)
      one.bufferedAmount = bytes
      connection.count()
      return connection
    })
    yield* grow("b", other, 90 * megabyte)
    yield* grow("a", slow, 40 * megabyte)
    const ofSlower = yield* grow("a", slower, 50 * megabyte)
    expect(ofSlower.isFull()).toBe(false)
    // One message alone closes nothing.
    const ofQuick = yield* grow("a", quick, 10 * megabyte)
    expect([ofQuick.isFull(), slower.closed]).toEqual([true, []])
    quick.bufferedAmount = 11 * megabyte
    ofQuick.count()
    expect([slow.closed, slower.closed, quick.closed, other.closed]).toEqual([[], [[1013, reason]], [], []])
    // Its bytes are released in a moment, so no other connection is closed.
    quick.bufferedAmount = 12 * megabyte
    ofQuick.count()
    expect([slow.closed, quick.closed, ofQuick.isFull()]).toEqual([[], [], true])
    slower.terminate()
    ofSlower.count()
    expect([ofQuick.isFull(), room.unreadOf("a")]).toEqual([false, 52 * megabyte])
  })
})
