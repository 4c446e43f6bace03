/** What a person would call certainly broken at three in the morning, done to an ordinary run of a {@link Season}. */
import { chance } from "./Random.ts"
import type { SeasonRow, SeasonRun } from "./Seasons.ts"

export interface SeasonBreakage {
  readonly season: string
  readonly what: string
  readonly broken: (run: SeasonRun, key: string) => SeasonRun
}

type Broken = SeasonBreakage["broken"]

/** Changes fields of each row; `share` of the rows where it is less than all. */
const each =
  (change: (row: SeasonRow, at: number) => SeasonRow, share = 1): Broken =>
  (run, key) => ({
    ...run,
    rows: run.rows.map((row, at) => (chance(share, key, at, "broken") ? { ...row, ...change(row, at) } : row))
  })

const number = (value: unknown) => (typeof value === "number" ? value : 0)
const ifNumber = (field: string, change: (value: number) => unknown) => (row: SeasonRow) => ({
  [field]: typeof row[field] === "number" ? change(number(row[field])) : row[field]
})
const without =
  (field: string): Broken =>
  (run) => ({
    ...run,
    rows: run.rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => name !== field)))
  })
const strings = (change: (value: string) => string) => (row: SeasonRow) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === "string" ? change(value) : value])
  )
/** UTF-8 read as Latin-1. */
const mojibake = (value: string) => Buffer.from(value, "utf8").toString("latin1")
const replaced = (value: string) => value.replace(/\P{ASCII}/gu, "\ufffd")

/** Each field has the value of the one before. */
const shifted: Broken = each((row) => {
  const names = Object.keys(row)
  const values = Object.values(row)
  return Object.fromEntries(names.map((name, at) => [name, at === 0 ? null : values[at - 1]]))
})

/** The list ended after so many rows, and nothing failed. */
const only =
  (rows: number, pages: number): Broken =>
  (run) => ({ ...run, rows: run.rows.slice(0, rows), pages, failed: 0, blocked: 0 })
/** Pages that failed or were blocked, with their rows. */
const lose =
  (share: number, how: "failed" | "blocked"): Broken =>
  (run) => {
    const count = Math.ceil(run.pages * share)
    return {
      ...run,
      rows: run.rows.slice(0, Math.floor(run.rows.length * (1 - share))),
      failed: how === "failed" ? count : 0,
      blocked: how === "blocked" ? count : 0
    }
  }
const reject =
  (share: number): Broken =>
  (run) => {
    const rejected = Math.round(run.rows.length * share)
    return { ...run, rows: run.rows.slice(rejected), rejected: run.rejected + rejected }
  }
const nothing: Broken = (run) => ({ ...run, rows: [], rejected: 0, failed: 0, blocked: 0 })

const cookies = "Wir verwenden Cookies und ähnliche Technologien. Alle akzeptieren"
const euros = (value: number) => `${value.toFixed(2).replace(".", ",")} €`

const of = (season: string, all: Readonly<Record<string, Broken>>): ReadonlyArray<SeasonBreakage> =>
  Object.entries(all).map(([what, broken]) => ({ season, what, broken }))

export const seasonBreakages: ReadonlyArray<SeasonBreakage> = [
  ...of("shop", {
    "price is null in all rows": each(() => ({ price: null })),
    "price became text": each(ifNumber("price", euros)),
    "price arrived without its decimal point": each(ifNumber("price", (value) => Math.round(value * 100))),
    "name is Access denied in all rows": each(() => ({ name: "Access denied" })),
    "only the first page of the list": only(24, 1),
    "fields shifted by one column": shifted,
    "nearly all pages answered 403": lose(0.94, "blocked")
  }),
  ...of("news", {
    "title is empty in 19 of 20 rows": each(() => ({ title: "" }), 0.95),
    "title and teaser of the login page": each(() => ({ title: "Anmelden", teaser: "Bitte melden Sie sich an." })),
    "captchas instead of nine of ten pages": lose(0.9, "blocked"),
    "published is null in all rows": each(() => ({ published: null })),
    "encoding broken": each(strings(replaced))
  }),
  ...of("jobs", {
    "encoding broken": each(strings(mojibake)),
    "list cut to five rows": only(5, 7),
    "half of the pages failed": lose(0.5, "failed"),
    "seven of ten rows rejected": reject(0.7),
    "description is empty in all rows": each(() => ({ description: "" }))
  }),
  ...of("events", {
    "starts is null in all rows": each(() => ({ starts: null })),
    "starts is Invalid Date in all rows": each(() => ({ starts: "Invalid Date" })),
    "venue is the cookie banner in all rows": each(() => ({ venue: cookies })),
    "only the first page of the list": only(20, 1)
  }),
  ...of("register", {
    "empty output": nothing,
    "status is missing in all rows": without("status"),
    "capital became text": each(ifNumber("capital", euros)),
    "only the first page of the list": only(50, 1),
    "fields shifted by one column": shifted
  }),
  ...of("sitemap", {
    "all pages blocked, no rows": (run) => ({ ...run, rows: [], failed: 0, blocked: run.pages }),
    "all pages failed, no rows": (run) => ({ ...run, rows: [], blocked: 0, failed: run.pages })
  }),
  ...of("forum", {
    "body is the cookie banner in all rows": each(() => ({ body: cookies })),
    "author is null in all rows": each(() => ({ author: null }))
  }),
  ...of("weather", {
    "temperature is null in all rows": each(() => ({ temperature: null })),
    "temperature is -9999 in all rows": each(() => ({ temperature: -9999 })),
    "station is Loading in all rows": each(() => ({ station: "Loading…" }))
  }),
  ...of("rates", {
    "rate arrived without its decimal point": each(ifNumber("rate", (value) => Math.round(value * 10_000))),
    "rate is n/a in all rows": each(() => ({ rate: "n/a" }))
  }),
  ...of("devices", {
    "price is 0 in all rows": each(() => ({ price: 0 })),
    "name is empty in four of five rows": each(() => ({ name: "" }), 0.8)
  }),
  ...of("blog", {
    "excerpt asks for JavaScript in all rows": each(() => ({ excerpt: "Please enable JavaScript to continue." }))
  }),
  ...of("docs", {
    "text is Page not found in all rows": each(() => ({ title: "404", text: "Page not found", headings: 0 }))
  }),
  ...of("directory", {
    "name is [object Object] in all rows": each(() => ({ name: "[object Object]" }))
  }),
  ...of("auctions", {
    "start is null in all rows": each(() => ({ start: null })),
    "ends is the first second of 1970 in all rows": each(() => ({ ends: "1970-01-01T00:00:00.000Z" })),
    "title is the heading of the page in all rows": each(() => ({ title: "Alle Lose dieser Auktion" }))
  }),
  ...of("flights", {
    "price became text": each(ifNumber("price", (value) => `ab ${euros(value)}`)),
    "nine of ten pages ask for consent, with status 200": (run) => ({
      ...run,
      rows: run.rows.slice(0, Math.ceil(run.rows.length / 10)),
      failed: 0,
      blocked: 0
    })
  }),
  ...of("marketplace", {
    "price is that of the shipping in all rows": each(() => ({ price: 4.99 })),
    "description is the HTML of its element in all rows": each((row) => ({
      description: `<div class="c-text" data-id="${row.id}"><p>${row.description}</p></div>`
    })),
    "seller and place are missing in all rows": (run, key) => without("place")(without("seller")(run, key), key)
  })
]
