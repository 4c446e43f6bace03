/** Screencast of one tab: recorded once for all viewers. Each viewer gets the newest picture when it has room for one. */
import { after } from "../../Callback.ts"
import { header } from "../../Web/Live/Protocol.ts"

/** A viewer of the screencast. */
export interface Watcher {
  /** Sends a picture, or queues it in place of an older one. Returns false if the viewer has no room now. */
  readonly offer: (picture: Buffer) => boolean
}

/** CDP commands for the tab. */
export interface CastCommands {
  readonly start: () => void
  readonly stop: () => void
  readonly acknowledge: (id: number) => void
}

/** Params of `Page.screencastFrame`. */
export interface Frame {
  readonly data: string
  readonly sessionId: number
  readonly metadata: { readonly deviceWidth: number; readonly deviceHeight: number }
}

export interface Screencast {
  readonly join: (watcher: Watcher) => void
  readonly leave: (watcher: Watcher) => void
  readonly hear: (frame: Frame) => void
  /** Called when a viewer has room again. */
  readonly ready: () => void
  /** Called when the tab is attached, so that commands can be sent. */
  readonly begin: () => void
  readonly close: () => void
}

/**
 * Minimum milliseconds between pictures, enforced by delaying acknowledgements: the browser sends at most two frames without
 * acknowledgement.
 */
const frameInterval = 1000 / 30
/** The browser drops frames while an acknowledgement is delayed. After this many milliseconds without a frame, the cast is restarted. */
const quietTime = 150

const pictureOf = ({ data, metadata }: Frame, number: number): Buffer => {
  const picture = Buffer.allocUnsafe(header.bytes + Buffer.byteLength(data, "base64"))
  picture.writeUInt32BE(number, header.number)
  picture.writeUInt16BE(Math.min(65_535, Math.round(metadata.deviceWidth)), header.width)
  picture.writeUInt16BE(Math.min(65_535, Math.round(metadata.deviceHeight)), header.height)
  picture.write(data, header.bytes, "base64")
  return picture
}

export const make = (orders: CastCommands): Screencast => {
  const watchers = new Set<Watcher>()
  const timers = new Set<NodeJS.Timeout>()
  let isReady = false
  let isMoving = false
  let last: Buffer | undefined
  let number = 0
  let unacknowledged: Array<number> = []
  let due = 0
  let quiet: NodeJS.Timeout | undefined

  const acknowledgeAll = () => {
    const now = performance.now()
    for (const id of unacknowledged) {
      due = Math.max(now, due + frameInterval)
      const timer = after(due - now, () => {
        timers.delete(timer)
        orders.acknowledge(id)
      })
      timers.add(timer)
    }
    unacknowledged = []
  }

  const halt = () => {
    for (const timer of timers) clearTimeout(timer)
    timers.clear()
    clearTimeout(quiet)
    unacknowledged = []
    isMoving = false
  }

  const begin = () => {
    isReady = true
    if (watchers.size > 0) orders.start()
  }

  /**
   * Restarts the cast after a burst of pictures, because the last ones may have been dropped. The picture that follows a restart ends the
   * burst.
   */
  const restartWhenQuiet = () => {
    clearTimeout(quiet)
    const isRestarted = isMoving
    isMoving = true
    quiet = after(quietTime, () => {
      isMoving = false
      if (isRestarted) orders.start()
    })
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
      unacknowledged.push(frame.sessionId)
      restartWhenQuiet()
      let isTaken = false
      for (const watcher of watchers) isTaken = watcher.offer(last) || isTaken
      if (isTaken) acknowledgeAll()
    },
    ready: acknowledgeAll,
    begin,
    close: halt
  }
}
