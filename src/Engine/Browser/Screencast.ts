/** The moving picture of one tab: taken once, whoever looks on, and each gets the newest that it has time for. */
import { safely } from "../../Callback.ts"
import { header } from "../../Web/Live/Protocol.ts"

/** One who looks on. */
export interface Watcher {
  /** Takes a picture, or remembers it in place of the one before; false when it has no room now. */
  readonly offer: (picture: Buffer) => boolean
}

/** What is asked of the browser. */
export interface Orders {
  readonly start: () => void
  readonly stop: () => void
  readonly acknowledge: (id: number) => void
}

/** What the browser says with a picture. */
export interface Frame {
  readonly data: string
  readonly sessionId: number
  readonly metadata: { readonly deviceWidth: number; readonly deviceHeight: number }
}

export interface Screencast {
  readonly join: (watcher: Watcher) => void
  readonly leave: (watcher: Watcher) => void
  readonly hear: (frame: Frame) => void
  /** A watcher has room again. */
  readonly relieved: () => void
  /** The browser can be asked from now on. */
  readonly begin: () => void
  readonly close: () => void
}

/** Least milliseconds between pictures: the browser sends the next two once it is told that we have those before. */
const spacing = 1000 / 30
/** While we hold its next picture back it drops what it draws, so after so many milliseconds of rest it is asked anew. */
const rest = 150

const pictureOf = ({ data, metadata }: Frame, number: number): Buffer => {
  const picture = Buffer.allocUnsafe(header.bytes + Buffer.byteLength(data, "base64"))
  picture.writeUInt32BE(number, header.number)
  picture.writeUInt16BE(Math.min(65_535, Math.round(metadata.deviceWidth)), header.width)
  picture.writeUInt16BE(Math.min(65_535, Math.round(metadata.deviceHeight)), header.height)
  picture.write(data, header.bytes, "base64")
  return picture
}

export const make = (orders: Orders): Screencast => {
  const watchers = new Set<Watcher>()
  const timers = new Set<NodeJS.Timeout>()
  let isReady = false
  let isMoving = false
  let last: Buffer | undefined
  let number = 0
  let owed: Array<number> = []
  let due = 0
  let quiet: NodeJS.Timeout | undefined

  const after = (millis: number, then: () => void) => {
    const timer = setTimeout(
      safely(() => {
        timers.delete(timer)
        then()
      }),
      millis
    )
    timers.add(timer)
  }

  const pay = () => {
    const now = performance.now()
    for (const id of owed) {
      due = Math.max(now, due + spacing)
      after(due - now, () => orders.acknowledge(id))
    }
    owed = []
  }

  const halt = () => {
    for (const timer of timers) clearTimeout(timer)
    timers.clear()
    clearTimeout(quiet)
    owed = []
    isMoving = false
  }

  const begin = () => {
    isReady = true
    if (watchers.size > 0) orders.start()
  }

  /** The first picture after a rest may have had followers that were dropped; the one after a fresh start has not. */
  const settle = () => {
    clearTimeout(quiet)
    if (!isMoving) {
      isMoving = true
      quiet = setTimeout(
        safely(() => {
          isMoving = false
        }),
        rest
      )
      return
    }
    quiet = setTimeout(
      safely(() => {
        isMoving = false
        orders.start()
      }),
      rest
    )
  }

  return {
    join: (watcher) => {
      watchers.add(watcher)
      if (last !== undefined) watcher.offer(last)
      if (watchers.size === 1 && isReady) orders.start()
    },
    leave: (watcher) => {
      if (!watchers.delete(watcher) || watchers.size > 0) return
      halt()
      last = undefined
      if (isReady) orders.stop()
    },
    hear: (frame) => {
      if (watchers.size === 0) return
      number += 1
      last = pictureOf(frame, number)
      owed.push(frame.sessionId)
      settle()
      let isTaken = false
      for (const watcher of watchers) isTaken = watcher.offer(last) || isTaken
      if (isTaken) pay()
    },
    relieved: pay,
    begin,
    close: halt
  }
}
