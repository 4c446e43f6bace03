/** The runs that a list shows: fetched piece by piece as somebody scrolls, and kept up to date by events. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import { ask, type Refusal } from "./Ask.ts"
import { useEvent } from "./Feed.ts"
import type { RunLine, RunList } from "./Protocol/Runs.ts"
import { type Next, paths } from "./Protocol.ts"

export interface Filter {
  readonly pipeline?: string | undefined
  readonly state?: string | undefined
  readonly text?: string | undefined
  readonly group?: string | undefined
}

interface Lines {
  readonly lines: ReadonlyArray<RunLine>
  /** Undefined until the first answer. */
  readonly next: Next | undefined
  readonly refusal: Refusal | undefined
}

/** Asked for at once when somebody scrolls. */
const piece = 200

/** Newest first, each once, as it was told last. */
const merge = (one: ReadonlyArray<RunLine>, other: ReadonlyArray<RunLine>): ReadonlyArray<RunLine> => {
  const byId = new Map([...one, ...other].map((line) => [line.id, line]))
  return [...byId.values()].sort((a, b) => b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1))
}

const fits = (line: RunLine, { pipeline, state }: Filter): boolean =>
  (pipeline === undefined || line.pipeline === pipeline) && (state === undefined || line.state === state)

/** Shards stand in the list of their group alone. */
const isShard = ({ id }: RunLine): boolean => id.includes(".")

export const useRuns = (filter: Filter) => {
  const { group, pipeline, state, text } = filter
  const [{ lines, next, refusal }, setLines] = useState<Lines>({ lines: [], next: undefined, refusal: undefined })
  const running = useRef<AbortController | undefined>(undefined)
  const isFetching = useRef(false)
  const later = useRef(0)

  const fetchFrom = useCallback(
    (after: string | undefined, limit: number) => {
      running.current?.abort()
      const control = new AbortController()
      running.current = control
      isFetching.current = true
      ask<RunList>(paths.runs, { pipeline, state, text, group, after, limit }, control.signal)
        .then(
          (answer) =>
            setLines((before) => ({
              lines: after === undefined ? replaceTop(before, answer) : merge(before.lines, answer.runs),
              next: after === undefined && before.lines.length > answer.runs.length ? before.next : answer.next,
              refusal: undefined
            })),
          (failure: Refusal) => {
            if (failure.name !== "AbortError") setLines((before) => ({ ...before, refusal: failure }))
          }
        )
        .finally(() => {
          if (running.current === control) isFetching.current = false
        })
    },
    [pipeline, state, text, group]
  )
  const again = useCallback(() => fetchFrom(undefined, 50), [fetchFrom])

  useEffect(() => {
    setLines({ lines: [], next: undefined, refusal: undefined })
    again()
    return () => {
      running.current?.abort()
      clearTimeout(later.current)
    }
  }, [again])

  // What happened between the first answer and the greeting was told to nobody.
  useEvent("hello", ({ isGap }) => {
    clearTimeout(later.current)
    later.current = window.setTimeout(again, isGap ? 0 : 400)
  })
  useEvent("runs", ({ runs }) => {
    const own =
      group === undefined ? runs.filter((line) => !isShard(line)) : runs.filter(({ id }) => id.startsWith(`${group}.`))
    if (own.length === 0) return
    setLines((before) => {
      const known = new Set(before.lines.map(({ id }) => id))
      // Whether a new one holds the text only the server knows.
      if (text !== undefined && own.some(({ id }) => !known.has(id))) {
        clearTimeout(later.current)
        later.current = window.setTimeout(again, 1_000)
      }
      const wanted = own.filter((line) => text === undefined || known.has(line.id))
      return { ...before, lines: merge(before.lines, wanted).filter((line) => fits(line, { pipeline, state })) }
    })
  })
  useEvent("gone", ({ runs }) =>
    setLines((before) => ({ ...before, lines: before.lines.filter(({ id }) => !runs.includes(id)) }))
  )

  const seen = useCallback(
    (_: number, last: number) => {
      if (typeof next === "string" && !isFetching.current && last > lines.length - 40) fetchFrom(next, piece)
    },
    [next, lines.length, fetchFrom]
  )
  return { lines, hasMore: typeof next === "string", isKnown: next !== undefined, refusal, again, seen }
}

/** The newest ones, told anew: what is not among them any more has gone. */
const replaceTop = (before: Lines, { next, runs }: RunList): ReadonlyArray<RunLine> => {
  const oldest = runs.at(-1)
  if (next === null || oldest === undefined) return runs
  return merge(
    before.lines.filter(
      ({ id, startedAt }) => startedAt < oldest.startedAt || (startedAt === oldest.startedAt && id < oldest.id)
    ),
    runs
  )
}
