import { writeFile } from "node:fs/promises"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import { Ledger } from "../../src/Ledger.ts"
import { expect, scoped } from "../It.ts"
import * as Fresh from "../Ledger/Fresh.ts"
import { tempDir } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { id, jobService, page, run } from "./Odd.ts"

scoped("a page without an answer from its site is a failed row, and is charged", function* () {
  const failed = {
    success: true,
    data: { metadata: { sourceURL: "http://x.example/a", error: "no such host", creditsUsed: 1 } }
  }
  const steps = (step: string) => `  - urls: ["http://x.example/a"]\n  - ${step}`
  for (const step of ["scrape: {}", "parse: { url: { expr: url } }"]) {
    const { rejects, summary } = yield* run(() => ({ body: failed }), steps(step))
    expect(rejects).toMatchObject([
      { error: "PageFailed", message: "http://x.example/a: no such host", row: { url: "http://x.example/a" } }
    ])
    expect(summary).toMatchObject({ credits: 1, rejects: 1 })
  }
  const gone = { success: true, data: page("http://x.example/a", { statusCode: 404, error: "Not Found" }) }
  expect((yield* run(() => ({ body: gone }), steps("scrape: {}"))).rows.length).toBe(1)
})

scoped("a page that the site blocked is a failed row, unless failOn leaves blocked pages out", function* () {
  const address = "http://x.example/a"
  const blocked = { kind: "captcha", evidence: 'the title is "Are you a robot?"' }
  const error = "The site showed a CAPTCHA in place of the page"
  const data = page(address, { blocked, error, creditsUsed: 0 })
  const steps = (failOn: string) => `  - urls: ["${address}"]\n  - scrape: {}${failOn}`
  const failed = yield* run(() => ({ body: { success: true, data } }), steps(""))
  expect(failed.rejects).toMatchObject([{ error: "Blocked", message: `${address}: ${error}` }])
  expect(failed.summary).toMatchObject({ credits: 0, rejects: 1 })
  const kept = yield* run(() => ({ body: { success: true, data } }), steps("\n    failOn: [4xx]"))
  expect(kept.rows).toMatchObject([{ metadata: { blocked } }])
  const shell = page(address, {
    blocked: { kind: "javascript", evidence: "nothing is shown" },
    error: "It is a shell"
  })
  const warning = "To run them, install a browser: npm install playwright-core"
  const empty = yield* run(() => ({ body: { success: true, data: { ...shell, warning } } }), steps(""))
  expect(empty.rejects).toMatchObject([{ message: `${address}: It is a shell. ${warning}` }])
  const job = jobService({ status: () => ({ total: 1, completed: 0, data: [data] }) })
  const crawled = yield* run(job, `  - crawl: { url: "http://x.example/" }`)
  expect(crawled.rejects.map(({ error: reason }) => reason)).toEqual(["Blocked"])
})

scoped(
  "a file whose text cannot be read keeps its warning in its row and its page, and the run warns once",
  function* () {
    const warning = "The pages contain only images, no text."
    const data = (n: number) => page(`http://x.example/${n}`, n === 0 ? {} : { warning })
    const scraped = yield* run(
      ({ body }) => ({
        body: { success: true, data: data(Number((JSON.parse(body) as { url: string }).url.at(-1))) }
      }),
      `  - urls: ["http://x.example/0", "http://x.example/1", "http://x.example/2"]\n  - scrape: {}`
    )
    const crawled = yield* run(
      jobService({ status: () => ({ total: 3, completed: 3, data: [0, 1, 2].map(data) }) }),
      `  - crawl: { url: "http://x.example/" }`
    )
    for (const { rows, warnings } of [scraped, crawled]) {
      expect(rows.map(({ metadata }) => (metadata as { warning?: string }).warning).sort()).toEqual([
        warning,
        warning,
        undefined
      ])
      expect(warnings.filter((each) => each.includes(warning))).toEqual([
        expect.stringMatching(/http:\/\/x\.example\/[12]: The pages contain only images/)
      ])
    }
  }
)

scoped("an unreachable page of a job says whether connection, host name or certificate failed", function* () {
  const faults = [
    ["The connection to x.example failed (ECONNREFUSED): nothing listens there", "TargetNetworkError"],
    ["The connection to x.example failed (UND_ERR_SOCKET): the site closed it", "TargetNetworkError"],
    ["The browser could not open http://x.example/: ERR_EMPTY_RESPONSE.", "TargetNetworkError"],
    ["x.example could not be resolved (ENOTFOUND)", "TargetDnsError"],
    ["No secure connection to x.example (DEPTH_ZERO_SELF_SIGNED_CERT)", "TargetTlsError"],
    ["http://x.example/ did not answer in full within 1000 ms", "Timeout", "SCRAPE_TIMEOUT"],
    ["the page is too complex", "PageFailed"],
    ["the page has no such button", "PageFailed", "SCRAPE_ACTION_ERROR"],
    // Of version 0.1 of the engine, which sent no code.
    ["http://x.example/ did not answer in full within 1000 ms", "Timeout"],
    // Of pages that have a meta tag with the name `code`.
    ["x.example could not be resolved (ENOTFOUND)", "TargetDnsError", "DE"],
    ["the connection failed (ECONNREFUSED)", "TargetNetworkError", ["DE", "AT"]],
    ["the page is too complex", "PageFailed", 7],
    ["the page is too complex", "PageFailed", "constructor"]
  ] as const
  const data = faults.map(([error, , code], index) => ({
    metadata: { sourceURL: `http://x.example/${index}`, error, code }
  }))
  const { rejects } = yield* run(
    jobService({
      status: () => ({ total: data.length, completed: 0, data }),
      errors: { errors: [], robotsBlocked: [] }
    }),
    `  - crawl: { url: "http://x.example/" }`
  )
  expect(rejects.map(({ error }) => error)).toEqual(faults.map(([, reason]) => reason))
  expect(rejects.map(({ message }) => message)).toContain("http://x.example/6: the page is too complex")
})

scoped("the message of a failed page has its address once", function* () {
  const error = "http://x.example/1 did not answer in full within 1000 ms"
  const { rejects } = yield* run(
    jobService({
      status: () => ({ total: 1, completed: 0, data: [{ metadata: { sourceURL: "http://x.example/1", error } }] }),
      errors: { errors: [], robotsBlocked: [] }
    }),
    `  - crawl: { url: "http://x.example/" }`
  )
  expect(rejects.map(({ message }) => message)).toEqual([error])
})

scoped("a failed page that the job only lists has the reason of its code", function* () {
  const listed = [
    ["SCRAPE_CONNECTION_ERROR", "TargetNetworkError"],
    ["SCRAPE_DNS_RESOLUTION_ERROR", "TargetDnsError"],
    ["SCRAPE_TIMEOUT", "Timeout"],
    ["SCRAPE_ACTION_ERROR", "SCRAPE_ACTION_ERROR"]
  ] as const
  const errors = listed.map(([code], index) => ({ url: `http://x.example/${index}`, code, error: "it failed" }))
  const { rejects } = yield* run(
    jobService({
      status: () => ({ total: 5, completed: 1, data: [page("http://x.example/")] }),
      errors: { errors, robotsBlocked: [] }
    }),
    `  - crawl: { url: "http://x.example/" }`
  )
  expect(rejects.map(({ error }) => error)).toEqual(listed.map(([, reason]) => reason))
})

const answering = (status: number) => ({
  body: { success: true, data: page("http://x.example/a", { statusCode: status, creditsUsed: 1 }) }
})

scoped("a page that answers 5xx is rejected with its status, in every step that emits pages", function* () {
  const documents = [200, 404, 503].map((statusCode) => page(`http://x.example/${statusCode}`, { statusCode }))
  const job = () =>
    jobService({
      status: () => ({ total: 3, completed: 3, creditsUsed: 3, data: documents }),
      errors: { errors: [{ url: "http://x.example/503", code: "HTTP_503", error: "busy" }], robotsBlocked: [] }
    })
  const addresses = `  - urls: ${JSON.stringify(documents.map(({ metadata }) => metadata.sourceURL))}\n`
  for (const step of [
    `${addresses}  - batchScrape: {}`,
    '  - crawl: { url: "http://x.example/" }',
    `  - crawlStatus: { id: ${id} }`,
    `  - batchStatus: { id: ${id} }`
  ]) {
    const { rejects, rows, summary } = yield* run(job(), step)
    expect(rows.length, step).toBe(2)
    expect(rejects, step).toMatchObject([
      {
        error: "HttpError",
        status: 503,
        attempts: 1,
        key: "http://x.example/503",
        message: "http://x.example/503: the site answered 503"
      }
    ])
    // The job that is attached to is already paid for.
    expect(summary).toMatchObject({ credits: step.includes("Status") ? 0 : 3, rejects: 1 })
  }
  for (const step of ["scrape: {}", "parse: { url: { expr: url } }"]) {
    const { rejects, summary } = yield* run(() => answering(503), `  - urls: ["http://x.example/a"]\n  - ${step}`)
    expect(rejects, step).toMatchObject([{ error: "HttpError", status: 503, attempts: 1, key: "http://x.example/a" }])
    expect(summary.credits).toBe(1)
  }
})

scoped("failOn lists statuses, classes and ranges; an empty list accepts every page", function* () {
  const rejected = (failOn: string, status: number) =>
    Effect.map(
      run(() => answering(status), `  - urls: ["http://x.example/a"]\n  - scrape: {}\n    failOn: ${failOn}`),
      ({ rejects }) => rejects.length === 1
    )
  for (const [failOn, status, isRejected] of [
    ["[]", 503, false],
    ["[404]", 404, true],
    ["[404]", 503, false],
    ["[4xx]", 410, true],
    ["[4xx]", 200, false],
    ["[400-403, 5xx]", 403, true],
    ["[400-403, 5xx]", 404, false],
    ["[400-403, 5xx]", 599, true],
    ["[204]", 204, true]
  ] as const) {
    expect(yield* rejected(failOn, status), `${failOn} ${status}`).toBe(isRejected)
  }
})

scoped("a failed page follows onError", function* () {
  const step = (onError: string) => `  - urls: ["http://x.example/a"]\n  - scrape: {}\n    onError: ${onError}`
  const kept = yield* run(() => answering(500), step("keep"))
  expect(kept.rows).toMatchObject([{ url: "http://x.example/a", error: { reason: "HttpError", status: 500 } }])
  const dropped = yield* run(() => answering(500), step("drop"))
  expect([dropped.rows, dropped.rejects]).toEqual([[], []])
  const failed = yield* run(() => answering(500), step("fail"))
  expect(failed.outcome).toMatchObject({ left: { reason: { reason: "HttpError", status: 500 } } })
})

scoped.skipIf(skipsLong)(
  "retry repeats a page with a listed status: each attempt is paid for, and all are in the ledger",
  function* () {
    const dataDir = yield* tempDir
    const step = (keys: string) => `  - urls: ["http://x.example/a"]\n  - scrape: {}\n${keys}`
    const busyUntil = (good: number) => {
      let asked = 0
      return () => answering(++asked < good ? 503 : 200)
    }
    const retry = "    retry: { times: 2, on: [5xx] }"
    const recovered = yield* run(busyUntil(3), step(retry), { dataDir })
    expect(recovered.rows.length).toBe(1)
    expect(recovered.summary.credits).toBe(3)
    const pages = yield* Effect.flatMap(Ledger, ({ history }) => history.pagesOf(recovered.runId, { limit: 9 })).pipe(
      Effect.provide(Fresh.layer(dataDir)),
      Effect.provide(NodeContext.layer)
    )
    expect(pages.map(({ status }) => status)).toEqual([503, 503, 200])
    const keys = recovered.asked.map(({ headers }) => headers["x-idempotency-key"])
    expect(new Set(keys).size).toBe(3)
    const lost = yield* run(busyUntil(9), step(retry))
    expect(lost.rejects).toMatchObject([{ error: "HttpError", status: 503, attempts: 3 }])
    expect(lost.asked.length).toBe(3)
    // The policy of the calls and that of the pages share the row's retries.
    const mixed = yield* run(
      (() => {
        let asked = 0
        return () => (++asked === 2 ? { status: 502, body: { error: "no" } } : answering(503))
      })(),
      step(retry)
    )
    expect(mixed.asked.length).toBe(3)
    // Without failOn the last answer is the row.
    const shown = yield* run(busyUntil(9), step(`${retry}\n    failOn: []`))
    expect(shown.rows).toMatchObject([{ metadata: { statusCode: 503 } }])
    expect(shown.asked.length).toBe(3)
    const other = yield* run(busyUntil(9), step("    retry: { times: 2, on: [429, timeout] }"))
    expect(other.asked.length).toBe(1)
  }
)

scoped.skipIf(skipsLong)("retry on network repeats a page whose site refused the connection", function* () {
  const refused = {
    status: 422,
    body: { success: false, code: "SCRAPE_CONNECTION_ERROR", error: "The connection failed (ECONNREFUSED)" }
  }
  const unreached = {
    body: {
      success: true,
      data: { metadata: { sourceURL: "http://x.example/a", error: "net::ERR_CONNECTION_RESET" } }
    }
  }
  for (const failure of [refused, unreached]) {
    let asked = 0
    const { rows } = yield* run(
      () => (++asked < 3 ? failure : answering(200)),
      '  - urls: ["http://x.example/a"]\n  - scrape: {}\n    retry: { times: 2, on: [network] }'
    )
    expect([asked, rows.length]).toEqual([3, 1])
  }
})

scoped("a failed scrape call is an attempt at its page in the ledger", function* () {
  const dataDir = yield* tempDir
  const { rejects, runId } = yield* run(
    () => ({
      status: 422,
      body: { success: false, code: "SCRAPE_CONNECTION_ERROR", error: "The connection failed (ECONNREFUSED)" }
    }),
    '  - urls: ["http://x.example/a?utm_source=b"]\n  - scrape: {}\n    retry: { times: 1, on: [network] }',
    { dataDir }
  )
  expect(rejects).toMatchObject([{ error: "TargetNetworkError", attempts: 2 }])
  const pages = yield* Effect.flatMap(Ledger, ({ history }) => history.pagesOf(runId, { limit: 9 })).pipe(
    Effect.provide(Fresh.layer(dataDir)),
    Effect.provide(NodeContext.layer)
  )
  expect(pages).toMatchObject(
    [1, 2].map(() => ({
      key: "http://x.example/a",
      status: undefined,
      error: expect.stringContaining("ECONNREFUSED"),
      price: "unknown"
    }))
  )
})

scoped("search emits no more rows than wanted, however many sources it has", function* () {
  const results = (source: string) =>
    Array.from({ length: 3 }, (_, index) => ({ url: `http://${source}.example/${index}`, title: source }))
  const { rows } = yield* run(
    () => ({ body: { success: true, data: { web: results("web"), news: results("news") }, creditsUsed: 2 } }),
    "  - search: { query: herons, sources: [web, news] }",
    { wanted: 4 }
  )
  expect(rows.map(({ source }) => source)).toEqual(["web", "web", "web", "news"])
})

scoped("dedupe compares rows by `$key` when the key is null or missing", function* () {
  const results = [
    { url: "http://x.example/1", title: "a" },
    { url: "http://x.example/2", title: "a" },
    { url: "http://x.example/3", title: null },
    { url: "http://x.example/4", title: null },
    { url: "http://x.example/5" }
  ]
  const { rows } = yield* run(
    () => ({ body: { success: true, data: { web: results } } }),
    "  - search: { query: herons }\n  - dedupe: { key: title }"
  )
  expect(rows.map(({ url }) => String(url).at(-1))).toEqual(["1", "3", "4", "5"])
})

scoped("a page is in the ledger under the key of its row, or under its address when the row has none", function* () {
  const [dataDir, folder] = [yield* tempDir, yield* tempDir]
  // As `dedupe` looks for it there, before it says that a row is gone.
  yield* Effect.promise(() => writeFile(`${folder}/rows.jsonl`, '{"page":"http://x.example/a?utm_source=b"}\n'))
  const read = `  - read: ${folder}/rows.jsonl\n`
  for (const [name, steps] of [
    ["http://x.example/a", `${read}  - select: { url: page }\n  - scrape: {}`],
    ["http://x.example/a", `${read}  - parse: { url: { expr: page } }`],
    ["http://x.example/", `  - urls: ["http://x.example/"]\n  - scrape: { url: { expr: "url & 'a'" } }`]
  ] as const) {
    const answer = { body: { success: true, data: page("http://x.example/a") } }
    const { runId } = yield* run(() => answer, steps, { dataDir })
    const pages = yield* Effect.flatMap(Ledger, ({ history }) => history.pagesOf(runId, { limit: 9 })).pipe(
      Effect.provide(Fresh.layer(dataDir)),
      Effect.provide(NodeContext.layer)
    )
    expect(pages.map(({ key }) => key)).toEqual([name])
  }
})

scoped("the reject of a row without a web address shows what it has instead", function* () {
  const { rejects } = yield* run(
    () => ({ body: { success: true, data: { web: [{ title: "a" }, { url: "x.example/b" }] } } }),
    "  - search: { query: herons }\n  - scrape: {}"
  )
  expect(rejects.map(({ message }) => message)).toEqual([
    'hit 2 of web is not a web address: expected http:// or https://, got "x.example/b"',
    "{ expr: url } gives nothing: expected an absolute http:// or https:// address"
  ])
})
