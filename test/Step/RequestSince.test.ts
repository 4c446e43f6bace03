/** `since` of the step `request`: what the next run asks for, and which rows it gives. */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { serve } from "../Client/Server.ts"
import { project, stepLine } from "../Project.ts"
import { killedAtCommits } from "../Run/Lives.ts"
import { here } from "./OneApi.ts"

/** An API whose rows change from run to run; it gives those with `at` of at least `since`. */
const setup = (pageSize = 10) =>
  Effect.gen(function* () {
    let rows: ReadonlyArray<{ readonly id: number; readonly at: string | number }> = []
    const server = yield* serve(({ path }) => {
      const query = new URL(path, "http://x").searchParams
      const since = query.get("since")
      const page = Number(query.get("page") ?? 1)
      const found = rows.filter(
        ({ at }) => since === null || (typeof at === "number" ? at >= Number(since) : at >= since)
      )
      return { body: found.slice((page - 1) * pageSize, page * pageSize) }
    })
    const own = yield* project({})
    const steps = (since: unknown, more = {}) =>
      `${stepLine("request", { url: `${server.url}/items`, since, next: { page: { param: "page" } }, ...more })}  - write: { jsonl: rows.jsonl }\n`
    const run = (since: unknown, now: typeof rows, options = {}, more = {}) =>
      Effect.gen(function* () {
        rows = now
        const before = server.asked.length
        const ended = yield* own.run(steps(since, more), options).pipe(Effect.provide(here))
        const outcome = yield* ended.outcome
        const [first] = server.asked.slice(before)
        return {
          ...ended,
          outcome,
          ids: ended.rows.map(({ id }) => id),
          since: new URL(first?.path ?? "", "http://x").searchParams.get("since")
        }
      })
    return { run, own, steps, set: (now: typeof rows) => (rows = now) }
  })

const at = (time: string, ...ids: ReadonlyArray<number>) => ids.map((id) => ({ id, at: time }))

it.scoped("asks for what is new, and leaves out the rows of the last moment that come again", () =>
  Effect.gen(function* () {
    const { own, run } = yield* setup()
    const since = { param: "since", field: "at", start: "2026-01-01" }
    const old = [...at("2026-02-01T10:00:00Z", 1), ...at("2026-02-01T12:00:00Z", 2, 3)]
    const first = yield* run(since, old)
    expect([first.since, first.ids]).toEqual(["2026-01-01", [1, 2, 3]])
    const second = yield* run(since, [...old, ...at("2026-02-01T12:00:00Z", 4), ...at("2026-02-02T00:00:00Z", 5)])
    expect([second.since, second.ids]).toEqual(["2026-02-01T12:00:00Z", [4, 5]])
    const third = yield* run(since, old)
    expect([third.since, third.ids]).toEqual(["2026-02-02T00:00:00Z", []])
    const entries = yield* own.ledger.states.get("t", "request", "since")
    expect(entries?.value).toBe("2026-02-02T00:00:00Z")
  })
)

it.scoped("gives rows that appear late within the lag, and a changed row once more", () =>
  Effect.gen(function* () {
    const { run } = yield* setup()
    const since = { param: "since", field: "at", lag: "2h", key: "id" }
    const noon = at("2026-02-01T12:00:00Z", 1)
    yield* run(since, [...at("2026-02-01T09:00:00Z", 8), ...noon])
    const late = yield* run(since, [...at("2026-02-01T10:30:00Z", 2), ...noon])
    expect([late.since, late.ids]).toEqual(["2026-02-01T10:00:00Z", [2]])
    const changed = yield* run(since, [...at("2026-02-01T10:30:00Z", 2), ...at("2026-02-01T12:30:00Z", 1)])
    expect(changed.ids).toEqual([1])
  })
)

it.scoped("takes numbers, in the order of numbers", () =>
  Effect.gen(function* () {
    const { run } = yield* setup()
    const since = { param: "since", field: "at", lag: 10 }
    yield* run(since, [
      { id: 1, at: 99 },
      { id: 2, at: 1_000 }
    ])
    const next = yield* run(since, [
      { id: 2, at: 1_000 },
      { id: 3, at: 995 }
    ])
    expect([next.since, next.ids]).toEqual(["990", [3]])
  })
)

it.scoped("stays where it was after a trial, a read that was cut, and a run that failed", () =>
  Effect.gen(function* () {
    const { own, run, set, steps } = yield* setup(1)
    const since = { param: "since", field: "at" }
    yield* run(since, at("2026-02-01", 1))
    const more = [...at("2026-02-02", 2), ...at("2026-02-03", 3)]
    yield* run(since, more, { wanted: 1, trial: true, out: `${own.folder}/trial` })
    const cut = yield* run(since, more, {}, { next: { page: { param: "page" }, pages: 1 } })
    expect([cut.since, cut.ids]).toEqual(["2026-02-01", [2]])
    set(more)
    const failed = yield* own
      .run(steps(since).replace("  - write", "  - check: [{ rule: id != 3 }]\n    onError: fail\n  - write"))
      .pipe(Effect.provide(here))
    expect(failed.summary.status).toBe("failed")
    const next = yield* run(since, more)
    expect([next.since, next.ids]).toEqual(["2026-02-01", [2, 3]])
  })
)

it.scoped("is exact over kills: the next run gives no row again and misses none", () =>
  Effect.gen(function* () {
    const { run, set, steps } = yield* setup(2)
    const since = { param: "since", field: "at", lag: "1h" }
    const own = yield* project({ onTestClock: true })
    const old = Array.from({ length: 9 }, (_, id) => ({ id, at: `2026-02-01T1${id}:00:00Z` }))
    set(old)
    const { lives, rows } = yield* killedAtCommits(own, steps(since), { kills: 2, source: "request" }).pipe(
      Effect.provide(here)
    )
    expect([lives, rows.map(({ id }) => id)]).toEqual([3, old.map(({ id }) => id)])
    expect(run).toBeDefined()
    const again = yield* own.run(steps(since)).pipe(Effect.provide(here))
    expect(again.rows).toEqual([])
  })
)

it.scoped("skipUnchanged asks with the ETag of the last run that published its rows", () =>
  Effect.gen(function* () {
    let tag = '"1"'
    const server = yield* serve(({ headers }) =>
      headers["if-none-match"] === tag ? { status: 304 } : { body: [{ id: tag }], headers: { etag: tag } }
    )
    const { run: start } = yield* project({})
    const step = stepLine("request", { url: `${server.url}/items`, skipUnchanged: true })
    const run = Effect.gen(function* () {
      const ended = yield* start(`${step}  - write: { jsonl: "rows.jsonl" }\n`).pipe(Effect.provide(here))
      yield* ended.outcome
      return ended
    })
    expect((yield* run).rows).toEqual([{ id: '"1"' }])
    const same = yield* run
    expect([same.rows, same.incomplete, same.warnings.length]).toEqual([[], ["request"], 1])
    expect((yield* run).rows).toEqual([])
    tag = '"2"'
    expect((yield* run).rows).toEqual([{ id: '"2"' }])
  })
)
