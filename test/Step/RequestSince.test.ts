/** `since` of the step `request`: what the next run asks for, and which rows it gives. */

import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { ScratchLimits } from "../../src/Step/Scratch.ts"
import { type Reply, serve } from "../Client/Server.ts"
import { expect, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { jsonLines, project, stepLine } from "../Project.ts"
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
        if (ended.summary.status !== "held") yield* ended.outcome
        const [first] = server.asked.slice(before)
        return {
          ...ended,
          ids: ended.rows.map(({ id }) => id),
          since: new URL(first?.path ?? "", "http://x").searchParams.get("since")
        }
      })
    return { run, own, steps, set: (now: typeof rows) => (rows = now) }
  })

const at = (time: string, ...ids: ReadonlyArray<number>) => ids.map((id) => ({ id, at: time }))

scoped("asks for what is new, and leaves out the rows of the last moment that come again", function* () {
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

scoped("gives rows that appear late within the lag, and a changed row once more", function* () {
  const { run } = yield* setup()
  const since = { param: "since", field: "at", lag: "2h", key: "id" }
  const noon = at("2026-02-01T12:00:00Z", 1)
  yield* run(since, [...at("2026-02-01T09:00:00Z", 8), ...noon])
  const late = yield* run(since, [...at("2026-02-01T10:30:00Z", 2), ...noon])
  expect([late.since, late.ids]).toEqual(["2026-02-01T10:00:00Z", [2]])
  const changed = yield* run(since, [...at("2026-02-01T10:30:00Z", 2), ...at("2026-02-01T12:30:00Z", 1)])
  expect(changed.ids).toEqual([1])
})

scoped("is not led away by a row that is dated in the future, which comes once", function* () {
  const { run } = yield* setup()
  const since = { param: "since", field: "at" }
  const old = [...at("2026-02-01T10:00:00Z", 1), ...at("2221-01-01T00:00:00Z", 2)]
  expect((yield* run(since, old)).ids).toEqual([1, 2])
  const later = yield* run(since, [...old, ...at("2026-02-02T00:00:00Z", 3)])
  expect([later.since, later.ids]).toEqual(["2026-02-01T10:00:00Z", [3]])
})

scoped("counts a time without a zone up to 14 hours ahead, and one with a zone a quarter of an hour", function* () {
  const ahead = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const since = { param: "since", field: "at" }
  for (const [time, counts] of [
    [ahead(0.2), true],
    [ahead(1), false],
    [ahead(13).replace("Z", ""), true],
    [ahead(15).replace("Z", ""), false]
  ] as const) {
    const { run } = yield* setup()
    yield* run(since, [...at("2026-02-01T10:00:00Z", 1), ...at(time, 2)])
    expect((yield* run(since, [])).since).toBe(counts ? time : "2026-02-01T10:00:00Z")
  }
})

scoped.each([
  [
    "dates of mail",
    "1d",
    "Fri, 20 Nov 2026 10:00:00 +0100",
    "Wed, 10 Oct 2018 10:00:00 +0100",
    "Thu, 19 Nov 2026 10:00:00 +0100"
  ],
  [
    "dates of C",
    "1d",
    "Fri Nov 20 10:00:00 +0000 2026",
    "Wed Oct 10 20:19:24 +0000 2018",
    "Thu Nov 19 10:00:00 +0000 2026"
  ],
  ["days in digits", "1d", 20261101, 20261031, "20261031"],
  ["seconds in digits", "1h", "20261101003000", "20261031000000", "20261031233000"],
  ["seconds since 1970", "1h", 1_790_000_000, 1_780_000_000, "1789996400"],
  ["numbers that are no time", "1h", 500, 400, "500"]
] as const)("orders %s as times, and subtracts the lag in their form", function* ([, lag, last, older, sent]) {
  const { run } = yield* setup()
  const since = { param: "since", field: "at", lag }
  yield* run(since, [
    { id: 1, at: last },
    { id: 2, at: older }
  ])
  expect((yield* run(since, [])).since).toBe(sent)
})

scoped("is not led away by a number in the future, if the lag says that it is a time", function* () {
  const { run } = yield* setup()
  const since = { param: "since", field: "at", lag: "1h" }
  yield* run(since, [
    { id: 1, at: 1_780_000_000 },
    { id: 2, at: 4_102_444_800 }
  ])
  expect((yield* run(since, [])).since).toBe("1779996400")
})

scoped("warns of dates whose order it does not know", function* () {
  const { run } = yield* setup()
  const { warnings } = yield* run({ param: "since", field: "at" }, at("12/31/2025", 1))
  expect(warnings.join()).toContain('since.field gives "12/31/2025", whose order is that of text, not of time')
  const others = ["2026/11/20", "2026.11.20", "1.2.34", "market 5", "Mon, 2 Nov 2026 10:00:00 GMT"]
  for (const value of others) expect((yield* run({ param: "since", field: "at" }, at(value, 2))).warnings).toEqual([])
})

scoped("says that the last value is in the future, and takes the largest one of the rows in its place", function* () {
  const { own, run } = yield* setup()
  // The API knows another parameter, so it gives all rows.
  const since = { param: "from", field: "at" }
  yield* run(since, at("2026-02-01T10:00:00Z", 1))
  yield* own.ledger.states.set("t", "request", "since", "2221-01-01T00:00:00Z")
  const blocked = yield* run(since, at("2026-02-02T10:00:00Z", 2))
  expect(blocked.ids).toEqual([2])
  expect(blocked.warnings.join("\n")).toContain('the last run ended at "2221-01-01T00:00:00Z", which is in the future')
  expect((yield* own.ledger.states.get("t", "request", "since"))?.value).toBe("2026-02-02T10:00:00Z")
})

scoped("takes numbers, in the order of numbers", function* () {
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

scoped("stays where it was after a trial, a read that was cut, and a run that failed", function* () {
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
  // What the read that was cut has given is not given again.
  expect([next.since, next.ids]).toEqual(["2026-02-01", [3]])
})

const noBody = { body: "", headers: { "content-type": "application/json" } }

scoped.each([
  { what: "has an error with status 200", reply: { body: { error: "over quota" } }, rows: "items", isEnd: false },
  { what: "has an empty body", reply: noBody, rows: "items", isEnd: false },
  { what: "has an empty body that is the end", reply: noBody, rows: "items ?? []", isEnd: true },
  { what: "has no content", reply: { status: 204 }, rows: "items", isEnd: true },
  { what: "has rows that are null", reply: { body: { items: null } }, rows: "items", isEnd: true }
])("moves only behind a list that was read to its end: a later page $what", function* ({ isEnd, reply, rows }) {
  let isWhole = false
  const sent: Array<string | null> = []
  const server = yield* serve(({ path }) => {
    const query = new URL(path, "http://x").searchParams
    if (query.get("page") === "1") {
      sent.push(query.get("since"))
      return { body: { items: [{ id: 3, at: 3 }] } }
    }
    if (!isWhole) return reply
    return { body: { items: query.get("page") === "2" ? [{ id: 2, at: 2 }] : [] } }
  })
  const own = yield* project({})
  const fields = { rows, since: { param: "since", field: "at" }, next: { page: { param: "page" } } }
  const steps = `${stepLine("request", { url: server.url, ...fields })}  - write: { jsonl: rows.jsonl }\n`
  const run = Effect.tap(Effect.provide(own.run(steps), here), ({ outcome }) => outcome)
  const first = yield* run
  expect([first.rows, first.incomplete]).toEqual([[{ id: 3, at: 3 }], isEnd ? [] : ["request"]])
  isWhole = true
  const second = yield* run
  expect([second.rows, sent]).toEqual([[{ id: 2, at: 2 }], [null, isEnd ? "3" : null]])
})

scoped("stays where it was if rows may be missing on a page in the middle", function* () {
  let isWhole = false
  const sent: Array<string | null> = []
  const server = yield* serve(({ path }) => {
    const query = new URL(path, "http://x").searchParams
    const page = Number(query.get("page") ?? 1)
    if (page === 1) sent.push(query.get("since"))
    const headers = page < 3 ? { link: `</?page=${page + 1}>; rel=next` } : {}
    return {
      headers,
      body: page === 2 && !isWhole ? { error: "over quota" } : { items: [{ id: page, at: 9 - page }] }
    }
  })
  const own = yield* project({})
  const fields = { rows: "items", since: { param: "since", field: "at" }, next: { link: "next" } }
  const steps = `${stepLine("request", { url: server.url, ...fields })}  - write: { jsonl: rows.jsonl }\n`
  const run = Effect.tap(Effect.provide(own.run(steps), here), ({ outcome }) => outcome)
  expect((yield* run).rows.map(({ id }) => id)).toEqual([1, 3])
  isWhole = true
  expect((yield* run).rows.map(({ id }) => id)).toEqual([2])
  yield* run
  expect(sent).toEqual([null, null, "8"])
})

scoped("stays where it was if the answer of a GraphQL query has errors beside its rows", function* () {
  let errors: ReadonlyArray<unknown> = [{ message: "not for you" }]
  const server = yield* serve(() => ({ body: { data: { items: [{ id: 1, at: 1 }] }, errors } }))
  const own = yield* project({})
  const fields = { graphql: { query: "{ a }" }, rows: "data.items", since: { body: "since", field: "at" } }
  const steps = `${stepLine("request", { url: server.url, ...fields })}  - write: { jsonl: rows.jsonl }\n`
  const run = Effect.tap(Effect.provide(own.run(steps), here), ({ outcome }) => outcome)
  expect((yield* run).rows).toEqual([{ id: 1, at: 1 }])
  errors = []
  yield* run
  yield* run
  expect(server.asked.map(({ body }) => JSON.parse(body).variables.since)).toEqual([undefined, undefined, 1])
})

scoped("is exact over kills: the next run gives no row again and misses none", function* () {
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

const ascending = (left: ReadonlyArray<Record<string, unknown>>) =>
  left.map(({ id }) => Number(id)).toSorted((a, b) => a - b)
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

scoped("a budget that cuts the run loses no row, gives none twice, and each run gets on", function* () {
  const asked: Array<string | null> = []
  const server = yield* serve(({ path }) => {
    const { pathname, searchParams } = new URL(path, "http://x")
    if (pathname === "/detail") return { body: { id: Number(searchParams.get("id")) } }
    asked.push(searchParams.get("since"))
    const since = Number(searchParams.get("since") ?? 0)
    return { body: numbers(1, 20).flatMap((id) => (id >= since ? [{ id, at: id }] : [])) }
  })
  const own = yield* project({})
  const list = { url: `${server.url}/items`, since: { param: "since", field: "at" } }
  const detail = { url: { expr: `'${server.url}/detail?id=' & id` } }
  const steps = `${stepLine("request", list)}${stepLine("request", detail).replace("- ", "- id: each\n    ")}    each: true\n    concurrency: 1\n  - write: { jsonl: rows.jsonl }\n`
  const run = (frame: string) =>
    Effect.map(Effect.provide(own.run(steps, { frame }), here), ({ rows, summary }) => [summary.status, rows] as const)
  const frame = "budget: { pages: 6, onReached: publish }\n"
  const [status, first] = yield* run(frame)
  expect([status, first.length]).toEqual(["budget", 5])
  const [, second] = yield* run(frame)
  expect(second).toHaveLength(5)
  const [last, rest] = yield* run("")
  expect([last, ascending([...first, ...second, ...rest])]).toEqual(["completed", numbers(1, 20)])
  expect(yield* run("")).toEqual(["completed", []])
  expect(asked).toEqual([null, null, null, "20"])
})

scoped("a budget that leaves out rows which were made from those of the source loses none", function* () {
  const { own, set, steps } = yield* setup(100)
  const made = `${steps({ param: "since", field: "at" }, { next: undefined }).replace("  - write", "  - explode: parts\n  - write")}`
  set(numbers(1, 5).map((id) => ({ id, at: id, parts: [{ part: `${id}a` }, { part: `${id}b` }] })))
  const run = (frame: string) =>
    Effect.map(Effect.provide(own.run(made, { frame }), here), ({ rows }) =>
      rows.map(({ part, parts }) => String(part ?? JSON.stringify(parts)))
    )
  const first = yield* run("budget: { rows: 3, onReached: publish }\n")
  expect(first).toHaveLength(3)
  expect(new Set([...first, ...(yield* run(""))]).size).toBe(10)
})

/** Reads that do not see all rows, after a first page with two rows in ascending order. */
const gaps: Readonly<Record<string, { second?: Reply; fields?: object; pages?: number }>> = {
  "a page with an error in place of rows": { second: { body: { error: "over quota" } } },
  "errors of GraphQL beside rows": {
    second: { body: { data: { items: [{ id: 9, at: 9 }] }, errors: [{ message: "not for you" }] } },
    fields: { graphql: { query: "{ a }" }, rows: "data.items" }
  },
  "next.pages": { pages: 1 }
}

scoped.each(Object.entries(gaps))("gives no row twice after a read that was cut by %s", function* ([, gap]) {
  let isWhole = false
  const server = yield* serve(({ path }) => {
    const page = Number(new URL(path, "http://x").searchParams.get("page"))
    if (page === 2 && !isWhole && gap.second !== undefined) return gap.second
    const items = (page === 1 ? [1, 2] : page === 2 ? [3] : []).map((id) => ({ id, at: id }))
    return { body: { items, data: { items } } }
  })
  const own = yield* project({})
  const run = (pages?: number) => {
    const next = { page: { param: "page" }, pages }
    const fields = { rows: "items", ...gap.fields, next, since: { param: "since", field: "at" } }
    const steps = `${stepLine("request", { url: server.url, ...fields })}  - write: { jsonl: rows.jsonl }\n`
    return Effect.map(Effect.provide(own.run(steps), here), ({ rows }) => rows.map(({ id }) => id))
  }
  expect((yield* run(gap.pages)).slice(0, 2)).toEqual([1, 2])
  isWhole = true
  expect(yield* run()).toEqual([3])
  // The rows below the largest value are no longer remembered.
  const left = Array.from(yield* Stream.runCollect(own.ledger.states.entries("t", "request")), ({ value }) => value)
  expect([left.includes(3), left.includes(1), left.includes(2)]).toEqual([true, false, false])
})

scoped("gives no row of a list twice of which a page has failed, and moves on in the other lists", function* () {
  let isWhole = false
  const server = yield* serve(({ path }) => {
    const { pathname, searchParams } = new URL(path, "http://x")
    const page = Number(searchParams.get("page"))
    if (page === 2 && !isWhole && pathname === "/b") return { status: 400, body: {} }
    const found = numbers(Number(searchParams.get("since") ?? 1), 3).slice(page * 2 - 2, page * 2)
    return { body: found.map((id) => ({ id: `${pathname}${id}`, at: id })) }
  })
  const own = yield* project({})
  own.write("in.jsonl", jsonLines([{ id: "a" }, { id: "b" }]))
  const fields = { next: { page: { param: "page" } }, since: { param: "since", field: "at" } }
  const step = stepLine("request", { url: { expr: `'${server.url}/' & id` }, ...fields })
  const steps = `  - read: in.jsonl\n${step}    each: true\n    onError: drop\n  - write: { jsonl: rows.jsonl }\n`
  const run = Effect.map(Effect.provide(own.run(steps), here), ({ rows }) =>
    rows.map(({ id }) => String(id)).toSorted()
  )
  expect(yield* run).toEqual(["/a1", "/a2", "/a3", "/b1", "/b2"])
  isWhole = true
  expect(yield* run).toEqual(["/b3"])
  const begun = server.asked.filter(({ path }) => path.includes("page=1")).map(({ path }) => path.replace("page=1", ""))
  expect(begun.toSorted()).toEqual(["/a?", "/a?since=3&", "/b?", "/b?"])
})

scoped("gives no row twice after a large answer that ends with errors of GraphQL", function* () {
  let errors: ReadonlyArray<unknown> = [{ message: "not for you" }]
  const items = numbers(1, 2_000).map((id) => ({ id, at: id }))
  const server = yield* serve(() => ({ body: { data: { items }, errors } }))
  const own = yield* project({})
  const fields = { graphql: { query: "{ a }" }, rows: "data.items", since: { body: "since", field: "at" } }
  const steps = `${stepLine("request", { url: server.url, ...fields })}  - write: { jsonl: rows.jsonl }\n`
  const small = { memory: 4 * 2_000, reserve: 0, fanIn: 64, free: () => Effect.succeed(undefined) }
  const run = own.run(steps).pipe(Effect.provide(here), Effect.provideService(ScratchLimits, small))
  expect((yield* run).rows).toHaveLength(2_000)
  errors = []
  expect((yield* run).rows).toEqual([])
  yield* run
  expect(server.asked.map(({ body }) => JSON.parse(body).variables.since)).toEqual([undefined, undefined, 2_000])
})

/** Runs of one pipeline that are held when they have fewer than five rows. */
const heldRuns = Effect.gen(function* () {
  const { own, run, steps } = yield* setup(100)
  const since = { param: "since", field: "at" }
  const frame = "health: { rows: { min: 5 } }\n"
  const ids: Array<number> = []
  const upTo = (last: number) =>
    Effect.map(
      run(
        since,
        numbers(1, last).map((id) => ({ id, at: id })),
        { frame }
      ),
      (ended) => {
        // Those of a held run are in no file yet.
        const given = ended.emitted("request").map(({ data }) => Number(data.id))
        const { status } = ended.summary
        if (status === "completed") ids.push(...given)
        return { ...ended, ids: given, status }
      }
    )
  const publish = (id: string) =>
    Effect.gen(function* () {
      yield* own.ledger.held.release(id)
      const ended = yield* Effect.provide(own.resume(id, steps(since), { frame }), here)
      expect(ended.summary.status).toBe("completed")
    })
  const discard = (id: string) =>
    Effect.zipRight(
      own.ledger.held.discard(id, () => Effect.succeed(true), "user"),
      own.ledger.held.forget(id)
    )
  return { discard, ids, publish, upTo }
})

scoped("rows of a held run that is discarded come again, after runs that have completed since", function* () {
  const { discard, ids, upTo } = yield* heldRuns
  yield* upTo(60)
  const held = yield* upTo(64)
  expect([held.status, held.ids]).toEqual(["held", numbers(61, 64)])
  const later = yield* upTo(90)
  expect([later.since, later.ids]).toEqual(["60", numbers(65, 90)])
  yield* discard(held.runId)
  const next = yield* upTo(100)
  expect([next.since, next.ids]).toEqual(["60", [...numbers(61, 64), ...numbers(91, 100)]])
  expect(ids.toSorted((a, b) => a - b)).toEqual(numbers(1, 100))
  expect((yield* upTo(105)).since).toBe("100")
})

scoped("rows of a held run that is published after later runs come once", function* () {
  const { ids, publish, upTo } = yield* heldRuns
  yield* upTo(60)
  const held = yield* upTo(64)
  yield* upTo(90)
  yield* publish(held.runId)
  const next = yield* upTo(100)
  expect([next.since, next.ids]).toEqual(["64", numbers(91, 100)])
  expect([...ids, ...held.ids].toSorted((a, b) => a - b)).toEqual(numbers(1, 100))
  const last = yield* upTo(110)
  expect([last.since, last.ids]).toEqual(["100", numbers(101, 110)])
})

scoped("the rows of a first run that is held come again when it is discarded", function* () {
  const { discard, upTo } = yield* heldRuns
  const held = yield* upTo(4)
  expect(held.status).toBe("held")
  const later = yield* upTo(10)
  expect([later.since, later.ids]).toEqual([null, numbers(5, 10)])
  yield* discard(held.runId)
  expect((yield* upTo(15)).ids).toEqual([...numbers(1, 4), ...numbers(11, 15)])
})

const overlaps = [
  ["a day of zeros", ["2026-01-02T10:00:00Z", "0000-00-00 00:00:00"], undefined, "2026-01-02T10:00:00Z"],
  ["nothing but a day of zeros", ["0000-00-00 00:00:00"], "1h", "0000-00-00 00:00:00"],
  ["text that is no time", ["2026-01-02T10:00:00Z", "unknown"], "1h", "2026-01-02T09:00:00Z"],
  ["a time without a zone", ["2026-01-02 10:00:00"], "1h", "2026-01-02 09:00:00"],
  ["a time without a zone, after T", ["2026-01-02T10:00"], "1h", "2026-01-02T09:00"],
  ["the hour that a time zone leaves out in spring", ["2026-03-29 03:30:00"], "1h", "2026-03-29 02:30:00"],
  ["an offset", ["2026-01-02T00:30:00+02:00"], "1h", "2026-01-01T23:30:00+02:00"],
  ["an offset without a colon", ["2026-01-02 00:30:00 -0530"], "1h", "2026-01-01 23:30:00 -0530"],
  ["microseconds", ["2026-01-02T10:00:00.123456Z"], "1h", "2026-01-02T09:00:00.123456Z"],
  ["a decimal comma", ["2026-01-02 10:00:00,5"], "1h", "2026-01-02 09:00:00,5"],
  ["a day", ["2026-01-02"], "1d", "2026-01-01"],
  ["a month", ["2026-01"], "1d", "2025-12"],
  ["times in several zones", ["2026-01-02T10:00:00+02:00", "2026-01-02T09:00:00Z"], undefined, "2026-01-02T09:00:00Z"],
  ["times with and without a zone", ["2026-01-02T10:00:00", "2026-01-02T10:30:00Z"], undefined, "2026-01-02T10:30:00Z"],
  [
    "fractions of different lengths",
    ["2026-01-02T10:00:00.12Z", "2026-01-02T10:00:00.1200001Z"],
    undefined,
    "2026-01-02T10:00:00.1200001Z"
  ],
  [
    "a date of HTTP",
    ["Mon, 05 Jan 2026 10:00:00 GMT", "Wed, 31 Dec 2025 10:00:00 GMT"],
    "1h",
    "Mon, 05 Jan 2026 09:00:00 GMT"
  ],
  ["epoch seconds", [1_767_348_000], "1h", "1767344400"],
  ["epoch nanoseconds as text", ["1767348000123456789"], "1h", "1767344400123456789"],
  ["a lag before the year 0", ["0000-01-01T00:00:00Z"], "1d", "0000-01-01T00:00:00Z"]
] as const

scoped.skipIf(skipsLong)(
  "asks on from the latest time or number, less the lag, in the form that the API has",
  function* () {
    const asked: Array<readonly [what: string | undefined, since: string | null]> = []
    const server = yield* serve(({ path }) => {
      const { pathname, searchParams } = new URL(path, "http://x")
      const [what, values = []] = overlaps[Number(pathname.slice(1))] ?? []
      asked.push([what, searchParams.get("since")])
      return { body: [...values].map((at, id) => ({ id, at })) }
    })
    const own = yield* project({})
    const steps = overlaps.map(([, , lag], index) => {
      const after = index === 0 ? "" : `    after: s${index - 1}\n`
      const step = stepLine("request", { url: `${server.url}/${index}`, since: { param: "since", field: "at", lag } })
      return `  - id: s${index}\n${after}    ${step.slice(4)}  - write: { jsonl: "${index}.jsonl" }\n`
    })
    for (const _ of [1, 2])
      yield* Effect.flatten(Effect.map(Effect.provide(own.run(steps.join("")), here), (run) => run.outcome))
    expect(asked).toEqual([
      ...overlaps.map(([what]) => [what, null]),
      ...overlaps.map(([what, , , sent]) => [what, sent])
    ])
  }
)

scoped.skipIf(skipsLong)("keeps the largest values of an overlap with too many rows", function* () {
  const { run } = yield* setup(100_000)
  const since = { param: "since", field: "at", lag: 100_000 }
  const rows = numbers(1, 20_002).map((id) => ({ id, at: id }))
  const first = yield* run(since, rows)
  expect(first.warnings).toHaveLength(1)
  const next = yield* run(since, rows)
  expect(next.ids).toEqual([1, 2])
})

scoped.skipIf(skipsLong)("warns of many remembered rows while since stays", function* () {
  const { run } = yield* setup(20_001)
  const since = { param: "since", field: "at" }
  const rows = numbers(1, 20_002).map((id) => ({ id, at: id }))
  const cut = { next: { page: { param: "page" }, pages: 1 } }
  const warnings = []
  for (const _ of [1, 2]) warnings.push((yield* run(since, rows, {}, cut)).warnings.join().includes("are remembered"))
  expect(warnings).toEqual([false, true])
})

scoped("skipUnchanged asks with the ETag of the last run that published its rows", function* () {
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

scoped(
  "skipUnchanged reads an answer again after another rows, and after a run whose rows could not be read",
  function* () {
    let body = "{ broken"
    const server = yield* serve(({ headers }) =>
      headers["if-none-match"] === '"1"'
        ? { status: 304 }
        : { body, headers: { etag: '"1"', "content-type": "application/json" } }
    )
    const { run: start } = yield* project({})
    const run = (rows: string) =>
      Effect.provide(
        start(
          `${stepLine("request", { url: server.url, skipUnchanged: true, rows })}    onError: drop\n  - write: { jsonl: rows.jsonl }\n`
        ),
        here
      )
    yield* run("data")
    body = JSON.stringify({ data: [{ id: 1 }] })
    expect((yield* run("dta")).rows).toEqual([])
    expect((yield* run("data")).rows).toEqual([{ id: 1 }])
    expect((yield* run("data")).rows).toEqual([])
  }
)
