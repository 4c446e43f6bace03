/** Twenty simulated sites as trees of boxes: what their items are, how they show them, and the definition that reads them. */
import type { Extraction } from "../../src/Step/Extract/Repair.ts"
import { between, chance, name, person, pick, prose, whole } from "../Health/Random.ts"

type Attributes = Readonly<Record<string, string>>

/** An element. Its role is known to redesigns and never written into the page. */
export class Box {
  readonly tag: string
  readonly attributes: Attributes
  readonly children: ReadonlyArray<Box | string>
  readonly role: string
  constructor(tag: string, attributes: Attributes, children: ReadonlyArray<Box | string>, role = "") {
    this.tag = tag
    this.attributes = attributes
    this.children = children
    this.role = role
  }
}

type Part = Box | string | Attributes | undefined

/** `h("p.price.text-lg#now@price", "$12")`: tag, classes, id, and behind the @ the role. */
export const h = (shape: string, ...parts: ReadonlyArray<Part>): Box => {
  const [written = "", role] = shape.split("@")
  const names = (sign: string) => written.split(/(?=[.#])/).flatMap((each) => (each[0] === sign ? [each.slice(1)] : []))
  const [classes, [id]] = [names("."), names("#")]
  const attributes: Record<string, string> = {}
  if (id !== undefined) attributes.id = id
  if (classes.length > 0) attributes.class = classes.join(" ")
  const children: Array<Box | string> = []
  for (const part of parts) {
    if (part instanceof Box || typeof part === "string") children.push(part)
    else Object.assign(attributes, part)
  }
  return new Box(/^\w+/.exec(written)?.[0] ?? "div", attributes, children, role)
}

/** Values of an item by the names of the fields, and some that only the page shows. */
export type Item = Readonly<Record<string, string | number>>

export interface Site {
  readonly name: string
  readonly lang: string
  /** The definition of the step. With `rows` the site has lists, without it a page an item. */
  readonly definition: Extraction
  readonly item: (at: number) => Item
  /** The body of a page about these items; `more` are related ones. */
  readonly body: (items: ReadonlyArray<Item>, more: ReadonlyArray<Item>) => ReadonlyArray<Box>
}

const cents = (low: number, high: number, ...parts: ReadonlyArray<string | number>) =>
  Math.round(between(low, high, ...parts)) - 0.01
const dollars = (price: unknown) => `$${Number(price).toLocaleString("en-US", { minimumFractionDigits: 2 })}`
const euros = (price: unknown) => `${Number(price).toLocaleString("de-DE", { minimumFractionDigits: 2 })} €`
const round = (price: unknown) => `€${Number(price).toLocaleString("en-US")}`
const day = (...parts: ReadonlyArray<string | number>) =>
  new Date(Date.UTC(2025, 0, 1 + whole(0, 500, ...parts))).toISOString().slice(0, 10)
const long = (date: unknown, locale = "en-GB") =>
  new Date(`${date}`).toLocaleDateString(locale, { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" })
const text = (value: unknown) => String(value)
const ld = (type: string, value: object) =>
  h(
    "script",
    { type: "application/ld+json" },
    JSON.stringify({ "@context": "https://schema.org", "@type": type, ...value })
  )
const towns = ["Aachen", "Bergen", "Cork", "Delft", "Eupen", "Faro", "Ghent", "Hasselt", "Izola", "Jena"] as const
const town = (...parts: ReadonlyArray<string | number>) => pick([...towns], ...parts, "town")
const firm = (...parts: ReadonlyArray<string | number>) =>
  `${pick(["Nordlicht", "Bluewater", "Kestrel", "Ostwind", "Larch", "Pinion", "Harrow"], ...parts, "firm")} ${pick(["GmbH", "Ltd", "BV", "AG"], ...parts, "form")}`
const goods = (site: string) => (at: number) => {
  const price = cents(12, 900, site, at, "price")
  return {
    title: `${name(site, at)} ${whole(100, 999, site, at, "model")}`,
    price,
    old: chance(0.5, site, at, "sale") ? Math.round(price * between(1.05, 1.5, site, at, "old")) - 0.01 : 0,
    sku: `${pick(["AB", "KX", "TR"], site, at, "series")}-${whole(10_000, 99_999, site, at, "sku")}`,
    weight: `${whole(1, 90, site, at, "weight") / 2} kg`,
    brand: firm(site, at),
    url: `https://${site}.example/p/${at}`,
    text: prose(2, "en", site, at)
  }
}
const facts = (rows: ReadonlyArray<readonly [string, unknown]>) =>
  rows.flatMap(([label, value]) => [
    h("dt.facts__term.text-sm@label", label),
    h("dd.facts__value.font-medium", text(value))
  ])
const lines = (rows: ReadonlyArray<readonly [string, unknown]>) =>
  rows.map(([label, value]) => h("tr", h("th@label", { scope: "row" }, label), h("td.data", text(value))))
const cells = (values: ReadonlyArray<Box | string>) => values.map((value) => h("td", value))
const header = (labels: ReadonlyArray<string>) => h("thead", h("tr", ...labels.map((label) => h("th@label", label))))

const shops: ReadonlyArray<Site> = [
  {
    name: "classic-shop",
    lang: "en",
    definition: {
      fields: {
        title: "main > div > h1.page-title",
        price: { css: ".final .price", as: "price" },
        sku: "[itemprop=sku]",
        weight: { label: "Weight" }
      }
    },
    item: goods("classic-shop"),
    body: ([item = {}], more) => [
      h(
        "main.page-main#maincontent@main",
        h("div.product-title-wrap@block", h("h1.page-title", h("span.base", { itemprop: "name" }, text(item.title)))),
        h(
          "div.product-info-price@block",
          ...(item.old ? [h("span.old-price", "Was ", h("span.price@price", dollars(item.old)))] : []),
          h("span.final", { itemprop: "offers" }, h("span.price@price", dollars(item.price)))
        ),
        h(
          "div.product.attribute.sku@block",
          h("strong.type@label", "SKU"),
          h("div.value", { itemprop: "sku" }, text(item.sku))
        ),
        h(
          "table.data.additional-attributes@block",
          h(
            "tbody",
            ...lines([
              ["Brand", item.brand],
              ["Weight", item.weight]
            ])
          )
        )
      ),
      h(
        "section.block.related@related",
        h("h2", "Related products"),
        ...more.map((each) =>
          h(
            "div.product-item",
            h("a.product-item-link", { href: text(each.url) }, text(each.title)),
            h("span.final", h("span.price@price", dollars(each.price)))
          )
        )
      )
    ]
  },
  {
    name: "utility-shop",
    lang: "en",
    definition: {
      fields: {
        title: "div.mx-auto > div:nth-child(1) > h1",
        price: { data: "Product.offers.price", as: "price" },
        brand: { data: "Product.brand.name" },
        sku: { data: "Product.sku" },
        weight: { css: "ul.specs li:nth-child(2) span:nth-child(2)" }
      }
    },
    item: goods("utility-shop"),
    body: ([item = {}], more) => [
      ld("Product", {
        name: item.title,
        sku: item.sku,
        brand: { "@type": "Brand", name: item.brand },
        offers: { "@type": "Offer", price: item.price, priceCurrency: "USD" }
      }),
      h(
        "div.mx-auto.max-w-7xl.px-4@main",
        h(
          "div.flex.items-center.gap-2@block",
          h("a.text-sm.text-gray-500", { href: "/brand" }, text(item.brand)),
          h("h1.text-3xl.font-bold", text(item.title))
        ),
        h(
          "div.mt-4.flex@block",
          h("p.text-2xl.tracking-tight@price", dollars(item.price)),
          ...(item.old
            ? [h("s.text-sm.text-gray-400@price", dollars(item.old)), h("span.badge.bg-red-100", "Sale")]
            : [])
        ),
        h(
          "ul.specs.mt-6@block",
          h("li.flex.py-2", h("span.w-32@label", "Article number"), h("span.font-mono", text(item.sku))),
          h("li.flex.py-2", h("span.w-32@label", "Weight"), h("span.font-mono", text(item.weight)))
        ),
        h("p.prose.mt-8@block", text(item.text))
      ),
      h(
        "div.grid.grid-cols-4@related",
        h("h2.text-xl", "You may also like"),
        ...more.map((each) =>
          h(
            "a.group",
            { href: text(each.url) },
            h("h3.text-sm", text(each.title)),
            h("p.text-lg@price", dollars(each.price))
          )
        )
      )
    ]
  },
  {
    name: "module-shop",
    lang: "de",
    definition: {
      fields: {
        title: { css: "[data-testid=product-title]" },
        price: { css: ".Price_now__Zx9cv", as: "price" },
        sku: "#article-number",
        weight: { label: "Gewicht" }
      }
    },
    item: goods("module-shop"),
    body: ([item = {}], more) => [
      h(
        "div.Product_root__x1Yz2@main",
        h(
          "div.Product_head__a8Kd3@block",
          h("h1.Product_title__k2L9s", { "data-testid": "product-title" }, text(item.title)),
          h("span.Product_brand__9dKw1", text(item.brand))
        ),
        h(
          "div.Price_box__Qw3rt@block",
          h("span.Price_now__Zx9cv#product-price@price", euros(item.price)),
          ...(item.old
            ? [
                h("span.Price_was__Po1iu@price", euros(item.old)),
                h("span.Price_saving__Lk2jh@price", euros(Number(item.old) - Number(item.price)))
              ]
            : [])
        ),
        h(
          "dl.Facts_list__m2Nb4@block",
          ...facts([
            ["Gewicht", item.weight],
            ["Marke", item.brand]
          ])
        ),
        h(
          "p.Product_number__t5Gh6@block",
          h("span@label", "Artikelnummer"),
          " ",
          h("span#article-number", text(item.sku))
        )
      ),
      h(
        "aside.Similar_root__b4Vc5@related",
        ...more.map((each) =>
          h(
            "a.Similar_card__n7Mj8",
            { href: text(each.url) },
            h("span.Similar_title__u6Yt7", text(each.title)),
            h("span.Price_now__Zx9cv@price", euros(each.price))
          )
        )
      )
    ]
  },
  {
    name: "woo-list",
    lang: "en",
    definition: {
      rows: "li.product",
      fields: {
        title: "h2.woocommerce-loop-product__title",
        price: [
          { css: ".price ins .amount", as: "price" },
          { css: ".price > .amount", as: "price" }
        ],
        url: { css: "a.woocommerce-LoopProduct-link", attr: "href" }
      }
    },
    item: goods("woo-list"),
    body: (items, more) => [
      h(
        "ul.products.columns-4@main",
        ...items.map((each) =>
          h(
            "li.product.type-product@row",
            h(
              "a.woocommerce-LoopProduct-link@block",
              { href: text(each.url) },
              h("h2.woocommerce-loop-product__title", text(each.title))
            ),
            h(
              "span.price@block",
              ...(each.old
                ? [
                    h("del", h("span.amount@price", dollars(each.old))),
                    " ",
                    h("ins", h("span.amount@price", dollars(each.price)))
                  ]
                : [h("span.amount@price", dollars(each.price))])
            ),
            h("a.button.add_to_cart_button@block", { href: `?add=${each.sku}` }, "Add to cart")
          )
        )
      ),
      h(
        "div.widget.best-sellers@related",
        h("h3", "Best sellers"),
        h(
          "ul",
          ...more.map((each) =>
            h("li", h("a", { href: text(each.url) }, text(each.title)), h("span.amount@price", dollars(each.price)))
          )
        )
      )
    ]
  },
  {
    name: "electronics-list",
    lang: "de",
    definition: {
      rows: "div.artikel",
      fields: {
        title: ".artikel__name",
        price: { css: ".artikel__preis", as: "price" },
        sku: { label: "Art.-Nr." },
        weight: { css: "[data-spec=weight]" }
      }
    },
    item: goods("electronics-list"),
    body: (items) => [
      h(
        "div.ergebnisse#liste@main",
        ...items.map((each) =>
          h(
            "div.artikel.card.mb-3@row",
            h("h3.artikel__name@block", text(each.title)),
            h(
              "div.artikel__daten@block",
              h("p", h("b@label", "Art.-Nr.", ":"), " ", h("span", text(each.sku))),
              h("p", { "data-spec": "weight" }, text(each.weight))
            ),
            h(
              "div.artikel__kauf@block",
              h("span.artikel__preis@price", euros(each.price)),
              ...(each.old ? [h("small.artikel__uvp", "UVP ", h("span@price", euros(each.old)))] : [])
            )
          )
        )
      )
    ]
  }
]

const story = (site: string) => (at: number) => {
  const date = day(site, at)
  return {
    title: `${pick(["Council", "Harbour", "School", "Library", "Railway", "Museum"], site, at, "who")} ${pick(["opens", "closes", "rebuilds", "sells", "paints"], site, at, "does")} ${name(site, at).toLowerCase()} no. ${whole(2, 99, site, at, "n")}`,
    author: person(site, at),
    date,
    // A third is as it was published.
    updated: chance(0.35, site, at, "same") ? date : day(site, at, "updated"),
    section: pick(["Local", "Culture", "Sport", "Economy"], site, at, "section"),
    replies: whole(3, 400, site, at, "replies"),
    url: `https://${site}.example/s/${at}`,
    text: prose(3, "en", site, at)
  }
}

const texts: ReadonlyArray<Site> = [
  {
    name: "news-page",
    lang: "en",
    definition: {
      fields: {
        title: "article h1",
        author: { css: "[itemprop=author]" },
        date: { css: "[itemprop=datePublished]", as: "date" },
        section: ".kicker"
      }
    },
    item: story("news-page"),
    body: ([item = {}], more) => [
      h(
        "article.story@main",
        { itemscope: "", itemtype: "https://schema.org/NewsArticle" },
        h(
          "header.story-head@block",
          h("span.kicker", text(item.section)),
          h("h1", { itemprop: "headline" }, text(item.title))
        ),
        h(
          "div.byline.text-xs@block",
          "By ",
          h("a.author-link", { href: "/team", itemprop: "author" }, text(item.author)),
          h("time.published", { datetime: `${item.date}T08:00:00Z`, itemprop: "datePublished" }, long(item.date)),
          h("span.upd", "Updated ", h("time.updated", { datetime: `${item.updated}T09:30:00Z` }, long(item.updated)))
        ),
        h("div.story-body@block", h("p", text(item.text)), h("p", "Photo: ", h("b", person(text(item.title)))))
      ),
      h(
        "aside.more-stories@related",
        h("h2", "More stories"),
        ...more.map((each) =>
          h(
            "article.mini",
            h("h1", h("a", { href: text(each.url) }, text(each.title))),
            h("span.kicker", text(each.section)),
            h("time.published", { datetime: text(each.date) }, long(each.date)),
            h("span.author", text(each.author))
          )
        )
      )
    ]
  },
  {
    name: "news-list",
    lang: "en",
    definition: {
      rows: "div.stream > article",
      fields: {
        title: "h3",
        url: { css: "h3 a", attr: "href" },
        date: { css: "time", as: "date" },
        author: ".teaser__author",
        section: "[itemprop=articleSection]"
      }
    },
    item: story("news-list"),
    body: (items, more) => [
      h(
        "div.stream@main",
        ...items.map((each) =>
          h(
            "article.teaser@row",
            h("div.teaser__section@block", { itemprop: "articleSection" }, text(each.section)),
            h("h3@block", h("a", { href: text(each.url) }, text(each.title))),
            h(
              "p.teaser__meta@block",
              h("time", { datetime: text(each.date) }, long(each.date)),
              " · ",
              h("span.teaser__author", text(each.author))
            )
          )
        )
      ),
      h(
        "aside.most-read@related",
        h(
          "ol",
          ...more.map((each) =>
            h(
              "li",
              h("a", { href: text(each.url) }, text(each.title)),
              h("time", { datetime: text(each.date) }, long(each.date))
            )
          )
        )
      )
    ]
  },
  {
    name: "docs-list",
    lang: "en",
    definition: {
      rows: "section.pkg",
      fields: {
        title: "code.pkg-name",
        version: "section > h2 > b",
        licence: { label: "Licence" },
        date: { css: ".released", as: "date" }
      }
    },
    item: (at) => ({
      title: `@${pick(["larch", "kestrel", "pinion"], "docs", at)}/${pick(["queue", "table", "parse", "log"], "docs", at, "b")}-${whole(2, 99, "docs", at)}`,
      version: `${whole(0, 9, "docs", at, "x")}.${whole(0, 30, "docs", at, "y")}.${whole(0, 9, "docs", at, "z")}`,
      licence: pick(["MIT", "ISC", "Apache-2.0", "BSD-3-Clause"], "docs", at, "l"),
      date: day("docs", at)
    }),
    body: (items) => [
      h(
        "div.packages@main",
        ...items.map((each) =>
          h(
            "section.pkg@row",
            h("h2.pkg-head@block", h("code.pkg-name", text(each.title)), h("b.version", text(each.version))),
            h("dl.pkg-facts@block", ...facts([["Licence", each.licence]])),
            h("span.released@block", long(each.date))
          )
        )
      )
    ]
  },
  {
    name: "forum-list",
    lang: "en",
    definition: {
      rows: "table.topics tbody tr",
      fields: {
        title: "td.title a",
        url: { css: "td.title a", attr: "href" },
        author: "td:nth-child(2)",
        replies: { css: "td:nth-child(3)", as: "integer" },
        updated: { css: "td:nth-child(4)", as: "date" }
      }
    },
    item: story("forum-list"),
    body: (items) => [
      h(
        "table.topics@main",
        header(["Topic", "Author", "Replies", "Last post"]),
        h(
          "tbody",
          ...items.map((each) =>
            h(
              "tr@row",
              h("td.title", h("a", { href: text(each.url) }, text(each.title))),
              ...cells([h("a", { href: "/u" }, text(each.author)), text(each.replies), long(each.updated)])
            )
          )
        )
      )
    ]
  },
  {
    name: "recipe-page",
    lang: "en",
    definition: {
      fields: {
        title: "[itemprop=name]",
        author: { data: "Recipe.author" },
        servings: { css: "[itemprop=recipeYield]" },
        calories: { label: "Calories" },
        date: { css: "div.recipe-by > span:nth-child(2)", as: "date" }
      }
    },
    item: (at) => ({
      title: `${pick(["Baked", "Cold", "Smoked", "Sweet"], "recipe", at)} ${pick(["leek", "trout", "plum", "barley", "beet"], "recipe", at, "b")} ${pick(["soup", "pie", "salad", "bread"], "recipe", at, "c")} ${whole(2, 9, "recipe", at, "n")}`,
      author: person("recipe", at),
      servings: `${whole(2, 12, "recipe", at, "s")} servings`,
      calories: `${whole(120, 900, "recipe", at, "k")} kcal`,
      date: day("recipe", at),
      url: `https://recipe.example/r/${at}`
    }),
    body: ([item = {}], more) => [
      h(
        "div.recipe#recipe@main",
        { itemscope: "", itemtype: "https://schema.org/Recipe" },
        h("h1.recipe-title@block", { itemprop: "name" }, text(item.title)),
        h(
          "div.recipe-by@block",
          h("span.recipe-author", { itemprop: "author" }, text(item.author)),
          h("span.recipe-date", long(item.date))
        ),
        h(
          "ul.recipe-facts@block",
          h("li", h("strong@label", "Yield", ":"), " ", h("span", { itemprop: "recipeYield" }, text(item.servings))),
          h("li", h("strong@label", "Calories", ":"), " ", h("span.kcal", text(item.calories)))
        )
      ),
      h(
        "div.recipe-more@related",
        ...more.map((each) =>
          h(
            "div.recipe-card",
            h("a", { href: text(each.url) }, text(each.title)),
            h("span.recipe-author", text(each.author)),
            h("span.recipe-date", long(each.date))
          )
        )
      )
    ]
  }
]

const job = (site: string) => (at: number) => ({
  title: `${pick(["Senior", "Junior", "Lead"], site, at)} ${pick(["Welder", "Nurse", "Analyst", "Baker", "Tutor"], site, at, "j")} (${whole(100, 999, site, at, "n")})`,
  company: firm(site, at),
  city: town(site, at),
  salary: whole(300, 900, site, at, "salary") * 100,
  code: `J${whole(10_000, 99_999, site, at, "code")}`,
  posted: day(site, at, "posted"),
  date: day(site, at, "date"),
  price: whole(12, 95, site, at, "price"),
  url: `https://${site}.example/j/${at}`
})
const home = (site: string) => (at: number) => ({
  title: `${whole(2, 6, site, at, "r")}-room ${pick(["flat", "house", "loft"], site, at)} at ${person(site, at).split(" ")[1]} Street ${whole(1, 99, site, at, "n")}`,
  price: whole(90, 900, site, at, "price") * 1000,
  old: chance(0.3, site, at, "old") ? whole(910, 990, site, at, "was") * 1000 : 0,
  area: `${whole(40, 240, site, at, "area")} m²`,
  city: town(site, at),
  code: `H-${whole(1000, 9999, site, at, "code")}`,
  url: `https://${site}.example/h/${at}`
})
const company = (site: string) => (at: number) => ({
  title: `${firm(site, at)} ${person(site, at).split(" ")[1]} ${whole(2, 99, site, at, "n")}`,
  number: `HRB ${whole(10_000, 99_999, site, at, "hrb")}`,
  city: town(site, at),
  founded: day(site, at, "founded"),
  updated: day(site, at, "updated"),
  capital: whole(25, 900, site, at, "capital") * 1000
})
const book = (site: string) => (at: number) => ({
  title: `${name(site, at)}: ${pick(["A History", "Letters", "Essays", "A Novel"], site, at, "kind")} ${whole(1, 40, site, at, "n")}`,
  author: person(site, at),
  isbn: `978-3-${whole(10_000, 99_999, site, at, "a")}-${whole(100, 999, site, at, "b")}-${whole(0, 9, site, at, "c")}`,
  year: whole(1950, 2025, site, at, "year"),
  shelf: `${pick(["K", "L", "P"], site, at, "shelf")} ${whole(100, 999, site, at, "d")}.${whole(1, 99, site, at, "e")}`,
  url: `https://${site}.example/b/${at}`
})

const registers: ReadonlyArray<Site> = [
  {
    name: "job-list",
    lang: "en",
    definition: {
      rows: "#results > li",
      fields: {
        title: "h2 a",
        url: { css: "h2 a", attr: "href" },
        company: "[itemprop=hiringOrganization]",
        city: ".location",
        salary: { css: ".salary", as: "price" }
      }
    },
    item: job("job-list"),
    body: (items, more) => [
      h(
        "ul.jobs#results@main",
        ...items.map((each) =>
          h(
            "li.job@row",
            h("h2@block", h("a", { href: text(each.url) }, text(each.title))),
            h(
              "div.flex@block",
              h("span.company.font-semibold", { itemprop: "hiringOrganization" }, text(each.company)),
              h("span.location", text(each.city))
            ),
            h("div.salary@block", h("span@price", round(each.salary)), " a year")
          )
        )
      ),
      h(
        "div.promoted@related",
        ...more.map((each) =>
          h(
            "div.ad",
            h("h2", h("a", { href: text(each.url) }, text(each.title))),
            h("span.company", text(each.company)),
            h("span.location", text(each.city))
          )
        )
      )
    ]
  },
  {
    name: "job-page",
    lang: "en",
    definition: {
      fields: {
        title: ".job-title",
        company: { data: "JobPosting.hiringOrganization.name" },
        city: { label: "Location" },
        salary: { label: "Salary", as: "price" },
        code: "#job-ref",
        posted: { data: "JobPosting.datePosted", as: "date" }
      }
    },
    item: job("job-page"),
    body: ([item = {}], more) => [
      ld("JobPosting", {
        title: item.title,
        datePosted: item.posted,
        hiringOrganization: { "@type": "Organization", name: item.company }
      }),
      h(
        "main.job-detail@main",
        h(
          "div.job-head@block",
          h("h1.job-title", text(item.title)),
          h("a.employer", { href: "/employers" }, text(item.company))
        ),
        h(
          "dl.facts@block",
          ...facts([
            ["Location", item.city],
            ["Salary", round(item.salary)],
            ["Start", long(item.date)],
            ["Posted", long(item.posted)]
          ])
        ),
        h("p.reference@block", "Quote ", h("em#job-ref", text(item.code)), " when you apply.")
      ),
      h(
        "section.similar@related",
        h("h2", "Similar jobs"),
        ...more.map((each) =>
          h(
            "div.similar-job",
            h("h3.job-title", text(each.title)),
            h("span.employer", text(each.company)),
            h("span.similar-city", text(each.city)),
            h("span.similar-pay@price", round(each.salary))
          )
        )
      )
    ]
  },
  {
    name: "register-page",
    lang: "en",
    definition: {
      fields: {
        title: "#entry h1",
        number: { label: "Register number" },
        city: { label: "Seat" },
        founded: { css: "tr:nth-child(3) td", as: "date" },
        capital: { css: "td.data.capital", as: "price" }
      }
    },
    item: company("register-page"),
    body: ([item = {}], more) => [
      h(
        "div#entry@main",
        h("h1@block", text(item.title)),
        h(
          "table.table.table-striped@block",
          h(
            "tbody",
            ...lines([
              ["Register number", item.number],
              ["Seat", item.city],
              ["Founded", long(item.founded)],
              ["Last change", long(item.updated)]
            ]),
            h("tr", h("th@label", "Share capital"), h("td.data.capital@price", round(item.capital)))
          )
        )
      ),
      h(
        "div.neighbours@related",
        h("h2", "Others at this court"),
        ...more.map((each) =>
          h("p", h("b", text(each.title)), " ", h("i", text(each.number)), " ", h("i", text(each.city)))
        )
      )
    ]
  },
  {
    name: "register-list",
    lang: "en",
    definition: {
      rows: "#hits tbody tr",
      fields: {
        title: "td:nth-child(1)",
        number: "td:nth-child(2)",
        city: "td:nth-child(3)",
        founded: { css: "td:nth-child(4)", as: "date" }
      }
    },
    item: company("register-list"),
    body: (items) => [
      h(
        "table#hits.table@main",
        header(["Company", "Number", "Seat", "Founded", "Changed"]),
        h(
          "tbody",
          ...items.map((each) =>
            h(
              "tr@row",
              ...cells([
                h("b", text(each.title)),
                text(each.number),
                text(each.city),
                long(each.founded),
                long(each.updated)
              ])
            )
          )
        )
      )
    ]
  },
  {
    name: "event-list",
    lang: "de",
    definition: {
      rows: ".event-card",
      fields: {
        title: ".event-card__title",
        date: { css: "div:first-child", as: "date" },
        city: "address",
        price: { css: ".event-card__price", as: "price" }
      }
    },
    item: job("event-list"),
    body: (items) => [
      h(
        "div.row@main",
        ...items.map((each) =>
          h(
            "div.event-card.col-md-4@row",
            h("div.event-card__date@block", long(each.date, "de-DE")),
            h("h4.event-card__title@block", text(each.title)),
            h("address@block", text(each.city)),
            h("p.event-card__foot@block", "ab ", h("span.event-card__price@price", euros(each.price)))
          )
        )
      )
    ]
  },
  {
    name: "event-page",
    lang: "en",
    definition: {
      fields: {
        title: { meta: "og:title" },
        date: { data: "Event.startDate", as: "date" },
        city: { css: ".venue b" },
        price: { css: ".tickets .amount", as: "price" }
      }
    },
    item: job("event-page"),
    body: ([item = {}], more) => [
      ld("Event", { name: item.title, startDate: item.date, location: { "@type": "Place", name: item.city } }),
      h(
        "div.event@main",
        h("h1.event-title@block", text(item.title)),
        h(
          "p.when@block",
          h("time", { datetime: text(item.date) }, long(item.date)),
          " (on sale since ",
          h("time", { datetime: text(item.posted) }, long(item.posted)),
          ")"
        ),
        h("p.venue@block", "Where: ", h("b", text(item.city))),
        h("div.tickets@block", "From ", h("span.amount@price", `€${item.price}.00`))
      ),
      h(
        "div.nearby@related",
        ...more.map((each) =>
          h(
            "div.event-small",
            h("h3.event-title", text(each.title)),
            h("p.venue", h("b", text(each.city))),
            h("time", long(each.date)),
            h("div.tickets", h("span.amount@price", `€${each.price}.00`))
          )
        )
      )
    ]
  },
  {
    name: "home-page",
    lang: "en",
    definition: {
      fields: {
        title: "section > .address",
        price: { css: "strong.asking", as: "price" },
        area: { label: "Living area" },
        city: { css: "dd.facts__value:nth-of-type(2)" },
        code: { data: "RealEstateListing.identifier" }
      }
    },
    item: home("home-page"),
    body: ([item = {}], more) => [
      ld("RealEstateListing", { name: item.title, identifier: item.code }),
      h(
        "section.object.grid@main",
        h("h1.address@block", text(item.title)),
        h(
          "p.price-line@block",
          ...(item.old ? [h("del@price", round(item.old)), " "] : []),
          h("strong.asking@price", round(item.price))
        ),
        h(
          "dl.object-facts@block",
          ...facts([
            ["Living area", item.area],
            ["Town", item.city]
          ])
        ),
        h("div.ref@block", "Ref. ", h("span", text(item.code)))
      ),
      h(
        "section.nearby@related",
        ...more.map((each) =>
          h(
            "a.tile",
            { href: text(each.url) },
            h("span.address", text(each.title)),
            h("strong.asking@price", round(each.price)),
            h("span", text(each.area))
          )
        )
      )
    ]
  },
  {
    name: "home-list",
    lang: "en",
    definition: {
      rows: "[data-listing]",
      fields: {
        title: "a.listing-link",
        price: { css: "div:nth-child(2)", as: "price" },
        area: ".listing-facts span:nth-child(1)",
        city: ".listing-facts span:nth-child(2)"
      }
    },
    item: home("home-list"),
    body: (items, more) => [
      h(
        "div.listings@main",
        ...items.map((each) =>
          h(
            "div.listing@row",
            { "data-listing": text(each.code) },
            h("a.listing-link@block", { href: text(each.url) }, text(each.title)),
            h("div.listing-price@block", h("span@price", round(each.price))),
            h("div.listing-facts@block", h("span", text(each.area)), h("span", text(each.city)))
          )
        )
      ),
      h(
        "div.sold@related",
        ...more.map((each) =>
          h(
            "div.sold-item",
            h("a", { href: text(each.url) }, text(each.title)),
            h("div.sold-price@price", round(each.price))
          )
        )
      )
    ]
  },
  {
    name: "library-page",
    lang: "en",
    definition: {
      fields: {
        title: ".title",
        author: { label: "Author" },
        isbn: { data: "Book.isbn" },
        year: { label: "Published", as: "integer" },
        shelf: "#shelfmark"
      }
    },
    item: book("library-page"),
    body: ([item = {}], more) => [
      ld("Book", { name: item.title, isbn: item.isbn }),
      h(
        "div.record@main",
        h("h2.title@block", text(item.title)),
        h(
          "table.citation@block",
          h(
            "tbody",
            ...lines([
              ["Author", item.author],
              ["Published", item.year],
              ["ISBN", item.isbn]
            ])
          )
        ),
        h("div.holdings@block", h("span@label", "Shelfmark"), " ", h("tt#shelfmark", text(item.shelf)))
      ),
      h(
        "ul.similar-items@related",
        ...more.map((each) =>
          h(
            "li",
            h("a.title", { href: text(each.url) }, text(each.title)),
            h("span", text(each.author)),
            h("span", text(each.year))
          )
        )
      )
    ]
  },
  {
    name: "library-list",
    lang: "en",
    definition: {
      rows: "ol.hits > li",
      fields: {
        title: "cite",
        author: { css: "[itemprop=author]" },
        year: { css: ".year", as: "integer" },
        isbn: { css: "[itemprop=isbn]" }
      }
    },
    item: book("library-list"),
    body: (items) => [
      h(
        "ol.hits@main",
        ...items.map((each) =>
          h(
            "li.hit@row",
            { itemscope: "", itemtype: "https://schema.org/Book" },
            h("cite@block", { itemprop: "name" }, text(each.title)),
            h(
              "div.by@block",
              h("span.hit-author", { itemprop: "author" }, text(each.author)),
              ", ",
              h("span.year", text(each.year))
            ),
            h("div.ids@block", "ISBN ", h("span.isbn", { itemprop: "isbn" }, text(each.isbn)))
          )
        )
      )
    ]
  }
]

export const sites: ReadonlyArray<Site> = [...shops, ...texts, ...registers]
