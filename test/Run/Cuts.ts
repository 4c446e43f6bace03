/** A source that changes from day to day, and every way in which a run may see only a part of it. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Run from "../../src/Run.ts"
import type { Asked, Reply } from "../Client/Server.ts"
import * as Project from "../Project.ts"

export const addressOf = (page: number): string => `http://x.example/${page}`

type Json = Record<string, unknown>

/** Answers of the service about the source of one day. */
interface Service {
  /** The pages that a job delivers. */
  readonly delivered?: ReadonlyArray<number>
  readonly status?: Json
  /** Pages that fail. */
  readonly failing?: ReadonlyArray<number>
  /** A failed page comes as a document, instead of in the job's list. */
  readonly inline?: boolean
  readonly invalid?: ReadonlyArray<number>
  readonly errors?: Json
  /** Fields of the answer of a map beside its links. */
  readonly map?: Json
}

/** One day of a source, as a run sees it. */
export interface Day {
  /** The steps in front of `dedupe`. */
  readonly steps: string
  readonly service?: Service
  /** The lines of `rows.jsonl`; those of the pages unless given. */
  readonly lines?: ReadonlyArray<string>
  readonly frame?: string
  /** `emit` of `dedupe`; default: `new, unchanged, gone`. */
  readonly emit?: string
  readonly options?: Partial<Run.RunOptions>
  /** The source does without the cut: everything is read. */
  readonly isWhole?: boolean
}

const lineOf = (page: number): string => JSON.stringify({ url: addressOf(page), n: page })

const document = (page: number): Json => ({
  markdown: `# ${page}`,
  metadata: { sourceURL: addressOf(page), url: addressOf(page), statusCode: 200, creditsUsed: 1 }
})

const jobId = "7b6f3c1e-8f6b-4b1a-9d56-0123456789ab"

const answering = (
  pages: ReadonlyArray<number>,
  { delivered = pages, errors, failing = [], inline = false, invalid = [], map, status }: Service
) => {
  let isCancelled = false
  return (asked: Asked): Reply => {
    const failed = failing.map(addressOf)
    if (asked.method === "DELETE") {
      isCancelled = true
      return { body: { success: true, status: "cancelled" } }
    }
    if (asked.method === "POST" && asked.path.endsWith("/scrape") && !asked.path.includes("batch")) {
      const { url }: { readonly url: string } = JSON.parse(asked.body)
      const page = pages.find((each) => addressOf(each) === url)
      return page === undefined || failed.includes(url)
        ? { status: 500, body: { success: false, error: "The page could not be read", code: "SCRAPE_FAILED" } }
        : { body: { success: true, data: document(page) } }
    }
    if (asked.method === "POST" && asked.path.endsWith("/map")) {
      return { body: { success: true, links: delivered.map((page) => ({ url: addressOf(page) })), ...map } }
    }
    if (asked.method === "POST" && asked.path.endsWith("/search")) {
      return { body: { success: true, data: { web: delivered.map((page) => ({ url: addressOf(page), title: "t" })) } } }
    }
    if (asked.method === "POST") {
      const refused = invalid.map(addressOf)
      return { body: { success: true, id: jobId, url: "x", ...(refused.length > 0 ? { invalidURLs: refused } : {}) } }
    }
    if (asked.path.endsWith("/errors")) {
      const list = failing.map((page) => ({ id: "1", url: addressOf(page), error: "no such host" }))
      return { body: { errors: list, robotsBlocked: [], ...errors } }
    }
    const good = delivered.filter((page) => !failing.includes(page) && !invalid.includes(page))
    const bad = inline
      ? failing.map((page) => ({ metadata: { sourceURL: addressOf(page), error: "no such host" } }))
      : []
    const data = [...good.map(document), ...bad]
    const counts = { total: good.length + failing.length, completed: data.length, creditsUsed: good.length }
    const stopped = isCancelled ? { status: "cancelled" } : {}
    return { body: { success: true, status: "completed", ...counts, data, ...status, ...stopped } }
  }
}

const read = "  - read: rows.jsonl\n"
const crawl = (fields = "") => `  - crawl: { url: "http://x.example"${fields} }\n`
const sitemap = '  - urls: { sitemap: "http://x.example" }\n'
const batch = `${read}  - batchScrape: { formats: [markdown] }\n`

/** Every way to cut a source that has `pages`; `cut` are those that are left out, at least one. */
export const ways: Readonly<Record<string, (pages: ReadonlyArray<number>, cut: ReadonlyArray<number>) => Day>> = {
  "nothing of a file": () => ({ steps: read, isWhole: true }),
  "nothing of a crawl": () => ({ steps: crawl(), isWhole: true }),
  "nothing of a crawl with bounds, as the service says": () => ({
    steps: crawl(", limit: 1, maxDiscoveryDepth: 1"),
    service: { errors: { leftOut: [] } },
    isWhole: true
  }),
  "nothing of a batch": () => ({ steps: batch, isWhole: true }),
  "a crawl by its limit": (pages, cut) => {
    const delivered = pages.filter((page) => !cut.includes(page))
    return { steps: crawl(`, limit: ${Math.max(1, delivered.length)}`), service: { delivered: delivered.slice() } }
  },
  "a crawl by its limit, as the service says": (pages, cut) => ({
    steps: crawl(),
    service: { delivered: pages.filter((page) => !cut.includes(page)), errors: { leftOut: ["limit"] } }
  }),
  "a crawl by maxDiscoveryDepth": (pages, cut) => ({
    steps: crawl(", maxDiscoveryDepth: 1"),
    service: { delivered: pages.filter((page) => !cut.includes(page)) }
  }),
  "a crawl by maxDepth": (pages, cut) => ({
    steps: crawl(", maxDepth: 1"),
    service: { delivered: pages.filter((page) => !cut.includes(page)) }
  }),
  "a crawl by pages that failed": (_, cut) => ({ steps: crawl(), service: { failing: cut } }),
  "a crawl by pages that came with their errors": (_, cut) => ({
    steps: crawl(),
    service: { failing: cut, inline: true }
  }),
  "a crawl by a job that failed": (pages, cut) => ({
    steps: crawl(),
    service: { delivered: pages.filter((page) => !cut.includes(page)), status: { status: "failed" } }
  }),
  "a crawl by somebody who cancelled it": (pages, cut) => ({
    steps: crawl(),
    service: { delivered: pages.filter((page) => !cut.includes(page)), status: { status: "cancelled" } }
  }),
  "a crawl by pages that are listed nowhere": (pages, cut) => ({
    steps: crawl(),
    service: { delivered: pages.filter((page) => !cut.includes(page)), status: { total: pages.length } }
  }),
  "a crawl by robots.txt": (pages, cut) => ({
    steps: crawl(),
    service: {
      delivered: pages.filter((page) => !cut.includes(page)),
      errors: { robotsBlocked: cut.map(addressOf) }
    }
  }),
  "nothing of a sitemap": () => ({ steps: sitemap, isWhole: true }),
  "a sitemap that could not be read in full, as the service says": (pages, cut) => ({
    steps: sitemap,
    service: { delivered: pages.filter((page) => !cut.includes(page)), map: { leftOut: ["sitemap"] } }
  }),
  "a sitemap that lists nothing": () => ({ steps: sitemap, service: { delivered: [] } }),
  "a crawl that is not ours": (pages, cut) => ({
    steps: `  - crawlStatus: { id: "${jobId}" }\n`,
    service: { delivered: pages.filter((page) => !cut.includes(page)) }
  }),
  "a batch by pages that failed": (_, cut) => ({ steps: batch, service: { failing: cut } }),
  "a batch by addresses that the service refuses": (_, cut) => ({ steps: batch, service: { invalid: cut } }),
  "a scrape by pages that failed": (_, cut) => ({
    steps: `${read}  - scrape: { formats: [markdown] }\n    retry: { times: 0 }\n`,
    service: { failing: cut }
  }),
  "a scrape by pages that failed and are dropped": (_, cut) => ({
    steps: `${read}  - scrape: { formats: [markdown] }\n    retry: { times: 0 }\n    onError: drop\n`,
    service: { failing: cut }
  }),
  "a search by its ranking": (pages, cut) => ({
    steps: "  - search: { query: herons, limit: 50 }\n",
    service: { delivered: pages.filter((page) => !cut.includes(page)) }
  }),
  "a file by lines that cannot be read": (pages, cut) => ({
    steps: read,
    lines: pages.map((page) => (cut.includes(page) ? "{broken" : lineOf(page)))
  }),
  "a file by a limit": (pages, cut) => ({ steps: `${read}  - limit: ${Math.max(1, pages.length - cut.length)}\n` }),
  "a file by a limit behind other steps": (pages, cut) => ({
    steps: `${read}  - where: n >= 0\n  - limit: ${Math.max(1, pages.length - cut.length)}\n  - where: n >= 0\n`
  }),
  "a sort by its limit": (pages, cut) => ({
    steps: `${read}  - sort: { by: n, limit: ${Math.max(1, pages.length - cut.length)} }\n`
  }),
  "a file by a sample of rows": (pages, cut) => ({
    steps: `${read}  - sample: { rows: ${Math.max(1, pages.length - cut.length)} }\n`
  }),
  "a file by a share": () => ({ steps: `${read}  - sample: { share: 40% }\n` }),
  "a file by a where that fails": (_, cut) => ({
    steps: `${read}  - where: "(n in [${cut.join(",")}]) ? $number('x') : true"\n`
  }),
  "a file by a check": (_, cut) => ({ steps: `${read}  - check: [{ rule: "$not(n in [${cut.join(",")}])" }]\n` }),
  "a file by a step that is switched off": () => ({ steps: "  - read: rows.jsonl\n    when: false\n" }),
  "a file by a trial": (pages, cut) => ({
    steps: read,
    options: { wanted: Math.max(1, pages.length - cut.length) }
  }),
  "a file by a backfill of a part": (pages, cut) => ({
    steps: read,
    options: { backfill: true },
    lines: pages.filter((page) => !cut.includes(page)).map(lineOf)
  }),
  "a crawl by its budget": (pages, cut) => ({
    steps: crawl(),
    frame: "budget: { credits: 1 }\n",
    service: {
      // A job that gives nothing and never ends spends nothing, so that no budget would stop it.
      delivered: pages.filter((page, at) => at === 0 || !cut.includes(page)),
      status: { status: "scraping", total: pages.length }
    }
  })
}

export interface Told {
  readonly changes: ReadonlyArray<{ readonly url: string; readonly change: string }>
  readonly warnings: ReadonlyArray<string>
  /** Sentences about broken figures, see `brokenIn`. */
  readonly broken: ReadonlyArray<string>
  readonly isCompleted: boolean
}

/** A project in which a pipeline runs day after day. */
export const project = Effect.gen(function* () {
  let reply = answering([], {})
  const { folder, ledger, run, write } = yield* Project.project({ repeats: 0, service: (asked) => reply(asked) })
  return {
    ledger,
    /** One run; a run that fails gives no changes. */
    run: (
      pages: ReadonlyArray<number>,
      { emit = "new, unchanged, gone", frame = "", lines, options = {}, service = {}, steps }: Day
    ) =>
      Effect.gen(function* () {
        reply = answering(pages, service)
        write("rows.jsonl", (lines ?? pages.map(lineOf)).map((line) => `${line}\n`).join(""))
        const ended = yield* run(
          `${steps}  - dedupe: { across: runs, emit: [${emit}] }
  - select: { url: $key, change: change }
  - write: { jsonl: "out-{runId}.jsonl" }
`,
          { out: folder, frame, ...options }
        )
        const { outcome, warnings } = ended
        const changes = Either.isRight(outcome)
          ? outcome.right.outputs.flatMap(({ path }) => Project.rowsIn(path) as Told["changes"])
          : []
        const isCompleted = Either.isRight(outcome)
        return { changes, warnings, broken: Project.brokenIn(ended), isCompleted } satisfies Told
      })
  }
})
