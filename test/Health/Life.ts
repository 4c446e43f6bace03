/**
 * Twelve simulated pipelines and forty breakages.
 *
 * The pipelines have what ordinary life has: weekends, quiet days and bursts, a sale, month ends, growth, seasons, a holiday week, a site
 * with a bad day. A breakage is something that a person would call broken at a glance.
 */
import { between, fraction, pick, whole } from "./Random.ts"

export type Row = Readonly<Record<string, unknown>>

/** What a run has written and met. */
export interface LifeRun {
  readonly rows: ReadonlyArray<Row>
  readonly pages: number
  readonly failed: number
  readonly blocked: number
  readonly rejected: number
}

export interface LifePipeline {
  readonly name: string
  /** Hours between two runs. */
  readonly every: number
  /** True for an output behind `dedupe: { across: runs }`. */
  readonly hasChanges?: boolean
  readonly run: (seed: string, at: number) => LifeRun
}

export interface LifeBreakage {
  readonly pipeline: string
  readonly what: string
  readonly broken: (run: LifeRun) => LifeRun
}

const day = 24 * 60 * 60_000
/** A Monday. */
export const began = Date.UTC(2026, 1, 2, 6)

const dayOf = (at: number): number => Math.floor((at - began) / day)
const weekday = (at: number): number => new Date(at).getUTCDay()
const isWeekend = (at: number): boolean => weekday(at) % 6 === 0
const dayOfMonth = (at: number): number => new Date(at).getUTCDate()

const words = ["lamp", "oak", "river", "linen", "copper", "stone", "birch", "velvet", "north", "harbour"] as const
const title = (seed: string, n: number): string =>
  `${pick(words, seed, n, "a")} ${pick(words, seed, n, "b")} ${pick(words, seed, n, "c")} ${n}`
const prose = (length: number, ...parts: ReadonlyArray<string | number>): string => {
  const [from, step] = [whole(0, 9, ...parts, "from"), whole(1, 9, ...parts, "step")]
  return `${whole(0, 1_000_000, ...parts)} ${Array.from({ length }, (_, at) => words[(from + at * step) % 10]).join(" ")}`
}

/** Numbers from `first` on. */
const range = (first: number, count: number): ReadonlyArray<number> =>
  Array.from({ length: Math.max(0, Math.round(count)) }, (_, n) => first + n)

/** Pages that fail by chance; on one day in 25 the site has a bad one. */
const visits = (seed: string, at: number, pages: number): Omit<LifeRun, "rows"> => {
  const bad =
    fraction(seed, at, "bad day") < 0.04 ? between(0.05, 0.18, seed, at, "how bad") : between(0, 0.03, seed, at)
  return { pages, failed: Math.floor(pages * bad), blocked: fraction(seed, at, "wall") < 0.1 ? 1 : 0, rejected: 0 }
}

const noise = (spread: number, ...parts: ReadonlyArray<string | number>) => between(1 - spread, 1 + spread, ...parts)

const shop: LifePipeline = {
  name: "shop",
  every: 24,
  // A sale for twelve days: every price has an old one beside it, and a third of the articles is sold out at its end.
  run: (seed, at) => {
    const inSale = dayOf(at) >= 30 && dayOf(at) < 42
    const soldOut = inSale ? (dayOf(at) - 30) / 36 : 0
    const rows = range(0, 240 * noise(0.03, seed, at)).filter((n) => fraction(seed, n, "sold") >= soldOut)
    return {
      ...visits(seed, at, 12),
      rows: rows.map((n) => ({
        url: `https://shop.example/p/${n}`,
        title: title(seed, n),
        price: Math.round(between(10, 200, seed, n) * (inSale ? 0.6 : 1)),
        oldPrice: inSale ? Math.round(between(10, 200, seed, n)) : null,
        badge: inSale ? "SALE" : n % 9 === 0 ? "new" : null,
        rating: fraction(seed, n, "rated") < 0.7 ? between(1, 5, seed, n, "rating") : null
      }))
    }
  }
}

const news: LifePipeline = {
  name: "news",
  every: 24,
  // Half on weekends, a burst on an election day, a quiet holiday week.
  run: (seed, at) => {
    const factor =
      (isWeekend(at) ? 0.5 : 1) * (dayOf(at) === 37 ? 3.5 : 1) * (dayOf(at) >= 50 && dayOf(at) < 55 ? 0.6 : 1)
    const count = 130 * factor * noise(0.2, seed, at)
    return {
      ...visits(seed, at, count),
      rows: range(dayOf(at) * 1000, count).map((n) => ({
        url: `https://news.example/${n}`,
        headline: title(seed, n),
        author: fraction(seed, n, "agency") < (isWeekend(at) ? 0.7 : 0.3) ? null : pick(words, seed, n, "author"),
        published: new Date(at - whole(0, 86_000, seed, n) * 1000).toISOString(),
        body: prose(whole(30, 200, seed, n), seed, n)
      }))
    }
  }
}

const alerts: LifePipeline = {
  name: "alerts",
  every: 24,
  hasChanges: true,
  // Some changes a day, then none for days, then hundreds when the source is renumbered.
  run: (seed, at) => {
    const none = fraction(seed, Math.floor(dayOf(at) / 3), "none") < 0.4
    const count = dayOf(at) < 6 ? whole(60, 90, seed, at) : dayOf(at) === 33 ? 800 : none ? 0 : whole(1, 70, seed, at)
    return {
      ...visits(seed, at, 40),
      rows: range(dayOf(at) * 1000, count).map((n) => ({
        id: `A-${n}`,
        change: pick(["new", "changed"], seed, n),
        text: title(seed, n)
      }))
    }
  }
}

const jobs: LifePipeline = {
  name: "jobs",
  every: 24,
  // Grows by a half; on some days one company posts the same title many times.
  run: (seed, at) => {
    const count = 300 * (1 + dayOf(at) / 120) * noise(0.08, seed, at)
    const posted = fraction(seed, at, "burst") < 0.08 ? count * 0.2 : 3
    return {
      ...visits(seed, at, 20),
      rows: range(dayOf(at) * 17, count).map((n, place) => ({
        id: n,
        title: place < posted ? "Warehouse worker (m/f/d)" : title(seed, n),
        company: pick(words, seed, n, "company"),
        salary: fraction(seed, n, "salary") < 0.55 ? whole(30, 120, seed, n) * 1000 : null,
        remote: fraction(seed, n, "remote") < 0.3
      }))
    }
  }
}

const rates: LifePipeline = {
  name: "rates",
  every: 24,
  // Always the same 34 currencies; on weekends all values are those of Friday.
  run: (seed, at) => ({
    ...visits(seed, at, 1),
    rows: range(0, 34).map((n) => ({
      currency: `C${n}`,
      rate: between(0.5, 90, seed, n) * noise(0.01, seed, n, isWeekend(at) ? "friday" : dayOf(at)),
      date: new Date(at).toISOString().slice(0, 10)
    }))
  })
}

const invoices: LifePipeline = {
  name: "invoices",
  every: 24,
  // Four times as many in the last days of the month, few on weekends.
  run: (seed, at) => {
    const count = (dayOfMonth(at) >= 28 ? 320 : 80) * (isWeekend(at) ? 0.15 : 1) * noise(0.25, seed, at)
    return {
      ...visits(seed, at, 0),
      rejected: fraction(seed, at, "late") < 0.05 ? Math.floor(count * 0.08) : 0,
      rows: range(dayOf(at) * 1000, count).map((n) => ({
        number: `2026-${n}`,
        customer: title(seed, n % 50),
        amount: between(5, 5000, seed, n).toFixed(2),
        due: new Date(at + 14 * day).toISOString().slice(0, 10),
        note: fraction(seed, n, "note") < 0.2 ? prose(5, seed, n) : ""
      }))
    }
  }
}

const hotels: LifePipeline = {
  name: "hotels",
  every: 24,
  // Season: half of them close, one after the other, within two months.
  run: (seed, at) => {
    const open = 1 - 0.5 * Math.min(1, dayOf(at) / 60)
    return {
      ...visits(seed, at, 60),
      rows: range(0, 420)
        .filter((n) => fraction(seed, n, "closes") < open)
        .map((n) => ({
          name: `Hotel ${title(seed, n)}`,
          url: `https://hotels.example/${n}`,
          price: whole(60, 240, seed, n) * (weekday(at) === 5 ? 2 : 1),
          stars: whole(1, 5, seed, n),
          phone: `+49 30 ${100_000 + n * 37}`
        }))
    }
  }
}

const tickets: LifePipeline = {
  name: "tickets",
  every: 12,
  // Few events in a small town: 3 to 14 rows.
  run: (seed, at) => ({
    ...visits(seed, at, 3),
    rows: range(dayOf(at), whole(3, 14, seed, at)).map((n) => ({
      event: title(seed, n),
      start: new Date(began + n * day).toISOString(),
      price: fraction(seed, n, at) < 0.5 ? "free" : `${whole(5, 40, seed, n)}`,
      soldOut: fraction(seed, n, at, "sold") < 0.2
    }))
  })
}

const forum: LifePipeline = {
  name: "forum",
  every: 1,
  // Every hour, also at night: about a third as many.
  run: (seed, at) => {
    const hour = new Date(at).getUTCHours()
    const count = 90 * (hour < 6 ? 0.35 : hour < 9 ? 0.7 : 1) * (isWeekend(at) ? 1.4 : 1) * noise(0.15, seed, at)
    return {
      ...visits(seed, at, 30),
      rows: range(Math.floor((at - began) / 3_600_000) * 200, count).map((n) => ({
        post: n,
        thread: `https://forum.example/t/${Math.floor(n / 7)}`,
        user: pick(words, seed, n, "user"),
        body: fraction(seed, n, "plus one") < 0.05 ? "+1" : prose(whole(5, 60, seed, n), seed, n),
        replies: fraction(seed, n) < 0.6 ? 0 : whole(1, 30, seed, n)
      }))
    }
  }
}

const docs: LifePipeline = {
  name: "docs",
  every: 168,
  // Once a week; a version with a third more pages comes out.
  run: (seed, at) => ({
    ...visits(seed, at, dayOf(at) > 200 ? 160 : 120),
    rows: range(0, dayOf(at) > 200 ? 160 : 120).map((n) => ({
      url: `https://docs.example/${dayOf(at) > 200 ? "v2" : "v1"}/${n}`,
      title: n % 20 === 0 ? "Overview" : title(seed, n),
      markdown: prose(whole(60, 300, seed, n), seed, n)
    }))
  })
}

const listings: LifePipeline = {
  name: "listings",
  every: 24,
  // A source of fixed pages of 50 rows; some fields depend on the kind.
  run: (seed, at) => ({
    ...visits(seed, at, 10),
    rows: range(dayOf(at) * 60, 500).map((n) => ({
      id: `L${n}`,
      address: `${prose(2, seed, n)} ${n % 120}`,
      rooms: n % 5 === 0 ? "1.5" : String(whole(1, 6, seed, n)),
      rent: n % 11 === 0 ? "on request" : `${whole(400, 3000, seed, n)}`,
      images: range(0, whole(1, 9, seed, n)).map((image) => `https://img.example/${n}/${image}.jpg`),
      agent: n % 3 === 0 ? { name: title(seed, n % 40), phone: `030 ${n}` } : null
    }))
  })
}

const sensors: LifePipeline = {
  name: "sensors",
  every: 6,
  // Stations go silent one by one and come back; at night there is no sun.
  run: (seed, at) => ({
    ...visits(seed, at, 5),
    rows: range(0, 75)
      .filter((n) => fraction(seed, n, Math.floor(dayOf(at) / 4)) > 0.08)
      .map((n) => ({
        station: `Station ${n} ${pick(words, seed, n)}`,
        temperature: between(-5, 30, seed, n, at),
        sun: new Date(at).getUTCHours() < 6 ? null : between(0, 900, seed, n, at),
        status: fraction(seed, n, at, "status") < 0.97 ? "ok" : "battery low",
        measured: new Date(at - n * 1000).toISOString()
      }))
  })
}

export const lifePipelines = [
  shop,
  news,
  alerts,
  jobs,
  rates,
  invoices,
  hotels,
  tickets,
  forum,
  docs,
  listings,
  sensors
]

const first = (share: number) => (run: LifeRun) => ({
  ...run,
  rows: run.rows.slice(0, Math.floor(run.rows.length * share))
})
const none = first(0)
const set = (edit: (row: Row, at: number) => Row) => (run: LifeRun) => ({ ...run, rows: run.rows.map(edit) })
const empty = (name: string, share = 1) => set((row, at) => (at % 100 < share * 100 ? { ...row, [name]: null } : row))
const without = (name: string) => set(({ [name]: _, ...row }) => row)
const same = (name: string, value: string, share = 1) =>
  set((row, at) => (at % 100 < share * 100 ? { ...row, [name]: value } : row))
const failing = (share: number) => (run: LifeRun) => ({ ...run, failed: Math.ceil(run.pages * share) })
const blocking = (share: number) => (run: LifeRun) => ({ ...run, blocked: Math.ceil(run.pages * share) })
const rejecting = (share: number) => (run: LifeRun) => ({
  ...run,
  rejected: Math.floor(run.rows.length * share),
  rows: run.rows.slice(Math.floor(run.rows.length * share))
})

export const lifeBreakages: ReadonlyArray<LifeBreakage> = [
  { pipeline: "shop", what: "only the first page of the list is read", broken: first(0.1) },
  { pipeline: "shop", what: "the selector of the price finds nothing", broken: empty("price") },
  {
    pipeline: "shop",
    what: "prices are strings with a currency",
    broken: set((row) => ({ ...row, price: `€ ${row.price}` }))
  },
  { pipeline: "shop", what: "each title is the name of the shop", broken: same("title", "The Shop") },
  { pipeline: "shop", what: "links are missing in two thirds of the rows", broken: empty("url", 0.66) },
  {
    pipeline: "shop",
    what: "each page of the list is the first one",
    broken: (run) => ({ ...run, rows: run.rows.map((_, at) => run.rows[at % 20] ?? {}) })
  },
  { pipeline: "shop", what: "half of the list pages fail", broken: failing(0.5) },
  { pipeline: "news", what: "the list is empty", broken: none },
  { pipeline: "news", what: "headlines are a consent banner", broken: same("headline", "We value your privacy") },
  {
    pipeline: "news",
    what: "bodies are behind a login in most articles",
    broken: same("body", "Subscribe to read on", 0.7)
  },
  { pipeline: "news", what: "dates are words", broken: set((row) => ({ ...row, published: "2 hours ago" })) },
  { pipeline: "news", what: "the body is gone", broken: without("body") },
  { pipeline: "news", what: "a third of the pages is blocked", broken: blocking(0.35) },
  { pipeline: "alerts", what: "most pages are blocked", broken: blocking(0.8) },
  { pipeline: "alerts", what: "most pages fail", broken: failing(0.9) },
  { pipeline: "jobs", what: "a fifth of the jobs is found", broken: first(0.2) },
  { pipeline: "jobs", what: "titles are empty", broken: set((row) => ({ ...row, title: "" })) },
  { pipeline: "jobs", what: "ids are strings", broken: set((row) => ({ ...row, id: `job-${row.id}` })) },
  {
    pipeline: "jobs",
    what: "companies are objects",
    broken: set((row) => ({ ...row, company: { name: row.company } }))
  },
  { pipeline: "rates", what: "a third of the currencies is there", broken: first(0.33) },
  { pipeline: "rates", what: "rates are strings", broken: set((row) => ({ ...row, rate: `${row.rate} EUR` })) },
  { pipeline: "rates", what: "the currency is missing", broken: without("currency") },
  {
    pipeline: "invoices",
    what: "amounts have words",
    broken: set((row) => ({ ...row, amount: `EUR ${row.amount} net` }))
  },
  { pipeline: "invoices", what: "most rows are rejected", broken: rejecting(0.7) },
  { pipeline: "invoices", what: "no due dates", broken: empty("due") },
  { pipeline: "hotels", what: "the API gives its first page only", broken: first(0.06) },
  {
    pipeline: "hotels",
    what: "phones are links",
    broken: set((row, at) => ({ ...row, phone: `https://call.example/${at}` }))
  },
  {
    pipeline: "hotels",
    what: "four of ten pages are an error page",
    broken: same("name", "Something went wrong", 0.45)
  },
  { pipeline: "hotels", what: "a third of the pages fails", broken: failing(0.34) },
  { pipeline: "forum", what: "bodies are for members only", broken: same("body", "Log in to read this post") },
  { pipeline: "forum", what: "nothing comes", broken: none },
  { pipeline: "forum", what: "numbers of replies are missing", broken: empty("replies") },
  { pipeline: "forum", what: "every second page is a wall", broken: blocking(0.5) },
  { pipeline: "docs", what: "the crawl ends after ten pages", broken: first(0.083) },
  { pipeline: "docs", what: "no Markdown in most pages", broken: empty("markdown", 0.8) },
  {
    pipeline: "docs",
    what: "each page is the start page",
    broken: (run) => ({ ...run, rows: run.rows.map((row) => ({ ...run.rows[1], url: row.url })) })
  },
  { pipeline: "listings", what: "three of ten pages of the list are read", broken: first(0.3) },
  {
    pipeline: "listings",
    what: "images are one string",
    broken: set((row) => ({ ...row, images: String(row.images) }))
  },
  { pipeline: "sensors", what: "the stations do not answer", broken: first(0.1) },
  {
    pipeline: "sensors",
    what: "temperatures are objects",
    broken: set((row) => ({ ...row, temperature: { value: row.temperature } }))
  }
]
