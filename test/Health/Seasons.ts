/** Pipelines whose outputs go through nights, weekends, sales, month ends and seasons; written without a look at the rules that judge them. */
import { chance, fraction, whole, words } from "./Random.ts"

export type SeasonRow = Readonly<Record<string, unknown>>

export interface SeasonRun {
  readonly rows: ReadonlyArray<SeasonRow>
  readonly rejected: number
  readonly pages: number
  readonly failed: number
  readonly blocked: number
}

export interface Season {
  readonly name: string
  /** Hours between two runs. */
  readonly every: number
  /** First run. */
  readonly start: string
  /** True behind `dedupe across: runs`. */
  readonly hasChanges?: boolean
  /** Requested pages for so many rows. */
  readonly pages: (rows: number) => number
  /** Rows of run `n` at the time `at`; `key` is the seed with the name of the pipeline. */
  readonly rows: (key: string, n: number, at: number) => ReadonlyArray<SeasonRow>
}

const hour = 3_600_000
const day = 24 * hour
const stamp = (at: number) => new Date(at).toISOString()
const date = (at: number) => stamp(at).slice(0, 10)
const isWeekend = (at: number) => [0, 6].includes(new Date(at).getUTCDay())
const cents = (value: number) => Math.round(value * 100) / 100
const range = (count: number) => Array.from({ length: Math.max(0, Math.round(count)) }, (_, at) => at)

const things = ["Wasserkocher", "Schreibtischleuchte", "Gartenschere", "Fahrradpumpe", "Rührschüssel", "Türstopper"]
const makes = ["Nordlicht", "Kessler & Söhne", "Öko Plus", "Brandt", "Habicht", "Lumio", "Tüftler"]
const variants = ["schwarz", "weiß", "grün", "groß", "klein", "mit Deckel", "2er-Set", "aus Eiche", "Edelstahl"]
const cities = ["München", "Köln", "Berlin", "Zürich", "Graz", "Düsseldorf", "Göteborg", "Malmö", "Łódź", "Basel"]
const people = ["J. Weiß", "M. Öztürk", "L. Nguyen", "P. Sørensen", "A. Müller", "S. Roche", "K. Ito", "D. Brück"]
const subjects = ["Der Stadtrat", "Die Bahn", "Ein Forscherteam", "Die Opposition", "Das Gericht", "Der Trainer"]
const acts = ["kündigt an", "verschiebt", "prüft", "streitet über", "stimmt für", "warnt vor", "verteidigt"]
const objects = ["neue Gebühren", "den Umbau am Hafen", "das Pokalspiel", "höhere Löhne", "die Brücke", "eine Studie"]
const clauses = [
  "Nach Angaben der Beteiligten soll die Entscheidung noch in diesem Monat fallen.",
  "Für viele Anwohner kommt der Schritt überraschend.",
  "Die Kosten liegen höher als ursprünglich geplant, heißt es aus dem Umfeld.",
  "Eine Sprecherin wollte sich dazu auf Nachfrage nicht äußern.",
  "Wir suchen Verstärkung für ein kleines Team mit großer Verantwortung.",
  "Sie bringen Erfahrung mit, arbeiten gerne selbständig und schätzen kurze Wege.",
  "Flexible Arbeitszeiten, 30 Tage Urlaub und ein Zuschuss zum Fahrrad sind üblich.",
  "Weitere Einzelheiten stehen auf der folgenden Seite."
]

const text = (low: number, high: number, ...parts: ReadonlyArray<number | string>): string =>
  range(whole(low, high, ...parts, "count"))
    .map((at) => words(clauses, ...parts, at))
    .join(" ")
const headline = (...parts: ReadonlyArray<number | string>): string =>
  `${words(subjects, ...parts, 1)} ${words(acts, ...parts, 2)} ${words(objects, ...parts, 3)}`
const product = (...parts: ReadonlyArray<number | string>): string =>
  `${words(makes, ...parts, 1)} ${words(things, ...parts, 2)} ${words(variants, ...parts, 3)} ${whole(10, 99, ...parts, 4)}`
/** Prices of a shop: many small ones, few large ones. */
const priceOf = (...parts: ReadonlyArray<number | string>): number =>
  Math.floor(4 * Math.exp(4.2 * fraction(...parts, "price"))) + 0.99

/** 420 articles; a sale for a week, then a higher tax, later the winter articles make way for the garden. */
const shop = (key: string, n: number): ReadonlyArray<SeasonRow> =>
  range(560).flatMap((id) => {
    const season = fraction(key, id, "season")
    const turn = 24 + fraction(key, id, "turn") * 30
    if (season < 0.18 && n > turn) return []
    if (season > 0.76 && n < turn) return []
    const isSoldOut = chance(0.05, key, id, Math.floor(n / 5), "sold out")
    const tax = n >= 41 ? 1.21 / 1.19 : 1
    const price = cents(priceOf(key, id) * tax * (chance(0.03, key, id, n) ? 0.95 : 1))
    const isSale = n >= 29 && n < 36 && chance(0.6, key, id, "sale")
    return [
      {
        sku: `A-${10_000 + id * 7}`,
        name: product(key, id),
        brand: words(makes, key, id, 1),
        price: isSoldOut ? null : isSale ? cents(price * 0.7) : price,
        oldPrice: isSale ? price : null,
        stock: isSoldOut ? "ausverkauft" : chance(0.1, key, id, n, "few") ? "nur noch wenige" : "lieferbar",
        rating: chance(0.7, key, id, "rated") ? whole(25, 50, key, id, "rating") / 10 : null,
        url: `https://shop.example/a/${10_000 + id * 7}`
      }
    ]
  })

/** Articles since the last run: few at night, half at weekends, many on the evening of an election. */
const news = (key: string, n: number, at: number): ReadonlyArray<SeasonRow> => {
  const clock = new Date(at).getUTCHours()
  const usual = clock < 5 ? whole(2, 6, key, n) : clock < 7 || clock > 21 ? whole(6, 14, key, n) : whole(18, 34, key, n)
  const count = n >= 40 && n < 47 ? whole(80, 150, key, n) : isWeekend(at) ? Math.max(2, usual / 2) : usual
  const isElection = n >= 40 && n < 47
  return range(count).map((each) => {
    const isResult = isElection && chance(0.7, key, n, each, "result")
    return {
      title: isResult ? `Wahl: ${words(cities, key, n, each)} – ${headline(key, n, each)}` : headline(key, n, each),
      teaser: text(1, isResult ? 1 : 3, key, n, each, "teaser"),
      author: chance(isResult ? 0.15 : 0.65, key, n, each, "signed") ? words(people, key, n, each) : null,
      section: isResult ? "Wahl" : words(["Politik", "Sport", "Kultur", "Wirtschaft", "Lokales"], key, n, each),
      published: stamp(at - whole(1, 59, key, n, each) * 60_000),
      comments: chance(0.5, key, n, each, "none") ? 0 : whole(1, clock < 7 ? 12 : 140, key, n, each, "comments"),
      premium: chance(0.2, key, n, each, "premium"),
      url: `https://news.example/${date(at)}/${whole(100_000, 999_999, key, n, each, "id")}`
    }
  })
}

/** Adverts that stay for some weeks: many on the first of a month, hardly any between the years. */
const jobs = (key: string, _n: number, at: number): ReadonlyArray<SeasonRow> =>
  range(46).flatMap((age) => {
    const born = at - age * day
    const calendar = date(born).slice(5)
    const isQuiet = calendar > "12-20" || calendar < "01-04"
    const born24 = isQuiet
      ? whole(0, 4, key, calendar)
      : isWeekend(born)
        ? whole(2, 6, key, calendar)
        : whole(16, 26, key, calendar)
    return range(calendar.endsWith("-01") ? born24 * 2 + 10 : born24).flatMap((each) => {
      const endsWithMonth = chance(0.3, key, calendar, each, "month")
      if (endsWithMonth && date(born).slice(0, 7) !== date(at).slice(0, 7)) return []
      if (!endsWithMonth && age > whole(10, 45, key, calendar, each, "stays")) return []
      const low = whole(32, 78, key, calendar, each, "salary")
      return [
        {
          title: `${words(["Bauleiter", "Köchin", "Pflegekraft", "Entwickler", "Buchhalterin", "Fahrer"], key, calendar, each)} (m/w/d)`,
          company: `${words(makes, key, calendar, each)} GmbH`,
          city: words(cities, key, calendar, each, "city"),
          salary: chance(0.4, key, calendar, each, "paid") ? `${low}.000 € – ${low + 9}.000 €` : null,
          contract: words(["unbefristet", "befristet", "Minijob", "Ausbildung"], key, calendar, each),
          remote: chance(0.25, key, calendar, each, "remote"),
          posted: date(born),
          description: text(2, 6, key, calendar, each, "description")
        }
      ]
    })
  })

/** Dates of the next 30 days: more towards summer, a festival, then the holidays. */
const events = (key: string, _n: number, at: number): ReadonlyArray<SeasonRow> =>
  range(30).flatMap((ahead) => {
    const when = at + ahead * day
    const calendar = date(when)
    const month = Number(calendar.slice(5, 7))
    const usual = month === 5 ? 4 : month === 6 ? 7 : month === 7 ? 5 : 2
    const isFestival = calendar >= "2025-06-20" && calendar <= "2025-06-22"
    const count = isFestival ? 34 : usual + (isWeekend(when) ? whole(2, 6, key, calendar) : whole(-1, 1, key, calendar))
    return range(count).map((each) => ({
      title: `${words(["Konzert", "Lesung", "Führung", "Flohmarkt", "Kindertheater", "Weinprobe"], key, calendar, each)}: ${words(subjects, key, calendar, each)}`,
      venue: words(["Stadthalle", "Alte Mühle", "Schlosspark", "Café Süd", "Kulturbahnhof"], key, calendar, each, "v"),
      city: words(cities, key, calendar, each),
      starts: `${calendar}T${whole(10, 20, key, calendar, each, "clock")}:00:00+02:00`,
      price: chance(isFestival ? 0.8 : 0.35, key, calendar, each, "free") ? null : whole(4, 45, key, calendar, each),
      tags: range(whole(0, 3, key, calendar, each, "tags")).map((tag) => words(variants, key, calendar, each, tag)),
      soldOut: chance(ahead < 4 ? 0.3 : 0.04, key, calendar, each, "sold out")
    }))
  })

/** Companies: some more each week, a few dissolved. */
const register = (key: string, n: number, at: number): ReadonlyArray<SeasonRow> =>
  range(1_790 + n * 3 + whole(0, 2, key, n)).map((id) => {
    const changed = whole(0, 80, key, id, "changed")
    const isOld = chance(0.12, key, id, "old")
    return {
      number: `HRB ${20_000 + id * 3}`,
      name: `${words(makes, key, id)} ${words(things, key, id)} ${words(["GmbH", "AG", "KG", "UG"], key, id, "form")}`,
      seat: words(cities, key, id, "seat"),
      registered: date(Date.parse("1994-03-01") + id * 6 * day),
      status: isOld ? "gelöscht" : changed < n && chance(0.02, key, id, "ill") ? "in Liquidation" : "aktiv",
      capital: isOld && chance(0.5, key, id, "lost") ? null : whole(1, 40, key, id, "capital") * 12_500,
      changed: date(at - Math.max(1, n > changed ? n - changed : 80 + id) * 7 * day)
    }
  })

/** Addresses that a sitemap has new, changed or gone: often none, all of them after a relaunch. */
const sitemap = (key: string, n: number, at: number): ReadonlyArray<SeasonRow> => {
  const isQuiet = chance(isWeekend(at) ? 0.85 : 0.45, key, n, "quiet")
  const count =
    n === 33 ? 480 : n === 34 ? 60 : chance(0.05, key, n, "burst") ? whole(30, 70, key, n) : whole(1, 9, key, n)
  return range(n !== 33 && isQuiet ? 0 : count).map((each) => ({
    url: `https://site.example/${words(["blog", "produkte", "hilfe", "presse"], key, n, each)}/${whole(1, 99_999, key, n, each, "id")}`,
    lastmod: stamp(at - whole(5, 350, key, n, each, "age") * 60_000),
    priority: words(["0.5", "0.8", "1.0"], key, n, each, "priority"),
    change: words(n === 33 ? ["new", "gone"] : ["new", "changed", "changed", "gone"], key, n, each, "change")
  }))
}

/** The newest 50 posts: short answers below few titles; one day everyone writes about the outage. */
const forum = (key: string, n: number, at: number): ReadonlyArray<SeasonRow> =>
  range(50).map((each) => {
    const isHot = n >= 37 && n < 43 && chance(0.66, key, n, each, "hot")
    const topic = isHot ? "Server wieder down?" : `${headline(key, Math.floor(n / 6), whole(0, 17, key, n, each))}?`
    return {
      title: chance(0.85, key, n, each, "answer") ? `Re: ${topic}` : topic,
      author: `${words(["frosch", "möwe", "nils", "kati", "büchse", "opa"], key, n, each)}${whole(1, 60, key, n, each)}`,
      body: chance(0.35, key, n, each, "short")
        ? words(["Danke!", "+1", "Geht bei mir auch nicht.", "Schließe mich an.", "Hä?", "gelöst"], key, n, each)
        : text(1, 3, key, n, each),
      likes: chance(0.7, key, n, each, "none") ? 0 : whole(1, 25, key, n, each),
      posted: stamp(at - each * whole(1, 9, key, n) * 60_000)
    }
  })

/** 30 stations at noon from February on; some are silent for days, some have no sensor for gusts or snow. */
const weather = (key: string, n: number, at: number): ReadonlyArray<SeasonRow> => {
  const front = (fraction(key, Math.floor(n / 4), "front") - 0.5) * 14
  const isWet = chance(0.45, key, Math.floor(n / 2), "wet")
  return range(30).flatMap((id) => {
    if (chance(0.03, key, id, Math.floor(n / 5), "silent")) return []
    const height = whole(3, 1_900, key, id, "height")
    const degrees = Math.round((n * 0.33 - 1 + front - height / 170 + fraction(key, id, n) * 4) * 10) / 10
    const wind = whole(0, 12, key, id, n, "wind") + (front < -3 ? 14 : 0)
    return [
      {
        station: `${words(cities, key, id)}-${id + 1}`,
        observed: stamp(at),
        temperature: degrees,
        humidity: whole(isWet ? 75 : 30, isWet ? 100 : 80, key, id, n),
        wind,
        gusts: chance(0.4, key, id, "gusts") && wind > 8 ? wind + whole(5, 30, key, id, n) : null,
        rain: isWet && degrees > 0 ? whole(0, 140, key, id, n, "rain") / 10 : 0,
        snow: height > 700 && degrees < 4 ? whole(1, 120, key, id, n, "snow") : null,
        pressure: Math.round(1013 + front + fraction(key, id, n, "pressure") * 4),
        sky: isWet
          ? words(["Regen", "Schauer", "bedeckt"], key, id, n)
          : words(["sonnig", "heiter", "Nebel"], key, id, n)
      }
    ]
  })
}

/** Eight rates; nothing moves at weekends. */
const rates = (key: string, _n: number, at: number): ReadonlyArray<SeasonRow> => {
  const weekday = new Date(at).getUTCDay()
  const fixed = at - (weekday === 0 ? 2 : weekday === 6 ? 1 : 0) * day
  const walk = (currency: string, until: number) =>
    range(30).reduce((sum, back) => sum + (fraction(key, currency, date(until - back * day)) - 0.5) * 0.006, 1)
  return Object.entries({
    USD: 1.0842,
    GBP: 0.8423,
    CHF: 0.9371,
    JPY: 162.4,
    SEK: 11.42,
    PLN: 4.291,
    CZK: 25.11,
    NOK: 11.71
  }).map(([currency, mean]) => {
    const [now, before] = [mean * walk(currency, fixed), mean * walk(currency, fixed - day)]
    return {
      base: "EUR",
      currency,
      rate: Number(now.toFixed(4)),
      change: fixed === at ? cents((now / before - 1) * 100) : 0,
      fixed: date(fixed)
    }
  })
}

/** 900 devices with fields that only some have; a discount and a badge only in sales; pounds become euros. */
const devices = (key: string, n: number): ReadonlyArray<SeasonRow> => {
  const isSale = (n >= 13 && n < 17) || (n >= 27 && n < 31) || (n >= 48 && n < 56)
  const isEuro = n >= 44
  return range(900 + whole(-8, 8, key, n)).map((id) => {
    const price = cents(priceOf(key, id) * 6 * (isEuro ? 1.17 : 1))
    const isOffer = isSale && chance(0.3, key, id, Math.floor(n / 10), "offer")
    return {
      gtin: chance(0.9, key, id, "gtin")
        ? `40${whole(10_000_000, 99_999_999, key, id, "a")}${whole(100, 999, key, id)}`
        : "",
      name: product(key, id),
      price,
      currency: isEuro ? "EUR" : "GBP",
      discountPrice: isOffer ? cents(price * 0.8) : null,
      badge: isOffer ? words(["Deal", "-20 %", "Black Week"], key, id) : null,
      energy: chance(0.4, key, id, "energy") ? words(["A", "B", "C", "D", "E"], key, id) : null,
      reviews: chance(0.3, key, id, "none") ? 0 : whole(1, 900, key, id) + n,
      colours: range(whole(0, 4, key, id, "colours")).map((at) => words(variants, key, id, at)),
      ...(chance(0.06, key, id, "award") ? { award: "Testsieger" } : {})
    }
  })
}

/** The newest 36 posts in four languages; for two weeks there is a series in Japanese. */
const blog = (key: string, n: number, at: number): ReadonlyArray<SeasonRow> => {
  const written = Math.floor(n * 1.4)
  return range(36).map((back) => {
    const id = 200 + written - back
    const isSeries = id >= 245 && id < 263
    const language = isSeries && chance(0.75, key, id, "series") ? "ja" : words(["de", "en", "fr", "de", "ja"], key, id)
    const titles = {
      de: headline(key, id),
      en: `How we ${words(["built", "moved", "lost", "measured"], key, id)} our ${words(["cache", "office", "queue", "garden"], key, id, 2)}`,
      fr: `Pourquoi nous avons ${words(["changé", "quitté", "réécrit", "fêté"], key, id)} ${words(["l'équipe", "le café", "l'été"], key, id, 2)}`,
      ja: `${words(["新しい", "小さな", "最初の"], key, id)}${words(["庭の話", "設計について", "チーム紹介", "旅の記録"], key, id, 2)}`
    }
    const opening = titles[language as keyof typeof titles]
    return {
      title: opening,
      language,
      author: words(people, key, id),
      excerpt:
        language === "ja"
          ? `${opening}。${"今日は少しだけ書きます。".repeat(whole(1, 4, key, id))}`
          : `${opening}. ${text(1, 4, key, id)}`,
      words: whole(180, 2_400, key, id, "words"),
      cover: chance(0.55, key, id, "cover") ? `https://blog.example/img/${id}.webp` : null,
      tags: range(whole(1, 4, key, id, "tags")).map((tag) => words(variants, key, id, tag)),
      published: stamp(at - (back / 1.4) * day)
    }
  })
}

/** 240 pages; a small release touches each of them, a large one moves half of them and writes them anew. */
const docs = (key: string, n: number, at: number): ReadonlyArray<SeasonRow> => {
  const release = n < 26 ? 2 : n < 45 ? 3 : 4
  const major = release === 4 ? 5 : 4
  const released = at - (n - (n < 26 ? -9 : n < 45 ? 26 : 45)) * day
  return range(release === 4 ? 271 : 230 + release * 5).map((id) => {
    const isRewritten = major === 5 && chance(0.5, key, id, "rewritten")
    const part = words(["guide", "reference", "recipes", "internals"], key, id, isRewritten ? "b" : "a")
    const edited = n - whole(0, 120, key, id, Math.floor(n / 8))
    return {
      path: `/${major}.${release % 4}/${part}/${words(["setup", "cache", "query", "hooks", "types"], key, id)}-${id}`,
      title: `${words(["Configure", "Extend", "Test", "Deploy", "Debug"], key, id, isRewritten ? 2 : 1)} ${words(["the store", "a plugin", "your routes", "the worker"], key, id)}`,
      version: `${major}.${release % 4}`,
      text: text(isRewritten ? 2 : 5, isRewritten ? 12 : 22, key, id, release),
      headings: whole(1, 11, key, id, release),
      deprecated: chance(0.04 * (release - 1), key, id, "deprecated") ? "since 4.1" : null,
      updated: date(Math.max(Math.min(released, at), at - Math.max(0, n - edited) * day))
    }
  })
}

/** Members of an association: every entry by hand, until a clean-up drops 15 % of them. */
const directory = (key: string, n: number): ReadonlyArray<SeasonRow> =>
  range(1_150 + n).flatMap((id) => {
    const isStale = chance(0.15, key, id, "stale")
    if (n >= 32 && isStale) return []
    return [
      {
        name: `${words(["Praxis", "Kanzlei", "Bäckerei", "Schreinerei", "Büro"], key, id)} ${words(people, key, id)}`,
        street: `${words(["Haupt", "Garten", "Bahnhof", "Mühlen"], key, id)}straße ${whole(1, 140, key, id)}`,
        postcode: String(whole(10_000, 98_999, key, id, "postcode")),
        city: words(cities, key, id, "city"),
        phone: chance(isStale ? 0.4 : 0.85, key, id, "phone")
          ? `+49 ${whole(200, 999, key, id)} ${whole(10_000, 999_999, key, id)}`
          : null,
        email: chance(isStale ? 0.1 : 0.6, key, id, "email") ? `info${id}@mitglied.example` : null,
        website: chance(0.5, key, id, "website") ? `https://mitglied-${id}.example/` : "",
        since: whole(1961, 2024, key, id, "since")
      }
    ]
  })

const lists = (size: number) => (rows: number) => Math.max(1, Math.ceil(rows / size))
const listAndEach = (rows: number) => rows + 2

export const seasons: ReadonlyArray<Season> = [
  { name: "shop", every: 24, start: "2025-01-28T05:00:00Z", pages: lists(24), rows: shop },
  { name: "news", every: 1, start: "2025-09-26T06:00:00Z", pages: listAndEach, rows: news },
  { name: "jobs", every: 24, start: "2025-11-12T04:00:00Z", pages: listAndEach, rows: jobs },
  { name: "events", every: 24, start: "2025-05-20T03:00:00Z", pages: lists(20), rows: events },
  { name: "register", every: 168, start: "2024-10-06T01:00:00Z", pages: lists(50), rows: register },
  { name: "sitemap", every: 6, start: "2025-03-03T00:00:00Z", hasChanges: true, pages: () => 5, rows: sitemap },
  { name: "forum", every: 2, start: "2025-04-01T00:00:00Z", pages: () => 3, rows: forum },
  { name: "weather", every: 24, start: "2025-02-10T12:00:00Z", pages: () => 30, rows: weather },
  { name: "rates", every: 24, start: "2025-08-04T16:00:00Z", pages: () => 1, rows: rates },
  { name: "devices", every: 12, start: "2025-10-30T07:00:00Z", pages: lists(60), rows: devices },
  { name: "blog", every: 24, start: "2025-06-02T06:00:00Z", pages: listAndEach, rows: blog },
  { name: "docs", every: 24, start: "2025-02-01T02:00:00Z", pages: listAndEach, rows: docs },
  { name: "directory", every: 168, start: "2024-09-02T02:00:00Z", pages: lists(30), rows: directory }
]

/** The run with what the network does on ordinary days: a lost page here and there, seldom a bad hour. */
export const seasonRun = (season: Season, seed: string, n: number): SeasonRun & { readonly at: number } => {
  const key = `${seed}/${season.name}`
  const at = Date.parse(season.start) + n * season.every * hour
  const rows = season.rows(key, n, at)
  const pages = season.pages(rows.length)
  const isBad = chance(0.04, key, n, "bad hour")
  // Without its only page a run has no rows: that is no ordinary day.
  const asked = pages === 1 ? 0 : pages
  const failed = isBad
    ? whole(0, Math.ceil(asked * 0.08), key, n, "failed")
    : range(asked).filter((page) => chance(0.004, key, n, page, "failed")).length
  const blocked = chance(0.04, key, n, "blocked")
    ? Math.min(asked - failed, whole(0, Math.ceil(asked * 0.03), key, n))
    : 0
  const rejected = chance(0.2, key, n, "rejects") ? whole(0, Math.ceil(rows.length * 0.02), key, n, "rejected") : 0
  // A lost page takes its rows with it.
  const lost = Math.floor((rows.length * (failed + blocked)) / pages)
  return { at, rows: rows.slice(0, rows.length - lost - rejected), rejected, pages, failed, blocked }
}
