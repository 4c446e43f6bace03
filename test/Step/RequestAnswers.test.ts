/** Answers of the step `request` with status 200 that are none: what a resume asks again, and what is repeated at once. */
import * as Effect from "effect/Effect"
import { ScratchLimits } from "../../src/Step/Scratch.ts"
import { type Reply, serve } from "../Client/Server.ts"
import { expect, scoped } from "../It.ts"
import { project, stepLine } from "../Project.ts"
import { ask, here } from "./OneApi.ts"

const items = (...ids: ReadonlyArray<number>) => ids.map((id) => ({ id }))
const json = { "content-type": "application/json" }
const small = Effect.provideService(ScratchLimits, {
  ...{ memory: 4_000, reserve: 0, fanIn: 64, free: () => Effect.succeed(undefined) }
})

/** Reads two pages, of which the second is answered as given until the run has failed, and resumes the run. */
const resumed = (bad: Reply, fields: object = {}, given: ReadonlyArray<unknown> = items(3)) =>
  Effect.gen(function* () {
    let isDown = true
    const server = yield* serve(({ body, path }): Reply => {
      if (!/after(=|":)/.test(`${path}${body}`)) return { body: { data: { items: items(1, 2), next: 2 } } }
      return isDown ? bad : { body: { data: { items: given, next: null } } }
    })
    const own = yield* project({})
    const next = { cursor: { ...("graphql" in fields ? { body: "after" } : { param: "after" }), from: "data.next" } }
    const step = stepLine("request", { url: server.url, rows: "data.items", next, ...fields })
    const steps = `${step}  - write: { jsonl: rows.jsonl }\n`
    const first = yield* Effect.provide(own.run(steps), here)
    isDown = false
    const second = yield* Effect.provide(own.resume(first.runId, steps), here)
    return { calls: server.asked.length, first: first.summary.status, rows: second.rows }
  })

const graphql = { graphql: { query: "query Q($after: Int) { items }" } }
const page = "<!doctype html><title>Maintenance</title>"

scoped.each<{ what: string; bad: Reply; fields?: object }>([
  { what: "is a page in HTML", bad: { body: page } },
  { what: "is cut", bad: { body: '{"data": {"items": [', headers: json } },
  { what: "has errors of GraphQL", bad: { body: { errors: [{ message: "try later" }] } }, fields: graphql },
  {
    what: "has errors of GraphQL in place of rows",
    bad: { body: { data: { items: null }, errors: [{ message: "try later" }] } },
    fields: graphql
  }
])("a resume asks again for an answer that $what, and for no other", function* ({ bad, fields }) {
  expect(yield* resumed(bad, fields)).toEqual({ calls: 3, first: "failed", rows: items(1, 2, 3) })
})

scoped("a resume asks again for a large answer that is cut, and gives no row twice", function* () {
  const long = Array.from({ length: 20_000 }, (_, id) => ({ id, text: "some more text" }))
  const cut = JSON.stringify({ data: { items: long } }).slice(0, -100_000)
  const { calls, first, rows } = yield* small(resumed({ body: cut, headers: json }, {}, long))
  expect([calls, first, rows.length]).toEqual([3, "failed", long.length + 2])
  expect(rows.slice(2)).toEqual(long)
})

scoped("a first answer without rows is asked for again, as it may have been an error", function* () {
  let isDown = true
  const server = yield* serve(() => ({ body: isDown ? { error: "over quota" } : { items: items(1) } }))
  const own = yield* project({})
  const steps = `${stepLine("request", { url: server.url, rows: "items" })}  - write: { jsonl: rows.jsonl }\n`
  const first = yield* Effect.provide(own.run(steps), here)
  isDown = false
  const { rows } = yield* Effect.provide(own.resume(first.runId, steps), here)
  expect([rows, server.asked.length]).toEqual([items(1), 2])
})

scoped(
  "a resume repeats no call that may have changed something, and no call for an expression that fails",
  function* () {
    for (const [fields, reply] of [
      [{ json: { a: 1 } }, { body: page }],
      [{ graphql: { query: "mutation { a }" } }, { body: { errors: [{ message: "no" }] } }],
      [{ rows: "$number(id)" }, { body: { id: "x" } }]
    ] as const) {
      const server = yield* serve(() => reply)
      const own = yield* project({})
      const steps = `${stepLine("request", { url: server.url, ...fields })}  - write: { jsonl: rows.jsonl }\n`
      const first = yield* Effect.provide(own.run(steps), here)
      const second = yield* Effect.provide(own.resume(first.runId, steps), here)
      expect([first.summary.status, second.summary.status, server.asked.length]).toEqual(["failed", "failed", 1])
    }
  }
)

const throttled = (limit: object, data?: unknown) => ({ data, errors: [{ message: "Throttled", ...limit }] })

scoped("repeats a query of GraphQL that the service throttles with status 200, and no mutation", function* () {
  const call = (body: unknown, query = "{ items }", times = 1) => {
    let left = times
    return ask(() => ({ body: left-- > 0 ? body : { data: { items: items(1) } } }), {
      fields: { graphql: { query }, rows: "data.items" }
    })
  }
  for (const body of [
    throttled({ extensions: { code: "THROTTLED" } }),
    throttled({ type: "RATE_LIMITED" }, null),
    throttled({ extensions: { code: "RATE_LIMITED" } }, { items: null })
  ]) {
    const { asked, data, failure } = yield* call(body)
    expect([failure, data, asked.length]).toEqual([undefined, items(1), 2])
  }
  const never = yield* call(throttled({ type: "RATE_LIMITED" }), "{ items }", 9)
  expect([never.asked.length, never.failure?.message]).toEqual([
    3,
    expect.stringMatching(/the API answered 200 .*Throttled.*Send fewer requests at a time/)
  ])
  expect((yield* call(throttled({ type: "RATE_LIMITED" }), "mutation { items }")).asked).toHaveLength(1)
  expect((yield* call(throttled({ type: "OTHER" }))).asked).toHaveLength(1)
  const some = yield* call(throttled({ type: "RATE_LIMITED" }, { items: items(1), more: null }))
  expect([some.asked.length, some.data]).toEqual([1, items(1)])
})
