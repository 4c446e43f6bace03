/**
 * Keeps bodies of cached pages that were read as a batch in memory until they are needed.
 *
 * A batch is read when its first body is requested. All batches share a limit: above `maxBytes`, the oldest batch is dropped. Each batch is
 * also dropped `lifetime` after it was read, because its other pages may wait for their host for hours. After that, its bodies are read one
 * by one.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { after } from "../../Callback.ts"

export interface Limits {
  /** Maximum bytes in memory. The newest batch is kept even if it alone is larger. */
  readonly maxBytes: number
  readonly lifetime: Duration.Duration
}

const usual: Limits = { maxBytes: 16 * 1024 * 1024, lifetime: Duration.seconds(30) }

type Bodies = ReadonlyMap<string, Uint8Array | undefined> | undefined

export interface Batch {
  readonly bytes: number
  /** Reads all bodies. */
  readonly readAll: Effect.Effect<Bodies>
  /** Reads one body. */
  readonly readOne: (key: string) => Effect.Effect<Uint8Array | undefined>
}

export const make = ({ lifetime, maxBytes }: Limits = usual) => {
  /** Size in bytes of each batch in memory, by the function that removes it; oldest batch first. */
  const kept = new Map<() => void, number>()
  let sum = 0

  const keep = (bytes: number, drop: () => void) => {
    const timer = after(Duration.toMillis(lifetime), () => remove()).unref()
    const remove = () => {
      clearTimeout(timer)
      kept.delete(remove)
      sum -= bytes
      drop()
    }
    kept.set(remove, bytes)
    sum += bytes
    for (const removeFirst of kept.keys()) {
      if (sum <= maxBytes || removeFirst === remove) return
      removeFirst()
    }
  }

  /** Opens a batch and returns a function that reads one of its bodies. */
  const open = ({
    bytes,
    readAll,
    readOne
  }: Batch): Effect.Effect<(key: string) => Effect.Effect<Uint8Array | undefined>> =>
    Effect.map(Effect.cached(readAll), (cached) => {
      let all: Effect.Effect<Bodies> | undefined = cached
      let isRead = false
      return (key) =>
        Effect.suspend(() => {
          if (all === undefined) return readOne(key)
          if (!isRead) {
            isRead = true
            keep(bytes, () => {
              all = undefined
            })
          }
          return Effect.map(all, (bodies) => bodies?.get(key))
        })
    })

  /** Drops all batches. Otherwise their timers would keep the store of a closed engine alive for the rest of `lifetime`. */
  const dropAll = () => {
    for (const removeFirst of kept.keys()) removeFirst()
  }

  return { open, dropAll, keptBytes: () => sum }
}
