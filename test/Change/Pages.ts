/**
 * Pages with twelve kinds of noise, which differ from fetch to fetch, and ten kinds of changes that matter.
 *
 * A page is the same for the same seed; its noise is the same for the same seed and fetch. Contents are written in HTML and know nothing of
 * the module that is tested.
 */
import { between, chance, fraction, name, person, pick, prose, whole } from "../Health/Random.ts"

/** A fetch of a page. */
interface Fetch {
  readonly seed: string
  readonly number: number
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Parts of the main content, in order; `fixed` ones stay where they are. */
interface Part {
  readonly html: string
  readonly role: "title" | "lead" | "heading" | "text" | "items" | "table" | "price" | "stock" | "download" | "event"
}

const money = (...parts: ReadonlyArray<number | string>): string =>
  `${whole(3, 480, ...parts, "euros")}.${whole(10, 99, ...parts, "cents")}`

const slug = (text: string): string => text.toLowerCase().replace(/\W+/g, "-")

const monthNames = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December"
]

const longDate = (at: number): string => {
  const date = new Date(at)
  return `${monthNames[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`
}

const eventDate = (...parts: ReadonlyArray<number | string>): string =>
  `${whole(1, 28, ...parts, "day")} ${pick(["March", "June", "September"], ...parts, "month")} 2031`

const item = (...parts: ReadonlyArray<number | string>): string => {
  const title = `${name(...parts)} ${whole(100, 999, ...parts, "model")}`
  return `<li><a href="/items/${slug(title)}">${title}</a> – ${prose(1, "en", ...parts, "teaser")}</li>`
}

const items = (count: number, ...parts: ReadonlyArray<number | string>): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, at) => item(...parts, at))

const row = (...parts: ReadonlyArray<number | string>): string =>
  `<tr><td>${name(...parts, "row")}</td><td>${whole(2, 90, ...parts, "weight")} kg</td><td>€${money(...parts)}</td></tr>`

const version = (...parts: ReadonlyArray<number | string>): string =>
  `${whole(1, 6, ...parts, "major")}.${whole(0, 30, ...parts, "minor")}.${whole(0, 9, ...parts, "patch")}`

/** The parts of a page: an article, a product, a listing, documentation or a club. */
const partsOf = (seed: string): ReadonlyArray<Part> => {
  const kind = Math.floor(fraction(seed, "kind") * 5)
  const title = `${name(seed, "title")} ${whole(1, 99, seed, "edition")}`
  const release = version(seed, "release")
  const text = (at: number): Part => ({
    role: "text",
    html: `<p>${prose(whole(2, 4, seed, at, "length"), "en", seed, "text", at)}</p>`
  })
  const heading = (at: number, words: string): Part => ({
    role: "heading",
    html: `<h2>${words} ${name(seed, "heading", at)}</h2>`
  })
  const list = (count: number): Part => ({ role: "items", html: `<ul>${items(count, seed, "list").join("\n")}</ul>` })
  const table: Part = {
    role: "table",
    html: `<table><tr><th>Model</th><th>Weight</th><th>Price</th></tr>${Array.from({ length: 6 }, (_, at) => row(seed, "table", at)).join("\n")}</table>`
  }
  const price: Part = { role: "price", html: `<p>Price: <strong>€${money(seed, "price")}</strong> including tax</p>` }
  const stock: Part = { role: "stock", html: "<p>Availability: In stock</p>" }
  const download: Part = {
    role: "download",
    html: `<p>Get it here: <a href="https://files.example/${slug(title)}/${release}.zip">Download the current release</a></p>`
  }
  const event: Part = {
    role: "event",
    html: `<p>The next meeting is on ${eventDate(seed)} at ${whole(9, 20, seed, "hour")}:30 in the ${name(seed, "hall")} hall.</p>`
  }
  const start: ReadonlyArray<Part> = [
    { role: "title", html: `<h1>${title}</h1>` },
    { role: "lead", html: `<p>By ${person(seed, "author")}. ${prose(2, "en", seed, "lead")}</p>` }
  ]
  const bodies: ReadonlyArray<ReadonlyArray<Part>> = [
    [
      text(1),
      text(2),
      heading(1, "Inside"),
      text(3),
      text(4),
      event,
      heading(2, "After"),
      text(5),
      text(6),
      download,
      list(3),
      table,
      price,
      stock
    ],
    [
      price,
      stock,
      text(1),
      heading(1, "Details of"),
      text(2),
      table,
      heading(2, "Using"),
      text(3),
      list(4),
      download,
      event
    ],
    [heading(1, "All of"), list(14), text(1), heading(2, "Prices of"), table, text(2), price, stock, event, download],
    [
      download,
      heading(1, "Install"),
      text(1),
      text(2),
      heading(2, "Configure"),
      text(3),
      list(6),
      heading(3, "Limits of"),
      table,
      text(4),
      event,
      price,
      stock
    ],
    [
      event,
      text(1),
      heading(1, "Programme"),
      list(8),
      text(2),
      heading(2, "Tickets"),
      price,
      stock,
      table,
      text(3),
      download
    ]
  ]
  return [...start, ...(bodies[kind] ?? [])]
}

// ---- noise

export const noiseKinds = [
  "clock",
  "counters",
  "advertisements",
  "related pages",
  "session ids",
  "order",
  "image addresses",
  "testimonials",
  "live figures",
  "request ids",
  "wording tests and notices",
  "markup"
] as const
export type NoiseKind = (typeof noiseKinds)[number]

const shuffled = (values: ReadonlyArray<string>, ...parts: ReadonlyArray<number | string>): ReadonlyArray<string> =>
  values
    .map((value, at) => ({ value, order: fraction(...parts, at, "order") }))
    .sort((a, b) => a.order - b.order)
    .map(({ value }) => value)

const inserted = (parts: ReadonlyArray<string>, html: string, at: number): ReadonlyArray<string> => [
  ...parts.slice(0, at),
  html,
  ...parts.slice(at)
]

const hex = (length: number, ...parts: ReadonlyArray<number | string>): string =>
  Array.from({ length }, (_, at) => Math.floor(fraction(...parts, at, "hex") * 16).toString(16)).join("")

type Noise = (parts: ReadonlyArray<string>, fetch: Fetch) => ReadonlyArray<string>

const advertisement = (seed: string, fetch: number, at: number): string => {
  const brand = `${name(seed, fetch, at, "brand")} ${pick(["Ltd", "GmbH", "Inc", "AG"], seed, fetch, at)}`
  const path = `https://${pick(["offers", "deals", "brands"], seed, "host")}.example/p/${hex(6, seed, fetch, at)}`
  const styles = [
    `<div><p>Sponsored</p><p><a href="${path}">${brand}: ${prose(1, "en", seed, fetch, at, "ad")}</a></p></div>`,
    `<p><a href="${path}"><strong>${brand}</strong> ${pick(["Save now", "Order today", "Compare prices", "Free delivery"], seed, fetch, at, "call")}</a></p>`,
    `<p>Advertisement: <a href="${path}">${brand}</a></p>`
  ]
  return styles[Math.floor(fraction(seed, "style") * styles.length)] ?? ""
}

const noises: Readonly<Record<NoiseKind, Noise>> = {
  clock: (parts, { at, seed }) => {
    const date = new Date(at)
    const time = `${date.getUTCHours()}:${String(date.getUTCMinutes()).padStart(2, "0")}`
    const minutes = whole(1, 59, seed, at)
    const forms = [
      `<p>Last updated: ${longDate(at)} ${time}</p>`,
      `<p>${pick(["Mon", "Tue", "Wed", "Thu", "Fri"], String(at))}, ${date.toISOString().slice(0, 10)} ${time} UTC</p>`,
      `<p>Published ${minutes} minutes ago</p>`,
      `<p>Today is ${longDate(at)}. The local time is ${time}:${String(minutes).padStart(2, "0")}.</p>`
    ]
    return inserted(parts, forms[Math.floor(fraction(seed, "clock") * forms.length)] ?? "", 2)
  },
  counters: (parts, { number, seed }) => {
    const views = 1200 + 37 * number + whole(0, 30, seed, number)
    const forms = [
      `<p>${views.toLocaleString("en-US")} views · ${views % 97} comments</p>`,
      `<p>Read ${views} times by ${views % 301} people</p>`,
      `<ul><li>${views} likes</li><li>${views % 113} shares</li></ul>`,
      `<p>${prose(1, "en", seed, "counter")} It has been opened ${views} times since last spring.</p>`
    ]
    return inserted(parts, forms[Math.floor(fraction(seed, "counters") * forms.length)] ?? "", parts.length - 1)
  },
  advertisements: (parts, { number, seed }) => {
    const count = whole(1, 3, seed, number, "ads")
    return Array.from({ length: count }).reduce<ReadonlyArray<string>>(
      (all, _, at) =>
        inserted(all, advertisement(seed, number, at), whole(2, all.length - 1, seed, number, at, "place")),
      parts
    )
  },
  "related pages": (parts, { number, seed }) => {
    const title = pick(
      ["Related articles", "You may also like", "More from this section", "Readers chose", "Discover"],
      seed,
      "related"
    )
    const list = Array.from({ length: 5 }, (_, at) => {
      const linked = `${name(seed, number, at, "related")} ${whole(1, 99, seed, number, at)}`
      return `<li><a href="/stories/${slug(linked)}">${linked}: ${prose(1, "en", seed, number, at, "related")}</a></li>`
    })
    return [...parts, `<h3>${title}</h3><ul>${list.join("\n")}</ul>`]
  },
  "session ids": (parts, { number, seed }) => {
    const id = hex(24, seed, number, "session")
    const form = Math.floor(fraction(seed, "session") * 3)
    return parts.map((html) =>
      html.replaceAll(/href="(\/[^"]*)"/g, (_, path: string) =>
        form === 0
          ? `href="${path}?sid=${id}"`
          : form === 1
            ? `href="${path}?x=${id}&lang=en"`
            : `href="/s/${id}${path}"`
      )
    )
  },
  order: (parts, { number, seed }) =>
    parts.map((html) =>
      html.startsWith("<ul>")
        ? `<ul>${shuffled(html.slice(4, -5).split("\n"), seed, number).join("\n")}</ul>`
        : html.startsWith("<table>")
          ? html.replace(/(?<=<\/th><\/tr>).*(?=<\/table>)/s, (rows) =>
              shuffled(rows.split("\n"), seed, number).join("\n")
            )
          : html
    ),
  "image addresses": (parts, { number, seed }) =>
    inserted(
      parts.map((html) => html.replace("<p>By ", `<p><img src="/i/${hex(10, seed, number)}.jpg" alt="portrait"> By `)),
      `<p><img src="https://cdn.example/${hex(12, seed, number)}/hero.webp?v=${number}" alt="The workshop at noon"></p>`,
      2
    ),
  testimonials: (parts, { number, seed }) => {
    const quote = `${prose(whole(1, 2, seed, number, "quote"), "en", seed, number, "quote")}`
    const forms = [
      `<h3>What our customers say</h3><blockquote><p>${quote}</p></blockquote><p>${person(seed, number)}</p>`,
      `<blockquote><p>“${quote}” – ${person(seed, number)}</p></blockquote>`
    ]
    return inserted(parts, forms[Math.floor(fraction(seed, "testimonial") * 2)] ?? "", Math.max(2, parts.length - 2))
  },
  "live figures": (parts, { number, seed }) => {
    const value = between(1, 2, seed, number, "rate").toFixed(4)
    const forms = [
      `<ul><li>EUR/USD ${value}</li><li>Gold ${whole(1800, 2400, seed, number, "gold")}.${whole(10, 99, seed, number)}</li></ul>`,
      `<p>Currently ${whole(-5, 30, seed, number, "degrees")} °C and ${pick(["sunny", "cloudy", "windy", "clear"], seed, number)} in ${pick(["Hamburg", "Porto", "Turku"], seed, "city")}</p>`,
      `<p>${whole(3, 900, seed, number, "online")} people are looking at this page</p>`
    ]
    return inserted(parts, forms[Math.floor(fraction(seed, "figures") * forms.length)] ?? "", 2)
  },
  "request ids": (parts, { number, seed }) => [
    ...parts,
    pick(
      [
        `<p>Request ID: ${hex(16, seed, number)}</p>`,
        `<p>Served by node-${hex(4, seed, number)} in ${whole(20, 400, seed, number, "ms")} ms</p>`,
        `<p>Reference #${hex(8, seed, number)}.${whole(1_000_000, 9_999_999, seed, number, "reference")}</p>`
      ],
      seed,
      "ids"
    )
  ],
  "wording tests and notices": (parts, { number, seed }) => {
    const isB = chance(0.5, seed, number, "variant")
    const call = isB
      ? '<p><a href="/join">Start your free month</a></p>'
      : '<p><a href="/join">Try it without a card</a></p>'
    const banner = chance(0.5, seed, number, "banner")
      ? ['<p>We use cookies to improve your visit. <a href="/cookies">Settings</a></p>']
      : []
    return [...banner, ...inserted(parts, call, 3)]
  },
  markup: (parts, { number, seed }) =>
    parts.map((html, at) => {
      const form = whole(0, 3, seed, number, at, "markup")
      if (form === 0) return `<div class="c-${hex(6, seed, number, at)}">${html}</div>`
      if (form === 1) return html.replaceAll("<strong>", "<b>").replaceAll("</strong>", "</b>").replaceAll(". ", ".  ")
      if (form === 2) return html.replaceAll("'", "’").replaceAll(" – ", " — ").replaceAll(" and ", "&nbsp;and ")
      return html
    })
}

// ---- changes that matter

export const changeKinds = [
  "price",
  "text added",
  "text removed",
  "word changed",
  "heading",
  "item added",
  "cell",
  "availability",
  "link target",
  "date of an event"
] as const
export type ChangeKind = (typeof changeKinds)[number]

const replaceOne = (
  parts: ReadonlyArray<Part>,
  role: Part["role"],
  edit: (html: string) => string,
  seed: string
): ReadonlyArray<Part> => {
  const places = parts.flatMap((part, at) => (part.role === role ? [at] : []))
  const chosen = places[Math.floor(fraction(seed, "chosen") * places.length)]
  return parts.map((part, at) => (at === chosen ? { ...part, html: edit(part.html) } : part))
}

const changes: Readonly<Record<ChangeKind, (parts: ReadonlyArray<Part>, seed: string) => ReadonlyArray<Part>>> = {
  price: (parts, seed) =>
    replaceOne(parts, "price", (html) => html.replace(/€[\d.]+/, `€${money(seed, "new price")}`), seed),
  "text added": (parts, seed) =>
    replaceOne(
      parts,
      "text",
      (html) => `${html}<p>${prose(whole(1, 3, seed, "sentences"), "en", seed, "new text")} See you there.</p>`,
      seed
    ),
  "text removed": (parts, seed) => replaceOne(parts, "text", () => "", seed),
  "word changed": (parts, seed) =>
    replaceOne(
      parts,
      "text",
      (html) => {
        const words = html.replace(/<\/?p>/g, "").split(" ")
        const at = whole(0, words.length - 1, seed, "word")
        return `<p>${words.map((word, index) => (index === at ? pick(["never", "twelve", "closed", "Lisbon"], seed) : word)).join(" ")}</p>`
      },
      seed
    ),
  heading: (parts, seed) =>
    replaceOne(
      parts,
      "heading",
      (html) => html.replace(/ \w+<\/h2>/, ` ${pick(["Harbour", "Winter", "Copper"], seed)} rules</h2>`),
      seed
    ),
  "item added": (parts, seed) =>
    replaceOne(parts, "items", (html) => html.replace("<ul>", `<ul>${item(seed, "new item")}\n`), seed),
  cell: (parts, seed) =>
    replaceOne(parts, "table", (html) => html.replace(/\d+ kg/, `${whole(100, 300, seed, "new weight")} kg`), seed),
  availability: (parts, seed) => replaceOne(parts, "stock", (html) => html.replace("In stock", "Sold out"), seed),
  "link target": (parts, seed) =>
    replaceOne(parts, "download", (html) => html.replace(/[\d.]+\.zip/, `${version(seed, "new")}.1.zip`), seed),
  "date of an event": (parts, seed) =>
    replaceOne(
      parts,
      "event",
      (html) => html.replace(/\d+ \w+ 2031/, eventDate(seed, "moved").replace("2031", "2032")),
      seed
    )
}

// ---- pages

const navigation = `<header><nav><a href="/">Home</a> <a href="/news">News</a> <a href="/shop">Shop</a> <a href="/about">About us</a></nav></header>`

/** A page as a server sends it at a fetch. */
export const pageAt = (
  seed: string,
  {
    at,
    change,
    noise,
    number
  }: Omit<Fetch, "seed"> & { readonly noise: ReadonlyArray<NoiseKind>; readonly change?: ChangeKind | undefined }
): string => {
  const plain = partsOf(seed)
  const parts = change === undefined ? plain : changes[change](plain, seed)
  const noisy = noise.reduce<ReadonlyArray<string>>(
    (made, kind) => noises[kind](made, { seed, number, at }),
    parts.map(({ html }) => html)
  )
  return `<!doctype html><html lang="en"><head><title>Page</title></head><body>${navigation}<main><article>${noisy.join("\n")}</article></main><footer><p>© 2026 The workshop</p></footer></body></html>`
}

/** Kinds of noise of a case: the first by its number, and three that its seed chooses. */
export const noiseOf = (seed: string, index: number): ReadonlyArray<NoiseKind> => {
  const more = shuffled(noiseKinds, seed, "noise").slice(0, 3)
  const wanted = new Set<string>([noiseKinds[index % noiseKinds.length] ?? "clock", ...more])
  // The markup comes last, so that it also changes that of other noise.
  return noiseKinds.filter((kind) => wanted.has(kind))
}
