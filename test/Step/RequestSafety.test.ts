/** The step `request`: keys that APIs repeat, writes, equal pages, messages, and a stop while it waits. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { Asked, Reply } from "../Client/Server.ts"
import { serve } from "../Client/Server.ts"
import { expect, it, scoped } from "../It.ts"
import { project, stepLine } from "../Project.ts"
import { ask, here } from "./OneApi.ts"

const items = (...ids: ReadonlyArray<unknown>) => ids.map((id) => ({ id }))

scoped("takes its key off redirects and next addresses that repeat it", function* () {
  const key = "verysecret_1"
  const redirected = yield* serve(() => ({ body: { items: items(2), next: null } }))
  const server = yield* serve(({ path }, { url }): Reply => {
    if (path.startsWith("/items")) return { status: 302, headers: { location: `/moved?a=1&API_KEY=${key}` } }
    if (path.startsWith("/moved"))
      return { body: { items: items(1), next: `${url.replace("//", `//u:${key}@`)}/2?api_key=${key}&a=2#${key}` } }
    if (path.startsWith("/2")) return { body: { items: items(2), next: `${url}/3?api_key=${key}` } }
    if (path.startsWith("/3")) return { status: 302, headers: { location: `${redirected.url}/x?api_key=${key}&b=1` } }
    return { status: 500 }
  })
  const { ledger, run } = yield* project({})
  const step = stepLine("request", {
    url: `${server.url}/items`,
    auth: { query: { api_key: key } },
    rows: "items",
    next: { url: "next" }
  })
  const ended = yield* run(`${step}  - write: { jsonl: rows.jsonl }\n`).pipe(Effect.provide(here))
  expect(ended.rows).toEqual(items(1, 2, 2))
  expect(server.asked.map(({ path }) => path)).toEqual([
    `/items?api_key=${key}`,
    `/moved?a=1&api_key=${key}`,
    `/2?a=2&api_key=${key}`,
    `/3?api_key=${key}`
  ])
  expect(redirected.asked.map(({ path }) => path)).toEqual(["/x?b=1"])
  const pages = yield* ledger.connection.sql`SELECT * FROM pages`
  expect(pages.length).toBeGreaterThan(0)
  expect(JSON.stringify([pages, ended.warnings, ended.outcome])).not.toContain(key)
})

scoped.each([
  { name: "behind a comment", query: "# adds\nmutation { a }" },
  { name: "behind a fragment", query: 'fragment F on T { a(b: "}") }\nmutation M($a: I = {b: 1}) { ...F }' },
  { name: "behind a query", query: 'query { a } """ { """ mutation { a }' }
])("does not repeat a mutation $name", function* ({ query }) {
  const { asked } = yield* ask(() => ({ status: 503, body: {} }), {
    fields: { graphql: { query }, next: { cursor: { body: "after", from: "next" } } }
  })
  expect(asked).toHaveLength(1)
})

scoped.each([
  { name: "a comment", query: "# mutation { a }\n{ a }" },
  { name: "a field", query: "query Q($mutation: I) { mutation }" },
  { name: "a string", query: 'query Q($a: S = "} mutation {") { a(b: """ } mutation { """) }' }
])("repeats a query with the word mutation in $name", function* ({ query }) {
  const { asked } = yield* ask(() => ({ status: 503, body: {} }), { fields: { graphql: { query } } })
  expect(asked).toHaveLength(3)
})

scoped(
  "goes on over equal pages where the API names the next one, and compares whole pages where they are counted",
  function* () {
    const at = ({ path }: Asked, name: string) => Number(new URL(path, "http://x").searchParams.get(name) ?? 0)
    const same = [{ state: "ok" }]
    const cursor = yield* ask(
      (asked) => ({ body: { items: same, next: at(asked, "n") < 3 ? at(asked, "n") + 1 : null } }),
      {
        fields: { rows: "items", next: { cursor: { param: "n", from: "next" } } }
      }
    )
    expect([cursor.failure, cursor.data]).toEqual([undefined, [same, same, same, same].flat()])
    const link = yield* ask(
      (asked, url) => ({
        body: same,
        headers: at(asked, "n") < 2 ? { link: `<${url}/items?n=${at(asked, "n") + 1}>; rel=next` } : {}
      }),
      { fields: { next: { link: "next" } } }
    )
    expect([link.failure, link.data]).toEqual([undefined, [same, same, same].flat()])
    // First, middle and last row are equal, and another one is not.
    const counted = yield* ask(
      (asked) => ({ body: at(asked, "n") > 2 ? [] : items("a", at(asked, "n"), "b", "c", "d") }),
      { fields: { next: { page: { param: "n" } } } }
    )
    expect([counted.failure, counted.data.length]).toEqual([undefined, 10])
  }
)

scoped.each([
  { name: "query", fields: { auth: { query: { key: "echoed-secret-1" } } } },
  { name: "header", fields: { headers: { "X-Api-Key": "echoed-secret-2" } } },
  { name: "bearer", fields: { auth: { bearer: "echoed-secret-3" } } }
])("masks a key in the $name that an error of the API repeats", function* ({ fields }) {
  const echo = ({ headers, path }: Asked) => `no access for ${path} ${headers["x-api-key"]} ${headers.authorization}`
  const replies: ReadonlyArray<(asked: Asked) => Reply> = [
    (asked) => ({ status: 401, body: { error: echo(asked) } }),
    (asked) => ({ body: echo(asked), headers: { "content-type": "text/html" } }),
    (asked) => ({ status: 302, headers: { location: `ftp://x/${encodeURIComponent(echo(asked))}` } })
  ]
  for (const reply of replies) {
    const { failure, warnings } = yield* ask(reply, { fields })
    expect(failure?.message).toBeTruthy()
    expect(JSON.stringify([failure?.message, warnings])).not.toMatch(/echoed-secret/)
  }
})

scoped("says which status came, what to do, and what is wrong with a next address", function* () {
  const limited = yield* ask(() => ({ status: 403, headers: { "retry-after": "0" }, body: {} }))
  expect(limited.failure?.message).toMatch(/the API answered 403, and asks to wait for.*Send fewer requests at a time/)
  const cut = yield* ask(() => undefined)
  expect(cut.failure?.message).toMatch(/no answer, because .*\. Check that the API works/)
  const slow = yield* ask(() => ({ hangs: true }), { fields: { timeout: 20, json: {} } })
  expect(slow.failure?.message).toMatch(/nothing came within 20ms\. .*longer timeout/)
  for (const next of ["mailto:a@b.example", "http://", 7, `ftp://x/${"a".repeat(500)}`]) {
    const { failure } = yield* ask(() => ({ body: { items: items(1), next } }), {
      fields: { rows: "items", next: { url: "next" } }
    })
    expect(failure?.reason).toMatchObject({ reason: "PageInvalid" })
    expect(failure?.message).toContain("not a web address")
    expect(failure?.message.length).toBeLessThan(450)
  }
})

scoped.each(["", "3600 s", "3600", null])("takes a token that expires in %j", function* (expires_in) {
  const server = yield* serve(({ path }) =>
    path === "/token" ? { body: { access_token: "token-of-today", token_type: 7, expires_in } } : { body: items(1) }
  )
  const { run } = yield* project({})
  const oauth = { tokenUrl: `${server.url}/token`, clientId: "id", clientSecret: "secret-of-id" }
  const step = stepLine("request", { url: `${server.url}/items`, auth: { oauth } })
  const { rows } = yield* run(`${step}  - write: { jsonl: rows.jsonl }\n`).pipe(Effect.provide(here))
  expect(rows).toEqual(items(1))
})

it.live.each([
  { name: "because no request is left", first: { headers: { ratelimit: '"d";r=0;t=60' } } },
  { name: "before a retry", first: { status: 429, headers: { "retry-after": "60" } } }
])("stops at once while it waits $name", ({ first }) =>
  Effect.gen(function* () {
    const server = yield* serve(() => ({ body: { items: items(1), next: 1 }, ...first }))
    const { run } = yield* project({})
    const step = stepLine("request", {
      url: `${server.url}/items`,
      rows: "items",
      next: { cursor: { param: "n", from: "next" } }
    })
    const fiber = yield* Effect.fork(run(`${step}  - write: { jsonl: rows.jsonl }\n`).pipe(Effect.provide(here)))
    yield* Effect.repeat(Effect.sleep(20), { until: () => server.asked.length > 0 })
    yield* Effect.sleep(300)
    const begin = Date.now()
    yield* Fiber.interrupt(fiber)
    // Of the minute that the service asks for.
    expect(Date.now() - begin).toBeLessThan(30_000)
    expect(server.asked).toHaveLength(1)
  }).pipe(Effect.scoped)
)
