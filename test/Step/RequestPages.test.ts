/** Pages of the step `request` that are counted: where they end, and what is sent for them. */

import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { type Asked, type Reply, serve } from "../Client/Server.ts"
import { expect, scoped } from "../It.ts"
import { project, stepLine } from "../Project.ts"
import { whileTimePasses } from "../Run/Lives.ts"
import { ask, here } from "./OneApi.ts"

const items = (...ids: ReadonlyArray<number>) => ids.map((id) => ({ id }))
const numberIn = ({ path }: Asked, name = "page") => Number(new URL(path, "http://x").searchParams.get(name))
const page = { page: { param: "page" } }

scoped.each([404, 410, 416])("ends at a page behind the last one that is answered with %s", function* (status) {
  const reply = (asked: Asked): Reply =>
    numberIn(asked) > 2 ? { status, body: { detail: "Invalid page." } } : { body: items(numberIn(asked)) }
  const { asked, data, failure, incomplete, warnings } = yield* ask(reply, { fields: { next: page } })
  expect([failure, data, asked.length, incomplete]).toEqual([undefined, items(1, 2), 3, []])
  expect(warnings.join()).toContain(`page 3 answered ${status}, which was read as the end of the list`)
  const byOffset = yield* ask(
    (asked): Reply => (numberIn(asked, "from") > 1 ? { status, body: {} } : { body: items(numberIn(asked, "from")) }),
    { fields: { next: { offset: { param: "from" } } } }
  )
  expect([byOffset.failure, byOffset.data]).toEqual([undefined, items(0, 1)])
})

scoped.each([
  { what: "the first page does not exist", status: 404, missing: 1, next: page },
  { what: "a page is answered with 400", status: 400, missing: 3, next: page },
  { what: "total says that there are more", status: 404, missing: 3, next: { page: { ...page.page, total: "total" } } },
  { what: "the pages are not counted", status: 404, missing: 3, next: { url: "next" } }
])("fails if $what", function* ({ missing, next, status }) {
  const reply = (asked: Asked, base: string): Reply => {
    const at = numberIn(asked) || 1
    if (at === missing) return { status, body: {} }
    return { body: { items: items(at), total: 5, next: `${base}/items?page=${at + 1}` } }
  }
  const { failure } = yield* ask(reply, { fields: { rows: "items", next } })
  expect(failure?.message).toContain(`the API answered ${status}`)
})

scoped("moves since behind a list that ends with a page that does not exist", function* () {
  const server = yield* serve((asked) => (numberIn(asked) > 1 ? { status: 404 } : { body: [{ id: 1, at: 7 }] }))
  const own = yield* project({})
  const step = stepLine("request", { url: server.url, next: page, since: { param: "since", field: "at" } })
  const run = Effect.provide(own.run(`${step}  - write: { jsonl: rows.jsonl }\n`), here)
  expect((yield* run).rows).toHaveLength(1)
  expect((yield* run).rows).toEqual([])
  expect(server.asked[2]?.path).toContain("since=7")
})

/** Pages of an API that has five rows. */
const withTotal = (pages: ReadonlyArray<ReadonlyArray<number>>, next: object = page.page) =>
  ask((asked): Reply => ({ body: { items: items(...(pages[numberIn(asked) - 1] ?? [])), total: "5" } }), {
    fields: { rows: "items", next: { page: { total: "total", ...next } } }
  })

scoped("goes on behind a page without rows while total says that there are more", function* () {
  const one = yield* withTotal([[1, 2], [], [3, 4], [5]])
  expect([one.data, one.asked.length, one.warnings, one.incomplete]).toEqual([items(1, 2, 3, 4, 5), 4, [], []])
  const two = yield* withTotal([[1, 2], [], [], [3, 4, 5]])
  expect([two.data, two.asked.length, two.incomplete]).toEqual([items(1, 2), 3, ["api"]])
  expect(two.warnings.join()).toContain("page 3 has no rows, and only 2 of 5 rows have come")
})

scoped(
  "says that rows may be missing where an empty page comes before total, and the offset cannot move",
  function* () {
    const reply = (asked: Asked): Reply => ({
      body: { items: numberIn(asked, "from") > 0 ? [] : items(1, 2), total: 5 }
    })
    const next = { offset: { param: "from", total: "total" } }
    const { asked, data, incomplete, warnings } = yield* ask(reply, { fields: { rows: "items", next } })
    expect([asked.length, data, incomplete]).toEqual([2, items(1, 2), ["api"]])
    expect(warnings.join()).toContain("page 2 has no rows, and only 2 of 5 rows have come")
  }
)

scoped("a page that does not exist behind one without rows ends the list, which lacks rows", function* () {
  const reply = (asked: Asked): Reply => {
    const at = numberIn(asked)
    return at > 2 ? { status: 404, body: {} } : { body: { items: at === 1 ? items(1) : [], total: 5 } }
  }
  const next = { page: { ...page.page, total: "total" } }
  const { data, failure, incomplete } = yield* ask(reply, { fields: { rows: "items", next } })
  expect([failure, data, incomplete]).toEqual([undefined, items(1), ["api"]])
})

scoped("does not take a total of 0 beside an empty list for the end of a longer one", function* () {
  const reply = (asked: Asked): Reply => ({
    body: numberIn(asked) > 1 ? { items: [], total: 0 } : { items: items(1, 2), total: 5 }
  })
  const next = { page: { ...page.page, total: "total" } }
  const { data, incomplete } = yield* ask(reply, { fields: { rows: "items", next } })
  expect([data, incomplete]).toEqual([items(1, 2), ["api"]])
})

scoped("remembers the total of the first page", function* () {
  const read = (first: unknown, later: unknown) =>
    ask((asked): Reply => ({ body: { items: items(numberIn(asked)), total: numberIn(asked) === 1 ? first : later } }), {
      fields: { rows: "items", next: { page: { ...page.page, total: "total" } } }
    })
  for (const later of [undefined, null]) {
    const { asked, data, failure } = yield* read(3, later)
    expect([failure, data, asked.length]).toEqual([undefined, items(1, 2, 3), 3])
  }
  expect((yield* read(undefined, 3)).failure?.message).toContain("total gives nothing")
  expect((yield* read(3, "many")).failure?.message).toContain('total gives "many"')
})

scoped("takes a page that is the same as the first one for a repeated page", function* () {
  const read = (more: object) =>
    ask((asked): Reply => ({ body: items(numberIn(asked) > 3 ? 1 : numberIn(asked)) }), {
      fields: { next: { page: { ...page.page, ...more } } }
    })
  const same = yield* read({ stop: "same" })
  expect([same.failure, same.data, same.asked.length]).toEqual([undefined, items(1, 2, 3), 4])
  expect((yield* read({})).failure?.message).toContain("page 4 has the same rows as the first page")
})

scoped("leaves the written query as it is beside the parameters that it sends", function* () {
  const { asked } = yield* ask((asked): Reply => ({ body: numberIn(asked) > 1 ? [] : items(1) }), {
    path: "/items?bbox=-76,42&page=0&q=a%20b&raw&old=1",
    fields: {
      query: { old: [2, 3], name: "a b&c" },
      auth: { query: { key: "verysecret" } },
      next: page,
      since: { param: "since", field: "id", start: "2026-01-01 10:00" }
    }
  })
  const rest = "q=a%20b&raw&old=2&old=3&name=a%20b%26c&since=2026-01-01%2010%3A00&key=verysecret"
  expect(asked).toEqual([1, 2].map((at) => `GET /items?bbox=-76,42&page=${at}&${rest}`))
})

const errors = [{ message: "not for you" }]

scoped("fails for errors of GraphQL beside an empty list", function* () {
  for (const body of [
    { data: {}, errors },
    { data: { items: [] }, errors }
  ]) {
    const { failure } = yield* ask(() => ({ body }), {
      fields: { graphql: { query: "{ a }" }, rows: "data.items ?? []" }
    })
    expect(failure?.message).toContain("the query has failed (not for you)")
  }
})

scoped("says that since stays while GraphQL sends errors beside the rows", function* () {
  const { warnings } = yield* ask(() => ({ body: { data: { items: [{ id: 1 }] }, errors } }), {
    fields: { graphql: { query: "{ a }" }, rows: "data.items", since: { body: "since", field: "id" } }
  })
  expect(warnings.join()).toContain(
    "the answer has errors (not for you), so rows or their fields may be missing; since keeps its value"
  )
})

scoped("waits before a retry as long as the API asks, up to an hour", function* () {
  const server = yield* serve(({ path }): Reply => {
    const isAgain = server.asked.filter((each) => each.path === path).length > 1
    const wait = path === "/day" ? "86400" : "300"
    return isAgain ? { body: items(1) } : { status: 403, headers: { "retry-after": wait }, body: {} }
  })
  const own = yield* project({ onTestClock: true })
  const run = (path: string, more = "") =>
    whileTimePasses(
      Effect.provide(own.run(`${stepLine("request", { url: `${server.url}${path}` })}${more}`), here),
      TestClock.adjust("1 minute")
    )
  for (const more of ["", "    retry: { times: 1 }\n"]) {
    const { emitted, warnings } = yield* run(more === "" ? "/minutes" : "/retried", more)
    expect(emitted("request").map(({ data }) => data)).toEqual(items(1))
    expect(warnings.join()).toContain("limits its requests: the next one waits 5m")
  }
  const { outcome } = yield* run("/day")
  expect(JSON.stringify(outcome)).toContain("asks to wait for 1d")
})

scoped("says how to end a list whose last cursor is 0, or whose API answers 400 behind the last page", function* () {
  const cursor = yield* ask(() => ({ body: { items: items(1), next_cursor: 0 } }), {
    fields: { rows: "items", next: { cursor: { param: "cursor", from: "next_cursor" } } }
  })
  expect(cursor.failure?.message).toContain("If 0 ends the list, write from: next_cursor = 0 ? null : next_cursor")
  const last = yield* ask((asked) => (numberIn(asked) > 1 ? { status: 400 } : { body: items(1) }), {
    fields: { next: page }
  })
  expect(last.failure?.message).toContain(`If page 2 is behind the last one, set total, like $headers."x-wp-total"`)
})
