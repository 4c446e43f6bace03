/** The step `request`: who it asks, with what, and how often. */

import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import type { Asked, Reply } from "../Client/Server.ts"
import { serve } from "../Client/Server.ts"
import { expect, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { project, stepLine } from "../Project.ts"
import { ask, here } from "./OneApi.ts"

const items = (...ids: ReadonlyArray<unknown>) => ids.map((id) => ({ id }))
const header = (name: string) => (asked: Asked) => asked.headers[name]

scoped(
  "refuses addresses outside the public internet, as written, as resolved and as the target of a redirect",
  function* () {
    const { run } = yield* project({ sharesLedger: true })
    const messages: Array<string> = []
    for (const url of [
      "http://127.0.0.1:9/",
      "http://localhost:9/",
      "http://[::1]:9/",
      "http://169.254.169.254/latest"
    ]) {
      const { outcome } = yield* run(stepLine("request", { url }))
      messages.push(outcome._tag === "Left" ? outcome.left.message : "")
    }
    for (const message of messages) expect(message).toMatch(/not on the public internet|this machine itself/)
    const { failure } = yield* ask(() => ({ status: 302, headers: { location: "http://10.0.0.1/secret" } }))
    expect(failure?.message).toContain("10.0.0.1 is not on the public internet")
  }
)

scoped("refuses a condition in rows where the rows of each page are counted", function* () {
  const { errorsIn } = yield* project({ sharesLedger: true })
  const errorsOf = (rows: string, next?: object) =>
    errorsIn(stepLine("request", { url: "https://api.example/items", rows, ...(next && { next }) }))
  const ways = { page: { page: { param: "page" } }, offset: { offset: { param: "offset" } } }
  const conditions = [
    "items[price > 10]",
    "$filter(items, function($i) { $i.n > 1 })",
    "items ~> $filter(function($i) { $i.n > 1 })"
  ]
  for (const rows of [...conditions, "$map(items[n], $string)", "n > 1 ? items[n] : items", "($a := 1; items[n])"]) {
    for (const [name, next] of Object.entries(ways)) {
      expect((yield* errorsOf(rows, next)).join(), rows).toContain(
        `next.${name} ends at a page without rows, and this condition leaves rows out`
      )
    }
    expect(yield* errorsOf(rows), rows).toEqual([])
    expect(yield* errorsOf(rows, { cursor: { param: "after", from: "next" } }), rows).toEqual([])
  }
  for (const rows of [
    "items",
    "data[0].items",
    "data[-1].items",
    "results[index = 'products'].hits",
    'items.{ "n": tags[name = "n"].value }'
  ]) {
    expect(yield* errorsOf(rows, ways.offset), rows).toEqual([])
  }
})

scoped("refuses a delimiter where the answers are no CSV, and one that is the quote", function* () {
  const { errorsIn } = yield* project({ sharesLedger: true })
  const errorsOf = (fields: object) =>
    Effect.map(errorsIn(stepLine("request", { url: "https://api.example/items", ...fields })), (errors) =>
      errors.join()
    )
  expect(yield* errorsOf({ delimiter: ";", format: "jsonl" })).toContain("delimiter is only for the format csv")
  expect(yield* errorsOf({ delimiter: '"' })).toContain("choose another character")
  expect(yield* errorsOf({ delimiter: ";", format: "csv" })).toBe("")
  expect(yield* errorsOf({ delimiter: ";" })).toBe("")
})

scoped("notices after a resume, too, that offset.by skips rows", function* () {
  let isDown = true
  const server = yield* serve(({ path }): Reply => {
    const at = Number(new URL(path, "http://x").searchParams.get("offset"))
    if (at > 0 && isDown) return { status: 400, body: {} }
    return { body: items(1, 2, 3, 4, 5).slice(at, at + 2) }
  })
  const own = yield* project({})
  const next = { offset: { param: "offset", by: 4 } }
  const steps = `${stepLine("request", { url: server.url, next })}  - write: { jsonl: rows.jsonl }\n`
  const first = yield* Effect.provide(own.run(steps), here)
  isDown = false
  const resumed = yield* Effect.provide(own.resume(first.runId, steps), here)
  expect(server.asked.map(({ path }) => path)).toEqual(["/?offset=0", "/?offset=4", "/?offset=4", "/?offset=8"])
  expect(JSON.stringify(resumed)).toContain("page 1 had 2 of 4 rows")
})

scoped("sends headers and credentials to the origin of url only, by redirects and as the next page", function* () {
  const other = yield* serve(() => ({ body: { items: items(3), next: null } }))
  const { data, received, warnings } = yield* ask(
    ({ path }, base): Reply =>
      path.startsWith("/items")
        ? { status: 302, headers: { location: `${base}/moved` } }
        : { body: { items: items(1), next: `${other.url}/more?x=1` } },
    {
      fields: {
        headers: { "x-team": "herons", accept: "application/vnd.api+json" },
        auth: { query: { api_key: "verysecret" } },
        rows: "items",
        next: { url: "next" }
      }
    }
  )
  expect(data).toEqual(items(1, 3))
  expect(received.map(({ headers, path }) => [path, headers["x-team"]])).toEqual([
    ["/items?api_key=verysecret", "herons"],
    ["/moved?api_key=verysecret", "herons"]
  ])
  expect(other.asked.map(({ headers, path }) => [path, headers["x-team"], headers.accept])).toEqual([
    ["/more?x=1", undefined, "application/vnd.api+json"]
  ])
  expect(warnings.join()).toContain(
    "is another origin than that of url, so requests to it are sent without headers and credentials"
  )
})

scoped("does not send a body to another origin", function* () {
  const other = yield* serve(() => ({ body: [] }))
  const { failure } = yield* ask(() => ({ status: 307, headers: { location: other.url } }), {
    fields: { json: { a: 1 } }
  })
  expect(failure?.message).toContain("the body is not sent there")
  expect(other.asked).toEqual([])
})

scoped.each([
  {
    name: "basic",
    auth: { basic: { user: "heron", password: "pöst:1" } },
    sent: `Basic ${Buffer.from("heron:pöst:1").toString("base64")}`
  },
  { name: "bearer", auth: { bearer: "token-123" }, sent: "Bearer token-123" }
])("signs in with $name", function* ({ auth, sent }) {
  const { received } = yield* ask(() => ({ body: [] }), { fields: { auth } })
  expect(received.map(header("authorization"))).toEqual([sent])
})

/** An API whose tokens are refused after so many calls. */
const oauthApi = (perToken: number, expiresIn?: number) => {
  let tokens = 0
  let left = 0
  return ({ body, headers, path }: Asked): Reply => {
    if (path === "/token") {
      const isBasic = headers.authorization === `Basic ${Buffer.from("id:s%26cret1").toString("base64")}`
      if (!isBasic || !body.includes("grant_type=client_credentials&scope=read")) return { status: 400, body: {} }
      left = perToken
      return { body: { access_token: `token-${++tokens}`, token_type: "Bearer", expires_in: expiresIn ?? 3600 } }
    }
    if (headers.authorization !== `Bearer token-${tokens}` || left-- <= 0)
      return { status: 401, body: { error: "expired" } }
    const at = Number(new URL(path, "http://x").searchParams.get("page"))
    return { body: at > 4 ? [] : items(at) }
  }
}

const withToken = (reply: (asked: Asked) => Reply) =>
  Effect.gen(function* () {
    const server = yield* serve(reply)
    const { run } = yield* project({ sharesLedger: true })
    const oauth = { tokenUrl: `${server.url}/token`, clientId: "id", clientSecret: "${{ secrets.API }}", scope: "read" }
    const step = stepLine("request", { url: `${server.url}/items`, auth: { oauth }, next: { page: { param: "page" } } })
    // The secret is known to the run only: the definition is checked without it.
    const ended = yield* run(`${step}  - write: { jsonl: rows.jsonl }\n`.replace("${{ secrets.API }}", "s&cret1")).pipe(
      Effect.provide(here)
    )
    return { ...ended, asked: server.asked.map(({ path }) => path) }
  })

scoped("fetches one token for many calls, and another one when an API refuses it", function* () {
  const long = yield* withToken(oauthApi(100))
  expect(long.rows).toEqual(items(1, 2, 3, 4))
  expect(long.asked.filter((path) => path === "/token")).toHaveLength(1)
  const short = yield* withToken(oauthApi(2))
  expect(short.rows).toEqual(items(1, 2, 3, 4))
  expect(short.asked.filter((path) => path === "/token")).toHaveLength(3)
})

scoped("does not take a sign-in that answers 404 for the end of the pages", function* () {
  const api = oauthApi(2)
  let tokens = 0
  const ended = yield* withToken((asked) =>
    asked.path === "/token" && ++tokens > 1 ? { status: 404, body: {} } : api(asked)
  )
  expect(ended.rows).toEqual([])
  expect(ended.summary.status).toBe("failed")
})

scoped("fetches another token before the last one expires", function* () {
  const ended = yield* withToken(oauthApi(100, 0))
  expect(ended.rows).toEqual(items(1, 2, 3, 4))
  expect(ended.asked.filter((path) => path === "/token")).toHaveLength(5)
})

scoped("a stop does not wait until the service of tokens takes requests again", function* () {
  const isAsked = yield* Deferred.make<void>()
  const begin = Date.now()
  const reply = ({ path }: Asked): Reply => {
    if (path !== "/token") return { body: items(1) }
    Effect.runSync(Deferred.succeed(isAsked, undefined))
    return { status: 429, headers: { "retry-after": "30" }, body: {} }
  }
  const running = yield* Effect.fork(withToken(reply))
  yield* Deferred.await(isAsked)
  yield* Fiber.interrupt(running)
  // Of the 30 seconds that the service asks for.
  expect(Date.now() - begin).toBeLessThan(20_000)
})

scoped("repeats what passes, and does not repeat a POST that may have been done", function* () {
  const flaky = (): (() => Reply) => {
    let count = 0
    return () => (count++ % 2 === 0 ? { status: 503, body: {} } : { body: items(1) })
  }
  const get = yield* ask(flaky())
  expect([get.data, get.asked.length]).toEqual([items(1), 2])
  const search = yield* ask(flaky(), { fields: { graphql: { query: "{ a }" } } })
  expect(search.asked).toHaveLength(2)
  const post = yield* ask(flaky(), { fields: { json: {} } })
  expect(post.failure?.message).toMatch(/the API answered 503.*Resume the run once the API works/)
  expect(post.asked).toHaveLength(1)
})

scoped.skipIf(skipsLong)("waits for its turn once an API says that no request is left", function* () {
  const times: Array<number> = []
  const { data } = yield* ask(
    ({ path }) => {
      times.push(Date.now())
      const isFirst = !path.includes("after")
      return {
        headers: isFirst ? { ratelimit: '"default";r=0;t=1' } : {},
        body: { items: items(path), next: isFirst ? 1 : null }
      }
    },
    { fields: { rows: "items", next: { cursor: { param: "after", from: "next" } } } }
  )
  expect(data).toHaveLength(2)
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(900)
})

scoped.each(["pages", "calls"])(
  "counts its calls as %s of the budget, and goes on where it stopped",
  function* (limit) {
    const reply = ({ path }: Asked): Reply => {
      const at = Number(new URL(path, "http://x").searchParams.get("page"))
      return { body: at > 5 ? [] : items(at) }
    }
    const { progress, received, rows, summary } = yield* ask(reply, {
      fields: { next: { page: { param: "page" } } },
      more: "  - write: { jsonl: rows.jsonl }\n",
      options: { frame: `budget: { ${limit}: 3, onReached: publish }\n` }
    })
    expect([rows, received.length, progress.pages, summary.credits]).toEqual([items(1, 2, 3), 3, 3, 0])
  }
)

scoped("keeps secrets out of messages, rejects and the ledger", function* () {
  const server = yield* serve(() => ({ status: 401, body: { error: "no" } }))
  const here_ = yield* project({})
  const steps = `  - request: { url: "${server.url}/a?b=1", auth: { query: { key: "\${{ secrets.KEY }}" } } }\n`
  const definition = yield* Effect.flip(here_.checked(steps))
  expect(String(definition)).toContain('secret "KEY" is not set')
  const ended = yield* here_
    .run(steps.replace("${{ secrets.KEY }}", "hunter22"), { secrets: () => Redacted.make("hunter22") })
    .pipe(Effect.provide(here))
  expect(server.asked[0]?.path).toBe("/a?b=1&key=hunter22")
  expect(JSON.stringify([ended.outcome, ended.warnings])).not.toContain("hunter22")
  const pages = yield* here_.ledger.connection.sql`SELECT * FROM pages`
  expect(JSON.stringify(pages)).not.toContain("hunter22")
})
