import { writeFile } from "node:fs/promises"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Sqlite from "../../src/Run/Ledger/Sqlite.ts"
import { Ledger } from "../../src/Run/Ledger.ts"
import { tempDir } from "../Local.ts"
import { jobService, page, run } from "./Odd.ts"

it.scoped("a page without an answer from its site is a failed row, and its price is booked", () =>
  Effect.gen(function* () {
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
)

it.scoped(
  "a page of a job that could not be reached says whether its connection, its name or its certificate failed",
  () =>
    Effect.gen(function* () {
      const faults = [
        ["The connection to x.example failed (ECONNREFUSED): nothing listens there", "TargetNetworkError"],
        ["The connection to x.example failed (UND_ERR_SOCKET): the site closed it", "TargetNetworkError"],
        ["The browser could not open http://x.example/: ERR_EMPTY_RESPONSE.", "TargetNetworkError"],
        ["x.example could not be resolved (ENOTFOUND)", "TargetDnsError"],
        ["No secure connection to x.example (DEPTH_ZERO_SELF_SIGNED_CERT)", "TargetTlsError"],
        ["http://x.example/ did not answer in full within 1000 ms", "Timeout"],
        ["the page is too complex", "PageFailed"]
      ] as const
      const data = faults.map(([error], index) => ({ metadata: { sourceURL: `http://x.example/${index}`, error } }))
      const { rejects } = yield* run(
        jobService({
          status: () => ({ total: data.length, completed: 0, data }),
          errors: { errors: [], robotsBlocked: [] }
        }),
        `  - crawl: { url: "http://x.example/" }`
      )
      expect(rejects.map(({ error }) => error)).toEqual(faults.map(([, reason]) => reason))
    })
)

it.scoped("a failed page that the job only lists has the reason of its code", () =>
  Effect.gen(function* () {
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
)

it.scoped("search gives no more rows than are wanted, whatever the number of its sources", () =>
  Effect.gen(function* () {
    const results = (source: string) =>
      Array.from({ length: 3 }, (_, index) => ({ url: `http://${source}.example/${index}`, title: source }))
    const { rows } = yield* run(
      () => ({ body: { success: true, data: { web: results("web"), news: results("news") }, creditsUsed: 2 } }),
      "  - search: { query: herons, sources: [web, news] }",
      { wanted: 4 }
    )
    expect(rows.map(({ source }) => source)).toEqual(["web", "web", "web", "news"])
  })
)

it.scoped("dedupe tells rows apart by themselves where the key is null or missing", () =>
  Effect.gen(function* () {
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
)

it.scoped(
  "a page is in the ledger under the name of its row, which is its address where the row has none of its own",
  () =>
    Effect.gen(function* () {
      const dataDir = yield* tempDir
      // As `dedupe` looks for it there, before it says that a row is gone.
      yield* Effect.promise(() => writeFile(`${dataDir}/rows.jsonl`, '{"page":"http://x.example/a?utm_source=b"}\n'))
      const read = `  - read: ${dataDir}/rows.jsonl\n`
      for (const [name, steps] of [
        ["http://x.example/a", `${read}  - select: { url: page }\n  - scrape: {}`],
        ["http://x.example/a", `${read}  - parse: { url: { expr: page } }`],
        ["http://x.example/", `  - urls: ["http://x.example/"]\n  - scrape: { url: { expr: "url & 'a'" } }`]
      ] as const) {
        const answer = { body: { success: true, data: page("http://x.example/a") } }
        const { runId } = yield* run(() => answer, steps, { dataDir })
        const pages = yield* Effect.flatMap(Ledger, ({ history }) => history.pagesOf(runId, { limit: 9 })).pipe(
          Effect.provide(Sqlite.layer(dataDir)),
          Effect.provide(NodeContext.layer)
        )
        expect(pages.map(({ key }) => key)).toEqual([name])
      }
    })
)

it.scoped("a row without the address that a step asks for says what it has in its place", () =>
  Effect.gen(function* () {
    const { rejects } = yield* run(
      () => ({ body: { success: true, data: { web: [{ title: "a" }, { url: "x.example/b" }] } } }),
      "  - search: { query: herons }\n  - scrape: {}"
    )
    expect(rejects.map(({ message }) => message)).toEqual([
      "{ expr: url } gives nothing: expected an absolute http:// or https:// address",
      '{ expr: url } gives "x.example/b": expected an absolute http:// or https:// address'
    ])
  })
)
