/** Pipelines of trade whose outputs grow, end on Sundays and follow holidays; written without a look at the code that judges them. */
import { chance, fraction, pick, prose, whole, words } from "./Random.ts"
import type { Season, SeasonRow } from "./Seasons.ts"

const hour = 3_600_000
const day = 24 * hour
const stamp = (at: number) => new Date(at).toISOString()
const date = (at: number) => stamp(at).slice(0, 10)
const cents = (value: number) => Math.round(value * 100) / 100
const range = (count: number) => Array.from({ length: Math.max(0, Math.round(count)) }, (_, at) => at)

const wares = ["Lampe", "Kommode", "Radio", "Münze", "Teppich", "Kamera", "Uhr", "Gitarre", "Vase", "Spiegel"]
const conditions = ["neu", "wie neu", "gut", "gebraucht", "defekt", "an Bastler"]
const ages = ["um 1900", "Art déco", "50er", "60er Jahre", "70er", "DDR", "Jugendstil", "Vintage", "antik"]
const towns = ["Hamburg", "Leipzig", "Nürnberg", "Münster", "Ulm", "Kassel", "Görlitz", "Passau", "Trier", "Jena"]

/** Lots of an auction house: most end on Sunday evening, new ones come on Mondays, and each month has one large estate. */
const auctions = (key: string, _n: number, at: number): ReadonlyArray<SeasonRow> =>
  range(18).flatMap((age) => {
    const opened = at - age * 12 * hour
    const calendar = stamp(opened).slice(0, 13)
    const weekday = new Date(opened).getUTCDay()
    const isEstate = date(opened).endsWith("-17")
    const count = isEstate ? 140 : weekday === 1 ? whole(30, 55, key, calendar) : whole(3, 12, key, calendar)
    const sunday = opened + ((7 - weekday) % 7) * day
    return range(count).flatMap((each) => {
      const isLong = chance(0.3, key, calendar, each, "long")
      if (!isLong && Date.parse(`${date(sunday)}T20:00:00Z`) < at) return []
      const start = Math.ceil(2 * Math.exp(5 * fraction(key, calendar, each, "start")))
      const bids = chance(0.45, key, calendar, each, "no bids")
        ? 0
        : Math.floor(age * fraction(key, calendar, each, "b"))
      return [
        {
          lot: `L-${calendar.replaceAll(/\D/g, "")}-${each}`,
          title: `${words(wares, key, calendar, each)}, ${words(ages, key, calendar, each, 2)}${chance(0.4, key, calendar, each, "size") ? `, ${whole(8, 210, key, calendar, each)} cm` : ""}`,
          start,
          bid: bids === 0 ? null : cents(start * 1.08 ** bids),
          bids,
          ends: isLong ? stamp(opened + 9 * day) : `${date(sunday)}T20:00:00.000Z`,
          reserve: chance(0.2, key, calendar, each, "reserve"),
          provenance: isEstate
            ? "Nachlass einer Villa"
            : chance(0.1, key, calendar, each)
              ? words(towns, key, each)
              : null
        }
      ]
    })
  })

/** Connections of the next days from one airport, asked four times a day: holidays are full and dear, a strike takes two days. */
const flights = (key: string, n: number, at: number): ReadonlyArray<SeasonRow> => {
  const isStrike = n >= 52 && n < 60
  return range(14).flatMap((ahead) => {
    const when = at + ahead * day
    const calendar = date(when)
    const isHoliday = calendar >= "2025-10-03" && calendar <= "2025-10-19"
    const isSaturday = new Date(when).getUTCDay() === 6
    const count = (isSaturday ? 7 : 11) + (isHoliday ? 5 : 0)
    return range(count).flatMap((each) => {
      const isCancelled = isStrike && ahead < 2 && chance(0.75, key, calendar, each, "strike")
      if (isCancelled && chance(0.6, key, calendar, each, "removed")) return []
      const isFull = chance(isHoliday ? 0.35 : ahead < 2 ? 0.25 : 0.05, key, calendar, each, Math.floor(n / 4), "full")
      const base = 29 + 240 * fraction(key, each, "base") ** 2
      const rise = (isHoliday ? 1.9 : 1) * (1 + Math.max(0, 7 - ahead) * 0.09)
      return [
        {
          flight: `${words(["LH", "EW", "KL", "U2", "LX"], key, each)}${whole(100, 2_999, key, each)}`,
          to: words(["AMS", "ZRH", "LHR", "PMI", "OSL", "FCO", "LIS", "ARN"], key, each, "to"),
          departs: `${calendar}T${String(6 + (each % 16)).padStart(2, "0")}:${pick(["05", "20", "45"], key, each)}:00+02:00`,
          price: isFull || isCancelled ? null : cents(base * rise * (0.95 + fraction(key, calendar, each, n) / 10)),
          seats: isFull ? 0 : chance(0.3, key, calendar, each, n, "few") ? whole(1, 8, key, calendar, each, n) : null,
          status: isCancelled ? "annulliert" : isFull ? "ausgebucht" : "buchbar",
          aircraft: chance(0.8, key, each, "known")
            ? words(["A320", "A321neo", "B738", "E190"], key, each, "type")
            : null
        }
      ]
    })
  })
}

/** A young marketplace: from 70 offers to some 1,500 in two months, with imports of whole shops and a new field for all new offers. */
const marketplace = (key: string, n: number): ReadonlyArray<SeasonRow> =>
  range(70 + n * 9 + (n >= 22 ? 430 : 0) + (n >= 47 ? 500 : 0)).flatMap((id) => {
    // Offers that a shop has imported are alike: one seller, prices with two digits after the point, no place.
    const isImport = (n >= 22 && id >= 260 && id < 690) || (n >= 47 && id >= 900 && id < 1_400)
    if (!isImport && chance(0.25, key, id, "sold") && n > whole(0, 70, key, id, "sold on")) return []
    const price = 3 + 180 * fraction(key, id, "price") ** 3
    return [
      {
        id: 700_000 + id,
        title: isImport
          ? `${words(wares, key, id)} ${whole(1, 999, key, id, "model")} ${words(["Set", "Basic", "Plus", "XL"], key, id)}`
          : `${words(conditions, key, id)}: ${words(wares, key, id)}${chance(0.3, key, id) ? " !!!" : ` aus ${words(towns, key, id)}`}`,
        price: isImport ? cents(price) : chance(0.08, key, id, "gift") ? 0 : Math.round(price),
        shipping: isImport ? 4.99 : chance(0.5, key, id, "pickup") ? null : whole(2, 16, key, id, "shipping"),
        seller: isImport ? `handel-${id < 700 ? "eins" : "zwei"}` : `nutzer${whole(1, 60 + n * 4, key, id, "seller")}`,
        place: isImport ? null : words(towns, key, id, "place"),
        image: `https://img.example/${chance(0.1, key, id, "none") ? "placeholder" : `${key.length}-${id}`}.webp`,
        description: isImport ? prose(1, "de", key, id % 40) : prose(whole(1, 4, key, id, "length"), "de", key, id),
        ...(n >= 30 && id >= 340 ? { co2: whole(1, 90, key, id, "co2") / 10 } : {})
      }
    ]
  })

export const tradeSeasons: ReadonlyArray<Season> = [
  { name: "auctions", every: 12, start: "2025-03-05T06:00:00Z", pages: (rows) => rows + 3, rows: auctions },
  {
    name: "flights",
    every: 6,
    start: "2025-09-15T04:00:00Z",
    pages: (rows) => Math.max(1, Math.ceil(rows / 12)),
    rows: flights
  },
  {
    name: "marketplace",
    every: 24,
    start: "2025-04-09T05:00:00Z",
    pages: (rows) => Math.max(1, Math.ceil(rows / 40)),
    rows: marketplace
  }
]
