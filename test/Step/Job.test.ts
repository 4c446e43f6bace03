import * as Effect from "effect/Effect"
import type { Asked, Reply } from "../Client/Server.ts"
import { expect, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { project, rowsIn } from "../Project.ts"
import { live, pacer, until } from "../Run/Lives.ts"
import { id, jobService, page, run } from "./Odd.ts"

const batch = `  - urls: ["http://x.example/a", "http://x.example/b"]
  - batchScrape: { formats: [markdown] }`

const bothPages = {
  total: 2,
  completed: 2,
  creditsUsed: 2,
  data: [page("http://x.example/a"), page("http://x.example/b")]
}

scoped("batchScrape emits a row for every input row, and requests each address once", function* () {
  const { asked, rejects, rows } = yield* run(
    jobService({
      status: () => bothPages,
      errors: { errors: [{ url: "http://x.example/gone", error: "no such host" }], robotsBlocked: [] }
    }),
    `  - urls: ["http://x.example/a", "http://x.example/a#top", "http://x.example/b", "http://x.example/gone", "http://x.example/gone#x"]
  - batchScrape: { formats: [markdown] }
  - select: { title: markdown, asked: $source.url }`
  )
  expect(rows).toEqual([
    { title: "# http://x.example/a", asked: "http://x.example/a" },
    { title: "# http://x.example/a", asked: "http://x.example/a#top" },
    { title: "# http://x.example/b", asked: "http://x.example/b" }
  ])
  expect(rejects.map(({ jobId, row }) => [jobId, row])).toEqual([
    [id, { url: "http://x.example/gone" }],
    [id, { url: "http://x.example/gone#x" }]
  ])
  expect(JSON.parse(asked[0]?.body ?? "").urls).toEqual([
    "http://x.example/a",
    "http://x.example/b",
    "http://x.example/gone"
  ])
})

scoped("batchScrape rejects an address that only differs behind # from one whose page it would get", function* () {
  const { asked, rejects, rows } = yield* run(
    jobService({ status: () => bothPages }),
    `  - urls: ["http://x.example/a", "http://x.example/a#/", "http://x.example/a#top", "http://x.example/b", "http://x.example/b#/users", "http://x.example/b#!users"]
  - batchScrape: { formats: [markdown] }
  - select: { asked: $source.url }`
  )
  expect(rows.map(({ asked }) => asked)).toEqual([
    "http://x.example/a",
    "http://x.example/a#/",
    "http://x.example/a#top",
    "http://x.example/b"
  ])
  expect(rejects.map(({ error, message }) => [error, message])).toEqual(
    ["http://x.example/b#/users", "http://x.example/b#!users"].map((address) => [
      "SamePage",
      `${address} and http://x.example/b differ only behind #, and a batch has one page for both: use the step scrape`
    ])
  )
  expect(JSON.parse(asked[0]?.body ?? "").urls).toEqual(["http://x.example/a", "http://x.example/b"])
})

scoped("a row whose address the service refuses follows onError", function* () {
  const service = () =>
    jobService({
      start: () => ({ body: { success: true, id, url: "x", invalidURLs: ["http://x.example/b"] } }),
      status: () => ({ ...bothPages, data: [page("http://x.example/a")] }),
      errors: { errors: [], robotsBlocked: [] }
    })
  const rejected = yield* run(service(), batch)
  expect(rejected.rejects).toMatchObject([
    { error: "InvalidUrl", key: "http://x.example/b", jobId: id, row: { url: "http://x.example/b" } }
  ])
  const kept = yield* run(service(), `${batch}\n    onError: keep`)
  expect(kept.rejects).toEqual([])
  expect(kept.rows).toMatchObject([
    { url: "http://x.example/b", error: { reason: "InvalidUrl" } },
    { markdown: "# http://x.example/a" }
  ])
})

scoped("a job keeps its rows when the service has no list of failed pages, and warns", function* () {
  const { rows, summary, warnings } = yield* run(jobService({ status: () => bothPages }), batch)
  expect(summary).toMatchObject({ status: "completed", credits: 2, unpricedCalls: 0 })
  expect(rows.length).toBe(2)
  expect(warnings.join()).toContain("batchScrape: it is not known which pages failed")
})

scoped("a job that fails keeps the rows that it delivered; without any, it fails the run", function* () {
  const errors = { errors: [], robotsBlocked: [] }
  const half = { ...bothPages, status: "failed", completed: 1, data: [page("http://x.example/a")] }
  const partial = yield* run(jobService({ status: () => half, errors }), batch)
  expect(partial.summary).toMatchObject({ status: "completed", rows: 1 })
  expect(partial.warnings.join()).toContain(`Job ${id} failed at 1 of 2 pages`)
  const nothing = yield* run(
    jobService({ status: () => ({ status: "failed", total: 2, completed: 0, creditsUsed: 0 }), errors }),
    batch
  )
  expect(nothing.outcome).toMatchObject({ left: { reason: { reason: "JobFailed" } } })
})

scoped("a batch that ends for lack of credits fails the run, which can be resumed", function* () {
  const error = "Insufficient credits: 1 credit needed, 0 credits left of 12 credits a month."
  const service = jobService({
    status: () => ({
      ...bothPages,
      status: "failed",
      error,
      completed: 1,
      creditsUsed: 1,
      data: [page("http://x.example/a")]
    }),
    errors: { errors: [], robotsBlocked: [] }
  })
  const { outcome, summary } = yield* run(service, batch)
  expect(outcome).toMatchObject({ left: { reason: { reason: "PaymentRequired" } } })
  expect(summary).toMatchObject({ status: "failed", resumable: true, credits: 1 })
})

scoped("a batch that reaches its own limit of bytes ends, and the run continues with its pages", function* () {
  const service = jobService({
    status: () => ({
      ...bothPages,
      status: "failed",
      error: "The results of this job reach the 2 GB",
      code: "JOB_STORAGE_FULL",
      completed: 1,
      creditsUsed: 1,
      data: [page("http://x.example/a")]
    }),
    errors: { errors: [], robotsBlocked: [] }
  })
  const { outcome, rows } = yield* run(service, batch)
  expect(outcome).not.toMatchObject({ left: { reason: { reason: "InsufficientStorage" } } })
  expect(rows.length).toBe(1)
})

scoped.each(["TEAM_STORAGE_FULL", "INSUFFICIENT_STORAGE"])(
  "a batch that ends with %s before its first page fails the run",
  function* (code) {
    const full = { error: "The job ended: its team's storage is full.", code }
    const { outcome, summary } = yield* run(
      jobService({
        status: () => ({ ...bothPages, ...full, status: "failed", completed: 0, creditsUsed: 0, data: [] }),
        errors: { errors: [], robotsBlocked: [] }
      }),
      batch
    )
    expect(outcome).toMatchObject({ left: { reason: { reason: "InsufficientStorage" } } })
    expect(summary).toMatchObject({ status: "failed", resumable: true })
  }
)

scoped.each(["TEAM_STORAGE_FULL", "INSUFFICIENT_STORAGE"])(
  "a batch that ends with %s fails the run; a start refused with it is not repeated",
  function* (code) {
    const full = { error: "This team's storage is full (8 of 8 bytes).", code }
    const service = jobService({
      status: () => ({
        ...bothPages,
        ...full,
        status: "failed",
        completed: 1,
        creditsUsed: 1,
        data: [page("http://x.example/a")]
      }),
      errors: { errors: [], robotsBlocked: [] }
    })
    const ended = yield* run(service, batch)
    expect(ended.outcome).toMatchObject({ left: { reason: { reason: "InsufficientStorage" } } })
    expect(ended.summary).toMatchObject({ status: "failed", resumable: true, credits: 1 })
    let starts = 0
    const refused = yield* run(
      jobService({
        start: () => {
          starts++
          return { status: 507, body: { success: false, ...full } }
        },
        status: () => bothPages,
        errors: { errors: [], robotsBlocked: [] }
      }),
      batch
    )
    expect(refused.outcome).toMatchObject({ left: { reason: { reason: "InsufficientStorage" } } })
    expect(starts).toBe(1)
  }
)

scoped("a refused start is repeated with the same idempotency key; each row has its own", function* () {
  let starts = 0
  const { asked, rows, runId } = yield* run(
    jobService({
      start: () =>
        starts++ === 0 ? { status: 429, body: { error: "slow down" } } : { body: { success: true, id, url: "x" } },
      status: () => bothPages,
      errors: { errors: [], robotsBlocked: [] }
    }),
    `  - urls: ["http://x.example/a", "http://x.example/b"]
  - each: true
    crawl: { url: { expr: url } }`
  )
  expect(rows.length).toBe(4)
  const keys = asked.filter(({ method }) => method === "POST").map(({ headers }) => headers["x-idempotency-key"])
  expect(keys.length).toBe(3)
  expect(keys[0]).toBe(keys[1])
  expect(keys[1]).not.toBe(keys[2])
  expect(keys[0]).toMatch(new RegExp(`^${runId}/crawl/[0-9a-f]{32}/job$`))
})

const endless = { status: "scraping", total: 100, completed: 2, creditsUsed: 2, data: bothPages.data }
const cancelled = (asked: ReadonlyArray<{ readonly method: string; readonly path: string }>) =>
  asked.filter(({ method }) => method === "DELETE").map(({ path }) => path)

scoped("a job that is not read to its end is cancelled if the step started it", function* () {
  const running = () => jobService({ status: () => endless })
  const limited = yield* run(running(), `${batch}\n  - limit: 1`)
  expect(limited.rows.length).toBe(1)
  expect(cancelled(limited.asked)).toEqual([`/v2/batch/scrape/${id}`])
  const wanted = yield* run(running(), '  - crawl: { url: "http://x.example" }', { wanted: 1 })
  expect(cancelled(wanted.asked)).toEqual([`/v2/crawl/${id}`])
  const attached = yield* run(running(), `  - batchStatus: { id: "${id}" }\n  - limit: 1`)
  expect(attached.rows.length).toBe(1)
  expect(cancelled(attached.asked)).toEqual([])
  const over = yield* run(jobService({ status: () => bothPages }), `${batch}\n  - limit: 1`)
  expect(cancelled(over.asked)).toEqual([])
})

scoped.skipIf(skipsLong)(
  "a job that cannot be cancelled is named in a warning, unless it is already over",
  function* () {
    const answering = (reply: Reply) => {
      const service = jobService({ status: (look) => (look === 0 ? endless : bothPages) })
      return (asked: Asked, base: string) => (asked.method === "DELETE" ? reply : service(asked, base))
    }
    const refused = { status: 403, body: { success: false, error: "not yours" } }
    const spent = yield* run(answering(refused), batch, {}, "budget: { credits: 1 }\n")
    expect(spent.summary.status).toBe("budget")
    expect(spent.warnings.join()).toContain(`batchScrape: job ${id} could not be cancelled: it may continue`)
    expect(spent.warnings.join()).toContain("not yours")
    const limited = yield* run(answering(refused), `${batch}\n  - limit: 1`)
    expect(limited.warnings.join()).toContain(`job ${id} could not be cancelled`)
    const over = yield* run(
      answering({ status: 404, body: { success: false, error: "Job not found" } }),
      `${batch}\n  - limit: 1`
    )
    expect(over.warnings.join()).not.toContain("could not be cancelled")
  }
)

scoped.skipIf(skipsLong)(
  "a page that came with its error is rejected once, although the job lists it too, also after a kill",
  function* () {
    const names = ["a", "b", "c"]
    const failed = (name: string) => ({ metadata: { sourceURL: `http://x.example/${name}`, error: "no such host" } })
    const looked = { second: false }
    let resume = () => {}
    const behind = new Promise<void>((resolve) => {
      resume = resolve
    })
    const service = (asked: Asked, base: string): Reply => {
      if (asked.method === "POST") return { body: { success: true, id, url: base } }
      if (asked.path.endsWith("/errors")) {
        return {
          body: {
            errors: names.map((name) => ({ url: `http://x.example/${name}`, error: "no such host" })),
            robotsBlocked: []
          }
        }
      }
      const counts = { success: true, total: 3, creditsUsed: 0 }
      if (!asked.path.includes("skip=1")) {
        const next = `${base}/v2/batch/scrape/${id}?skip=1`
        return { body: { ...counts, status: "scraping", completed: 1, data: [failed("a")], next } }
      }
      const last = { body: { ...counts, status: "completed", completed: 2, data: [failed("b")] } }
      if (looked.second) return last
      looked.second = true
      return { ...last, behind }
    }
    const here = yield* project({ onTestClock: true, service })
    const steps = `  - urls: [${names.map((name) => `"http://x.example/${name}"`).join(", ")}]
  - batchScrape: {}
    onError: { reject: true, stopAfter: 10 }
  - write: { jsonl: rows.jsonl }
`
    const pace = pacer()
    const first = yield* live(here, pace, steps)
    yield* until(() => looked.second)
    // The first page has been committed; the process is killed before it has the second one.
    yield* first.commit
    yield* first.kill
    resume()
    const second = yield* live(here, pace, steps, {}, first.run.id)
    yield* second.end
    const rejects = rowsIn(`${here.folder}/runs/${first.run.id}/rejects.jsonl`)
    expect(rejects.map(({ key }) => key)).toEqual(names.map((name) => `http://x.example/${name}`))
  }
)

scoped("a job of an interrupted run is not cancelled, because a resumed run continues it", function* () {
  const asked: Array<{ readonly method: string; readonly path: string }> = []
  const service = jobService({ status: () => ({ ...endless, data: [] }) })
  const looked = yield* Effect.makeLatch()
  yield* run((question, base) => {
    asked.push(question)
    if (question.method === "GET") Effect.runSync(looked.open)
    return service(question, base)
  }, batch).pipe(Effect.raceFirst(looked.await))
  expect(asked.map(({ method }) => method)).toContain("POST")
  expect(cancelled(asked)).toEqual([])
})

scoped("the number of wanted rows limits sources only, not later steps", function* () {
  const { asked, rows } = yield* run(
    jobService({ status: () => bothPages, errors: { errors: [], robotsBlocked: [] } }),
    `  - urls: ["http://x.example/a", "http://x.example/a#1", "http://x.example/b"]
  - batchScrape: { formats: [markdown] }`,
    { wanted: 2 }
  )
  expect(JSON.parse(asked[0]?.body ?? "").urls).toEqual(["http://x.example/a"])
  expect(rows.length).toBe(3)
})

scoped("a job without a price is one unpriced call", function* () {
  const { creditsUsed: _, ...unpriced } = bothPages
  const { summary, warnings } = yield* run(jobService({ status: () => unpriced }), batch)
  expect(summary).toMatchObject({ credits: 0, unpricedCalls: 1 })
  expect(warnings.filter((line) => line.includes("no price is known"))).toHaveLength(1)
})

scoped("calls without a price are named in one warning, with a budget and without", function* () {
  const reply = ({ body }: { readonly body: string }) => ({
    body: { success: true, data: page((JSON.parse(body) as { readonly url: string }).url) }
  })
  const steps = `  - urls: ["http://x.example/a", "http://x.example/b", "http://x.example/c"]\n  - scrape: {}`
  for (const frame of ["", "budget: { credits: 50 }\n"]) {
    const { summary, warnings } = yield* run(reply, steps, {}, frame, () => undefined)
    expect(summary).toMatchObject({ status: "completed", credits: 0, unpricedCalls: 3 })
    const ofPrice = warnings.filter((line) => /cost|price/.test(line))
    expect(ofPrice, frame).toHaveLength(1)
    expect(ofPrice[0], frame).toContain("budget.pages")
  }
})

scoped.skipIf(skipsLong)(
  "retries of a row's job status are not limited by the requests made for the row before",
  function* () {
    for (const status of [503, 429]) {
      let looks = 0
      const done = jobService({
        status: () => ({ total: 1, completed: 1, creditsUsed: 1, data: [page("http://x.example")] }),
        errors: { errors: [], robotsBlocked: [] }
      })
      const { rejects, rows, summary } = yield* run((asked, base) => {
        if (asked.method !== "GET" || asked.path.endsWith("/errors")) return done(asked, base)
        looks++
        if (looks === 1) return { body: { success: true, status: "scraping", total: 1, completed: 0, data: [] } }
        return looks === 2 ? { status, body: { success: false, error: "busy" } } : done(asked, base)
      }, `  - urls: ["http://x.example"]\n  - each: true\n    crawl: { url: { expr: url } }\n    retry: { times: 1 }`)
      expect(rejects, String(status)).toEqual([])
      expect(rows.length).toBe(1)
      expect(summary.credits).toBe(1)
    }
  }
)

scoped("a job that was read to its end before a kill is neither cancelled nor paid for again", function* () {
  const pace = pacer()
  const job = jobService({ status: () => bothPages, errors: { errors: [], robotsBlocked: [] } })
  const here = yield* project({
    onTestClock: true,
    service: (asked, base) => (asked.path.endsWith("/v2/scrape") ? pace.service(asked) : job(asked, base))
  })
  // The pages of the job wait in a step that scrapes them once more.
  const steps = `${batch}\n  - scrape: { url: { expr: metadata.sourceURL } }\n  - write: { jsonl: rows.jsonl }\n`
  const first = yield* live(here, pace, steps)
  yield* until(() => pace.waiting() === 2)
  yield* first.commit
  yield* first.kill
  const before = here.asked.length
  const second = yield* live(here, pace, steps, {}, first.run.id)
  expect(yield* second.end).toMatchObject({ right: { status: "completed", credits: 2, rows: 2 } })
  const paths = here.asked.slice(before).map(({ method, path }) => `${method} ${path}`)
  expect([...new Set(paths)]).toEqual(["POST /v2/scrape"])
})
