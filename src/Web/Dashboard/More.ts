/** A list that the server gives piece by piece. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import { addressOf, ask, type Refusal } from "./Ask.ts"
import type { Next } from "./Protocol.ts"

type Given = Readonly<Record<string, string | number | undefined>>

interface Pieces<A> {
  readonly pieces: ReadonlyArray<A>
  readonly refusal: Refusal | undefined
}

/** The pieces so far. `more` asks for the next one, `again` for the first. */
export const useMore = <A extends { readonly next: Next }>(path: string, given: Given) => {
  const address = addressOf(path, given)
  const [{ pieces, refusal }, setState] = useState<Pieces<A>>({ pieces: [], refusal: undefined })
  const [isAsking, setAsking] = useState(true)
  const running = useRef<AbortController | undefined>(undefined)
  const next = pieces.at(-1)?.next ?? null

  const fetchFrom = useCallback(
    (after: string | undefined) => {
      running.current?.abort()
      const control = new AbortController()
      running.current = control
      setAsking(true)
      ask<A>(
        after === undefined
          ? address
          : `${address}${address.includes("?") ? "&" : "?"}after=${encodeURIComponent(after)}`,
        {},
        control.signal
      )
        .then(
          (piece) =>
            setState((before) => ({
              pieces: after === undefined ? [piece] : [...before.pieces, piece],
              refusal: undefined
            })),
          (failure: Refusal) => {
            if (failure.name !== "AbortError") setState((before) => ({ ...before, refusal: failure }))
          }
        )
        .finally(() => {
          if (running.current === control) setAsking(false)
        })
    },
    [address]
  )
  const again = useCallback(() => fetchFrom(undefined), [fetchFrom])
  const more = useCallback(() => {
    if (next !== null && !isAsking) fetchFrom(next)
  }, [next, isAsking, fetchFrom])
  useEffect(() => {
    again()
    return () => running.current?.abort()
  }, [again])
  return { pieces, refusal, isAsking, hasMore: next !== null, again, more }
}
