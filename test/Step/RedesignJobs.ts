/** Simulated job boards and calendars of events. */
import { pick, whole } from "../Health/Random.ts"
import { day, euros, facts, firm, h, ld, long, round, type Site, text, town } from "./RedesignBox.ts"

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
export const jobs: ReadonlyArray<Site> = [
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
  }
]
