/**
 * Forty ways in which a run goes wrong and still ends without an error, five for each pipeline.
 *
 * To add one, append a `Breakage`: the name of a pipeline of `Pipelines.ts`, what happened, and a function from the run as it
 * should have been to the run as it was.
 */
import type { Row, Run } from "./Pipelines.ts"
import { chance, prose } from "./Random.ts"

export interface Context {
  /** Seed of this breakage. */
  readonly seed: string
  /** The run before this one. */
  readonly previous: Run
}

export interface Breakage {
  readonly pipeline: string
  readonly what: string
  readonly broken: (run: Run, context: Context) => Run
}

type Change = (row: Row, at: number, context: Context) => Row

/** Changes each row, or a share of them. */
const rowsBy =
  (change: Change, share = 1) =>
  (run: Run, context: Context): Run => ({
    ...run,
    rows: run.rows.map((row, at) => (chance(share, context.seed, at, "hit") ? change(row, at, context) : row))
  })

const set =
  (values: Row): Change =>
  (row) => ({ ...row, ...values })

const text = (row: Row, field: string): string => String(row[field] ?? "")

const cut =
  (field: string, length: number): Change =>
  (row) => ({ ...row, [field]: text(row, field).slice(0, length) })

const swap =
  (one: string, other: string): Change =>
  (row) => ({ ...row, [one]: row[other], [other]: row[one] })

/** The rows of the first pages only: the others were not requested. */
const onlyFirst =
  (share: number) =>
  (run: Run): Run => ({
    ...run,
    rows: run.rows.slice(0, Math.ceil(run.rows.length * share)),
    pages: Math.ceil(run.pages * share)
  })

/** UTF-8 that was read as Latin-1. */
const misread = (value: string): string => Buffer.from(value, "utf8").toString("latin1")

const every =
  (change: (value: string) => string, ...fields: ReadonlyArray<string>): Change =>
  (row) => ({ ...row, ...Object.fromEntries(fields.map((field) => [field, change(text(row, field))])) })

const germanProse =
  (field: string): Change =>
  (row, at, { seed }) => ({ ...row, [field]: prose(Math.ceil(text(row, field).length / 100), "de", seed, at) })

const challenge =
  "Checking your browser before accessing the site. This process is automatic. Please allow up to 5 seconds."

/** Pages that the engine recognised as blocked: they give no rows. */
const blockedPages =
  (share: number) =>
  (run: Run, { seed }: Context): Run => {
    const perPage = run.rows.length / run.pages
    const isBlocked = (page: number) => chance(share, seed, page, "blocked")
    return {
      ...run,
      rows: run.rows.filter((_, at) => !isBlocked(Math.floor(at / perPage))),
      blocked: Array.from({ length: run.pages }, (_, page) => isBlocked(page)).filter(Boolean).length
    }
  }

export const breakages: ReadonlyArray<Breakage> = [
  {
    pipeline: "products",
    what: "a new layout: no selector finds anything but the address",
    broken: rowsBy(({ url }) => ({
      url,
      title: null,
      price: null,
      brand: null,
      rating: null,
      stock: null,
      description: null
    }))
  },
  { pipeline: "products", what: "the selector of the price finds nothing", broken: rowsBy(set({ price: null })) },
  { pipeline: "products", what: "half of the pages are missing", broken: onlyFirst(0.5) },
  {
    pipeline: "products",
    what: "the title is the name of the shop in each row",
    broken: rowsBy(set({ title: "Shop - everything for the house" }))
  },
  {
    pipeline: "products",
    what: "the price has become a text with its currency",
    broken: rowsBy((row) => ({ ...row, price: `EUR ${text(row, "price").replace(".", ",")}` }))
  },
  { pipeline: "articles", what: "Markdown is cut after the teaser", broken: rowsBy(cut("markdown", 220)) },
  {
    pipeline: "articles",
    what: "UTF-8 is read as Latin-1",
    broken: rowsBy(
      every((value) => misread(value.replaceAll(" - ", " – ").replaceAll("e ", "é ")), "title", "author", "markdown")
    )
  },
  {
    pipeline: "articles",
    what: "four of five articles are a login form",
    broken: rowsBy(
      set({
        title: "Log in",
        author: null,
        markdown: "# Log in\n\nSubscribers read on. E-mail, password, forgot your password?"
      }),
      0.8
    )
  },
  {
    pipeline: "articles",
    what: "each address gives the same article",
    broken: (run) => ({ ...run, rows: run.rows.map(({ url }) => ({ ...run.rows[0], url })) })
  },
  { pipeline: "articles", what: "author and date are swapped", broken: rowsBy(swap("author", "published")) },
  { pipeline: "jobs", what: "the site answers in German", broken: rowsBy(germanProse("text")) },
  {
    pipeline: "jobs",
    what: "salaries are loaded by a script now",
    broken: rowsBy(set({ salaryMin: null, salaryMax: null }))
  },
  { pipeline: "jobs", what: "the link to the next page is not found", broken: onlyFirst(0.12) },
  {
    pipeline: "jobs",
    what: "six of ten pages are a bot check with status 200",
    broken: rowsBy(
      set({ title: "Just a moment...", company: null, city: null, salaryMin: null, salaryMax: null, text: challenge }),
      0.6
    )
  },
  {
    pipeline: "jobs",
    what: "no job is remote any more: the mark is not found",
    broken: rowsBy(set({ remote: false }))
  },
  { pipeline: "docs", what: "only the first paragraph is extracted", broken: rowsBy(cut("markdown", 120)) },
  {
    pipeline: "docs",
    what: "the navigation is extracted in place of the content",
    broken: rowsBy(
      set({
        markdown:
          "- [Start](/)\n- [Guide](/guide)\n- [Reference](/reference)\n- [Blog](/blog)\n- [About us](/about)\n".repeat(
            6
          )
      })
    )
  },
  { pipeline: "docs", what: "the crawl ends after a third of the pages", broken: onlyFirst(0.34) },
  {
    pipeline: "docs",
    what: "four of ten pages are an error page with status 200",
    broken: rowsBy(
      set({
        title: "Page not found",
        markdown: "# Page not found\n\nThe page that you are looking for does not exist.",
        links: 6
      }),
      0.4
    )
  },
  {
    pipeline: "docs",
    what: "HTML comes in place of Markdown",
    broken: rowsBy((row) => ({ ...row, markdown: `<div class="content"><p>${text(row, "markdown")}</p></div>` }))
  },
  {
    pipeline: "prices",
    what: "two of five shops are missing",
    broken: (run) => ({
      ...run,
      rows: run.rows.filter(({ shop }) => shop !== "shop-1.example" && shop !== "shop-3.example")
    })
  },
  {
    pipeline: "prices",
    what: "prices are in cents",
    broken: rowsBy((row) => ({ ...row, price: Number(row.price) * 100 }))
  },
  {
    pipeline: "prices",
    what: "each price is in dollars: the request came from elsewhere",
    broken: rowsBy(set({ currency: "USD" }))
  },
  {
    pipeline: "prices",
    what: "a stale cache gives the rows of the run before",
    broken: (run, { previous }) => ({ ...run, rows: previous.rows })
  },
  {
    pipeline: "prices",
    what: "the selector of the price finds the number of the article",
    broken: rowsBy((row) => ({ ...row, price: row.sku }))
  },
  {
    pipeline: "events",
    what: "dates have another format",
    broken: rowsBy((row) => ({ ...row, starts: `Doors open ${new Date(text(row, "starts")).toUTCString()}` }))
  },
  { pipeline: "events", what: "half of the pages are missing", broken: onlyFirst(0.5) },
  { pipeline: "events", what: "the venue is empty", broken: rowsBy(set({ venue: "" })) },
  {
    pipeline: "events",
    what: "each page of the calendar is the first one",
    broken: (run) => ({ ...run, rows: run.rows.map((_, at) => run.rows[at % 10] ?? {}) })
  },
  { pipeline: "events", what: "the text is in German", broken: rowsBy(germanProse("about")) },
  {
    pipeline: "directory",
    what: "the phone is that of the directory itself",
    broken: rowsBy(set({ phone: "+49 800 1234567" }))
  },
  { pipeline: "directory", what: "zip and city are swapped", broken: rowsBy(swap("zip", "city")) },
  { pipeline: "directory", what: "seven of ten pages are blocked", broken: blockedPages(0.7) },
  {
    pipeline: "directory",
    what: "umlauts are replacement characters",
    broken: rowsBy(every((value) => value.replace(/[^\x20-\x7e]/g, "\ufffd"), "name", "street", "city"))
  },
  { pipeline: "directory", what: "latitude and longitude are swapped", broken: rowsBy(swap("lat", "lng")) },
  {
    pipeline: "forum",
    what: "posts are for members only",
    broken: rowsBy(set({ body: "You must be logged in to read this post." }))
  },
  { pipeline: "forum", what: "replies and views are 0", broken: rowsBy(set({ replies: 0, views: 0 })) },
  { pipeline: "forum", what: "posts are cut to a preview", broken: rowsBy(cut("body", 60)) },
  {
    pipeline: "forum",
    what: "each page is the first one",
    broken: (run) => ({ ...run, rows: run.rows.map((_, at) => run.rows[at % 15] ?? {}) })
  },
  { pipeline: "forum", what: "the pages are empty shells", broken: (run) => ({ ...run, rows: [] }) }
]
