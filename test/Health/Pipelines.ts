/**
 * Eight simulated pipelines that run on most days. Their sources grow, follow the week, exchange a part of their items from day to
 * day, have better and worse days, and are redesigned once without losing data.
 *
 * To add a pipeline, write a `Pipeline` and append it to `pipelines`; the test runs all of them.
 */
import { between, chance, name, person, pick, prose, whole, words } from "./Random.ts"

export type Row = Readonly<Record<string, unknown>>

/** An item of a source on one day. */
interface Item {
  readonly id: number
  /** Seed of what stays the same. */
  readonly own: string
  /** Seed of what changes from day to day. */
  readonly today: string
  readonly day: number
  /** The source has a new layout: other addresses, texts of another length, the same data. */
  readonly isRedesigned: boolean
}

export interface Pipeline {
  readonly name: string
  /** Items of the first day. */
  readonly items: number
  /** Share by which the source grows each day. */
  readonly growth: number
  /** Share of the items that are new each day. */
  readonly churn: number
  /** Share of the items that a day of the weekend has. */
  readonly weekend: number
  /** Rows that one page gives. */
  readonly rowsOfPage: number
  readonly row: (item: Item) => Row
}

export const dayLength = 24 * 60 * 60_000
/** A Monday. */
const start = Date.UTC(2026, 0, 5)
export const timeOf = (day: number): number => start + day * dayLength
export const dateOf = (day: number): string => new Date(timeOf(day)).toISOString().slice(0, 10)
const isWeekend = (day: number): boolean => new Date(timeOf(day)).getUTCDay() % 6 === 0

/** Day on which the source gets its new layout. */
const redesign = (seed: string): number => whole(12, 30, seed, "redesign")

const brands = ["Acme", "Bolt", "Cord", "Dyna", "Elan", "Foss", "Gram"]
const sections = ["Politics", "Business", "Science", "Sport", "Culture"]
const cities = ["Berlin", "Köln", "München", "Lübeck", "Zürich", "Graz", "Nürnberg", "Bremen"]
const streets = ["Hauptstraße", "Bahnhofstraße", "Gartenweg", "Am Markt", "Mühlgasse", "Schloßallee"]
const categories = ["Bakery", "Garage", "Florist", "Dentist", "Bookshop", "Pharmacy", "Optician"]

const markdown = (title: string, { isRedesigned, own }: Item, sentences: number): string =>
  `# ${title}\n\n${prose(sentences, "en", own, "a")}\n\n## Details\n\n${prose(Math.ceil(sentences / 2), "en", own, "b")}${
    isRedesigned ? "\n\n[Share](#share) | [Print](#print)" : ""
  }`

export const pipelines: ReadonlyArray<Pipeline> = [
  {
    name: "products",
    items: 320,
    growth: 0.003,
    churn: 0.1,
    weekend: 1,
    rowsOfPage: 24,
    row: ({ id, isRedesigned, own, today }) => {
      // One day in twelve is a sale of a part of the products.
      const isSale = chance(1 / 12, today.split("/")[0] ?? "", "sale") && chance(0.35, own, "in sale")
      const price = between(4, 260, own, "price") * between(0.97, 1.03, today, "price") * (isSale ? 0.75 : 1)
      return {
        url: `https://shop.example/${isRedesigned ? "products" : "p"}/${id}`,
        title: `${name(own)} ${id}`,
        price: Math.round(price * 100) / 100,
        brand: words(brands, own, "brand"),
        rating: chance(0.72, own, "rated") ? Math.round(between(2.5, 5, own, "rating") * 10) / 10 : null,
        stock: pick(["in stock", "in stock", "in stock", "few left", "sold out"], today, "stock"),
        description: prose(whole(1, 4, own, "length") + (isRedesigned ? 1 : 0), "en", own)
      }
    }
  },
  {
    name: "articles",
    items: 110,
    growth: 0,
    churn: 0.6,
    weekend: 0.5,
    rowsOfPage: 1,
    row: (item) => {
      const { day, id, isRedesigned, own } = item
      const title = `${name(own)} and the ${name(own, "second").toLowerCase()}`
      return {
        url: `https://news.example/${isRedesigned ? "story/" : ""}${id}-${title.toLowerCase().replaceAll(" ", "-")}`,
        title,
        author: person(own),
        published: dateOf(day - whole(0, 2, own, "published")),
        section: words(sections, own, "section"),
        tags: Array.from({ length: whole(1, 5, own, "tags") }, (_, at) => name(own, at).toLowerCase()),
        markdown: markdown(title, item, whole(8, 40, own, "length"))
      }
    }
  },
  {
    name: "jobs",
    items: 180,
    growth: 0.01,
    churn: 0.08,
    weekend: 0.95,
    rowsOfPage: 20,
    row: ({ day, id, own }) => {
      const hasSalary = chance(0.6, own, "has salary")
      const salary = Math.round(between(28, 110, own, "salary")) * 1000
      return {
        url: `https://jobs.example/${id}`,
        title: `${pick(["Senior", "Junior", "Lead", "Trainee"], own, "level")} ${pick(["Baker", "Welder", "Analyst", "Driver", "Nurse"], own, "role")}`,
        company: `${words(brands, own)} ${pick(["GmbH", "AG", "Ltd", "BV"], own, "form")}`,
        city: words(cities, own, "city"),
        salaryMin: hasSalary ? salary : null,
        salaryMax: hasSalary ? Math.round(salary * between(1.05, 1.4, own, "most")) : null,
        remote: chance(0.3, own, "remote"),
        posted: dateOf(day - whole(0, 20, own, "posted")),
        text: prose(whole(3, 9, own, "length"), "en", own)
      }
    }
  },
  {
    name: "docs",
    items: 140,
    growth: 0.002,
    churn: 0.03,
    weekend: 1,
    rowsOfPage: 1,
    row: (item) => {
      const { id, isRedesigned, own } = item
      const title = `${name(own)}: reference`
      return {
        url: `https://docs.example/${isRedesigned ? "v2/" : ""}${id}`,
        title,
        markdown: markdown(title, item, whole(3, 60, own, "length")),
        links: whole(8, 60, own, "links"),
        metadata: { statusCode: 200, language: "en", description: prose(1, "en", own, "description") }
      }
    }
  },
  {
    name: "prices",
    items: 600,
    growth: 0.001,
    churn: 0.02,
    weekend: 1,
    rowsOfPage: 50,
    row: ({ day, id, own, today }) => {
      const shop = id % 5
      return {
        shop: `shop-${shop}.example`,
        sku: `SKU-${String(id).padStart(6, "0")}`,
        name: name(own),
        price: Math.round(between(2, 90, own, "price") * between(0.96, 1.04, today, "price") * 100) / 100,
        currency: ["EUR", "EUR", "CHF", "GBP", "EUR"][shop],
        inStock: chance(0.9, today, "stock"),
        checked: dateOf(day)
      }
    }
  },
  {
    name: "events",
    items: 90,
    growth: 0.002,
    churn: 0.1,
    weekend: 0.8,
    rowsOfPage: 10,
    row: ({ day, id, own }) => ({
      url: `https://events.example/${id}`,
      name: `${name(own)} live`,
      venue: `${words(lastVenues, own, "venue")} ${pick(["Hall", "Club", "Theatre"], own, "kind")}`,
      city: words(cities, own, "city"),
      starts: `${dateOf(day + whole(1, 60, own, "starts"))}T${whole(17, 21, own, "hour")}:00:00Z`,
      price: chance(0.8, own, "paid") ? whole(8, 75, own, "price") : null,
      about: prose(whole(1, 3, own, "length"), "en", own)
    })
  },
  {
    name: "directory",
    items: 400,
    growth: 0.001,
    churn: 0.015,
    weekend: 1,
    rowsOfPage: 25,
    row: ({ id, isRedesigned, own }) => ({
      url: `https://directory.example/${isRedesigned ? "place/" : ""}${id}`,
      name: `${words(lastVenues, own)} ${words(categories, own, "category")}`,
      phone: `+49 ${whole(30, 999, own, "area")} ${whole(100_000, 9_999_999, own, "number")}`,
      street: `${words(streets, own, "street")} ${whole(1, 120, own, "house")}`,
      zip: String(whole(10_000, 99_999, own, "zip")),
      city: words(cities, own, "city"),
      website: chance(0.7, own, "website") ? `https://www.place-${id}.example` : null,
      category: words(categories, own, "category"),
      lat: Math.round(between(47.4, 54.8, own, "lat") * 1e5) / 1e5,
      lng: Math.round(between(6.1, 14.9, own, "lng") * 1e5) / 1e5
    })
  },
  {
    name: "forum",
    items: 150,
    growth: 0.002,
    churn: 0.4,
    weekend: 1.15,
    rowsOfPage: 15,
    row: ({ day, id, own, today }) => ({
      url: `https://forum.example/t/${id}`,
      title: `${pick(["How do I fix my", "Which", "Anybody with a", "Selling my"], own, "kind")} ${name(own).toLowerCase()}?`,
      author: person(own).toLowerCase().replace(" ", "_"),
      replies: whole(0, 40, own, "replies") + whole(0, 3, today, "replies"),
      views: whole(20, 4000, own, "views") + whole(0, 80, today, "views"),
      lastPost: `${dateOf(day - whole(0, 2, today, "last"))} ${whole(10, 23, today, "hour")}:${whole(10, 59, today, "minute")}`,
      body: prose(whole(1, 8, own, "length"), "en", own)
    })
  }
]

const lastVenues = [
  "Corn Exchange",
  "Kulturbahnhof",
  "Blue Door",
  "Alte Post",
  "Harbour",
  "Union",
  "Kesselhaus",
  "Riverside",
  "Lantern",
  "Süd"
]

/** One day in twelve the machine is off. */
export const isOff = (seed: string, day: number): boolean => chance(1 / 12, seed, day, "off")

/** What one run of a pipeline gets. */
export interface Run {
  readonly rows: ReadonlyArray<Row>
  readonly pages: number
  /** Pages that failed, or that the site blocked, and rows that were rejected. */
  readonly failed: number
  readonly blocked: number
  readonly rejected: number
}

/** A run on which nothing is wrong. */
export const cleanRun = (pipeline: Pipeline, seed: string, day: number): Run => {
  const { churn, growth, items, rowsOfPage, weekend } = pipeline
  const noise = between(0.97, 1.03, seed, day, "noise")
  // One day in fifteen is a busy one, and one in fifteen a slow one.
  const surge = chance(1 / 15, seed, day, "busy")
    ? between(1.1, 1.4, seed, day, "surge")
    : chance(1 / 15, seed, day, "slow")
      ? between(0.7, 0.9, seed, day, "surge")
      : 1
  const count = Math.round(items * (1 + growth) ** day * (isWeekend(day) ? weekend : 1) * noise * surge)
  const first = Math.floor(churn * items * day)
  const isRedesigned = day >= redesign(seed)
  const all = Array.from({ length: count }, (_, at): Row => {
    const id = first + at
    const own = `${seed}/${id}`
    const row = pipeline.row({ id, own, today: `${seed}:${day}/${id}`, day, isRedesigned })
    // The new layout says more, and has a mark that some items carry.
    return isRedesigned ? { ...row, badge: chance(0.15, own, "badge") ? "new" : null } : row
  })
  const rows = all.filter((_, at) => !chance(0.006, seed, day, at, "rejected"))
  const pages = Math.max(1, Math.round(count / rowsOfPage))
  const failed = Array.from({ length: pages }, (_, at) => chance(0.01, seed, day, at, "failed")).filter(Boolean).length
  return { rows, pages, failed, blocked: 0, rejected: all.length - rows.length }
}
