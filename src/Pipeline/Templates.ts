/** Definitions for the most common jobs: a site or a list of pages as rows, search results, and page changes. */

import { sinks } from "../Sink/Write.ts"

/** What a watch observes: pages, all pages below some URLs, or a search. */
export interface Watched {
  readonly urls: ReadonlyArray<string>
  /** CSS selectors; only matching elements count. */
  readonly select?: ReadonlyArray<string>
  /** Regular expressions: a difference in a block that matches always counts, or never does (`ignore`). */
  readonly always?: ReadonlyArray<string>
  readonly ignore?: ReadonlyArray<string>
  /** Asks a language model whether each change matters for this goal, at most `goalLimit` times per run. */
  readonly goal?: string | undefined
  readonly goalLimit?: number | undefined
  /** True to watch all pages below the URLs. */
  readonly section?: boolean
  readonly search?: string | undefined
  /** Maximum pages of a section, or results of a search. */
  readonly limit?: number | undefined
}

/** Default and maximum number of changes kept; twice the pages of a visit if that is more, since all may be new, and as many gone. */
const [usualHistory, maxHistory] = [200, 20_000]
const historyFor = (pages: number): number => Math.min(maxHistory, Math.max(usualHistory, 2 * pages))

/** Default maximum pages of a section. */
const usualPages = 200

/** Steps that emit one row per change since the last run. */
export const watchSteps = ({
  always = [],
  goal,
  goalLimit,
  ignore = [],
  limit,
  search,
  section = false,
  select = [],
  urls
}: Watched): ReadonlyArray<unknown> => {
  if (search !== undefined) {
    return [
      { search: { query: search, limit: Math.min(limit ?? 20, 100) } },
      { dedupe: { across: "runs", key: "$canonicalUrl(url)", emit: ["new"], history: usualHistory } }
    ]
  }
  const page = {
    formats: ["markdown"],
    // With a selector, only the matching elements count as content.
    ...(select.length === 0 ? { onlyMainContent: true } : { onlyMainContent: false, includeTags: select }),
    maxAge: 0
  }
  const compare = (emit: ReadonlyArray<string>) => ({
    dedupe: {
      across: "runs",
      changedIn: "markdown",
      ...(always.length === 0 ? {} : { always }),
      ...(ignore.length === 0 ? {} : { ignore }),
      ...(goal === undefined ? {} : { goal }),
      ...(goalLimit === undefined ? {} : { goalLimit }),
      emit,
      history: historyFor(urls.length * (section ? (limit ?? usualPages) : 1))
    }
  })
  if (!section) return [{ urls }, { scrape: page }, compare(["changed"])]
  const crawl = (url: unknown) => ({ url, limit: limit ?? usualPages, scrapeOptions: page })
  const [only] = urls
  return urls.length === 1
    ? [{ crawl: crawl(only) }, compare(["new", "changed", "gone"])]
    : [{ urls }, { crawl: crawl({ expr: "url" }), each: true }, compare(["new", "changed", "gone"])]
}

/** Output formats, which are also the file extensions. */
export const formats = sinks.map(({ key }) => key)

export const jobs = ["crawl", "pages", "search", "watch"] as const
export type Job = (typeof jobs)[number]

export interface Order {
  readonly job: Job
  readonly name: string
  readonly description?: string | undefined
  /** Start URL of a crawl, or pages to read or watch. */
  readonly urls: ReadonlyArray<string>
  readonly query?: string | undefined
  /** True to watch all pages below the URLs. */
  readonly section?: boolean | undefined
  /** Maximum pages of a crawl, or results of a search. */
  readonly limit?: number | undefined
  /** Expressions by column name; the default depends on the job. */
  readonly columns?: Readonly<Record<string, string>> | undefined
  readonly format: (typeof formats)[number]
  readonly credits: number
  readonly schedule?: { readonly cron: string; readonly timezone: string } | undefined
}

const pageColumns = { url: "metadata.sourceURL", title: "metadata.title", description: "metadata.description" }

const defaultColumns: Readonly<Record<Exclude<Job, "watch">, Readonly<Record<string, string>>>> = {
  crawl: { ...pageColumns, markdown: "markdown" },
  pages: { ...pageColumns, markdown: "markdown" },
  search: { rank: "position", title: "title", url: "url", text: "description ?? snippet" }
}

/** Default maximum pages of a crawl. */
export const usualLimit = 100

const sourceOf = ({ job, limit, query, section, urls }: Order): ReadonlyArray<unknown> => {
  const page = { formats: ["markdown"], onlyMainContent: true }
  const unique = [{ where: "metadata.statusCode = 200" }, { dedupe: { key: "$canonicalUrl(metadata.sourceURL)" } }]
  switch (job) {
    case "crawl": {
      const [url, ...more] = urls
      const crawl = { limit: limit ?? usualLimit, scrapeOptions: page }
      return more.length === 0
        ? [{ crawl: { url, ...crawl } }, ...unique]
        : [{ urls }, { crawl: { url: { expr: "url" }, ...crawl }, each: true }, ...unique]
    }
    case "pages":
      return [{ urls }, { scrape: page }, ...unique]
    case "search":
      return [{ search: { query, limit: Math.min(limit ?? 20, 100) } }, { dedupe: { key: "$canonicalUrl(url)" } }]
    case "watch":
      return watchSteps({ urls, search: query, limit, section: section === true })
  }
}

/**
 * The definition for a job. It writes `out/NAME.jsonl` or `.csv`; a watch writes one file per run, because its rows are
 * changes.
 */
export const definitionOf = (order: Order): Readonly<Record<string, unknown>> => {
  const { columns, credits, description, format, job, name, schedule } = order
  const select = columns ?? (job === "watch" ? undefined : defaultColumns[job])
  const isRepeated = job === "watch" || schedule !== undefined
  return {
    version: 1,
    name,
    ...(description === undefined ? {} : { description }),
    ...(schedule === undefined ? {} : { schedule }),
    budget: { credits, onReached: "publish" },
    steps: [
      ...sourceOf(order),
      ...(select === undefined ? [] : [{ select }]),
      { write: { [format]: `out/${name}${isRepeated ? "-{runId}" : ""}.${format}` } }
    ]
  }
}
