/** Simulated news, documentation, forum and recipes. */
import { chance, name, person, pick, prose, whole } from "../Health/Random.ts"
import { cells, day, facts, h, header, long, type Site, text } from "./RedesignBox.ts"

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

export const texts: ReadonlyArray<Site> = [
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
