/** Definitions of the commonest jobs: a site or a list of pages as rows, results of a search, and changes of pages. */

import { sinks } from "../Sink/Write.ts"

/** Targets of a watch: pages, all pages below some addresses, or a search. */
export interface Watched {
  readonly urls: ReadonlyArray<string>
  /** CSS selectors; only what they find counts. */
  readonly select?: ReadonlyArray<string>
  /** Regular expressions: a difference in a block with a match always counts, or never does. */
  readonly always?: ReadonlyArray<string>
  readonly ignore?: ReadonlyArray<string>
  /** A language model is asked whether each change of a page matters to it, at most `goalLimit` times a run. */
  readonly goal?: string | undefined
  readonly goalLimit?: number | undefined
  /** Watches all pages below the addresses. */
  readonly section?: boolean
  readonly search?: string | undefined
  /** Pages of a section, or results of a search. */
  readonly limit?: number | undefined
}

/** Changes that are kept, and of a visit that may find more: all of its pages may be new, and as many gone. */
const [usualHistory, maxHistory] = [200, 20_000]
const historyFor = (pages: number): number => Math.min(maxHistory, Math.max(usualHistory, 2 * pages))

/** Pages of a section without a limit of its own. */
const usualPages = 200

/** Steps that give one row for each change since the last run. */
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
    // The matches of a selector are the content.
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

/** Formats of outputs, which are also the endings of their files. */
export const formats = sinks.map(({ key }) => key)

export const jobs = ["crawl", "pages", "search", "watch"] as const
export type Job = (typeof jobs)[number]

export interface Order {
  readonly job: Job
  readonly name: string
  readonly description?: string | undefined
  /** Start of a crawl, or pages to read or to watch. */
  readonly urls: ReadonlyArray<string>
  readonly query?: string | undefined
  /** Watches all pages below the addresses. */
  readonly section?: boolean | undefined
  /** Pages of a crawl, or results of a search. */
  readonly limit?: number | undefined
  /** Columns with their expressions; default: by the job. */
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

/** Pages of a crawl without a limit of its own. */
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
 * The definition of a job. Its outputs are `out/NAME.jsonl` or `.csv`; a pipeline that watches writes a file for each run, because rows are
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
