/** `scrape`: reads one page for each row, or all pages of the list that it starts. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { PageUrl } from "../Api/Field.ts"
import { fields } from "../Api/ScrapeOptions.ts"
import { Scrape } from "../Client/Scrape.ts"
import * as Step from "../Step.ts"
import { sendable } from "./Access.ts"
import { optionsWithoutEffect, readInSession, Session } from "./BrowserSession.ts"
import { call, documentRow, pageKey, paid } from "./Call.ts"
import * as Cost from "./Cost.ts"
import * as Estimate from "./Estimate.ts"
import { perRow, rowUrl } from "./Field.ts"
import { loadFields, loadObjections, readLoaded, withLoading } from "./LoadMore.ts"
import { asMember, without } from "./Login.ts"
import { compile, Next, pagesAtMost, pagingObjections, readPage, rowOf, withHtml } from "./Paging.ts"
import * as Requirements from "./Requirements.ts"

/** With `session`, a page costs as much as parsing a file: the browser fetches it, and its content is parsed like a file. */
const cost = (fields: Requirements.Fields): Cost.Cost =>
  Requirements.mapping(fields).session === undefined ? Cost.page("scrape", fields) : Cost.page("parse", fields)

export const scrape = Step.make({
  key: "scrape",
  summary: "Scrapes one page for each row; the row becomes the document, `$source` is the incoming row.",
  example: `scrape:
  url: { expr: link }
  formats: [markdown]`,
  config: Schema.Struct({
    ...fields,
    ...loadFields,
    url: Schema.optionalWith(perRow(PageUrl), { default: rowUrl }).annotations({
      description: "Address of the page; without it, the row's field `url`."
    }),
    next: Schema.optional(Next).annotations({
      description:
        "Reads all pages of a list, each a row with `metadata.page`: a CSS selector of the link to the next page, or another way to find it."
    }),
    session: Schema.optional(Session.annotations({ description: "the output of a browser step" })).annotations({
      description:
        "Shows the pages in this browser session, with its cookies, and parses them like files; they do not enter the search index."
    }),
    login: without
  }).pipe(
    Schema.filter(({ login: _, session, url: __, ...options }) => {
      // A page in a session is parsed like a file, without the HTML in which the next page is found.
      const [idle] = session === undefined ? [] : optionsWithoutEffect(options)
      return idle === undefined || { path: [idle], message: `"${idle}" has no effect in a browser session: remove it` }
    })
  ),
  needs: (fields) => [...Requirements.scraping(fields), ...Requirements.reaching("url")(fields)],
  objections: (fields) => [
    ...Requirements.unknownFormats(fields),
    ...pagingObjections(fields),
    ...loadObjections(fields),
    ...(Requirements.mapping(fields).session === undefined ? [] : Requirements.formatsOfFiles(fields))
  ],
  cost,
  service: (fields) =>
    Requirements.mapping(fields).session === undefined
      ? { request: "POST /v2/scrape", documented: false }
      : { request: "POST /v2/parse", documented: true },
  estimate: (given) => {
    const { next } = Requirements.mapping(given.config)
    if (next === undefined) return Estimate.pagePerRow(given)
    const pages = Estimate.times(given.rows, { least: 1, most: pagesAtMost(next) })
    return { requests: pages, pages, rows: pages, buys: Estimate.bought(given.cost, pages) }
  },
  headers: ["headers"],
  formatsAt: ["formats"],
  takesOwnFormat: () => true,
  sites: Requirements.sitesOfRows,
  behaviour: {
    kind: "item",
    pages: true,
    apply: ({ login, next: _, session, url, ...own }, row, context) =>
      Effect.gen(function* () {
        const options = session === undefined ? yield* asMember(own, login, context) : own
        const client = yield* Scrape
        const address = yield* url.of(row, context.bindings(row))
        yield* sendable(address, context)
        const document = yield* paid(
          (key) =>
            session === undefined
              ? call(client.run({ ...withLoading(options), url: address }, key))
              : readInSession(session, address, options, key),
          // The key that the output row will have: a page that was seen is not gone, whatever becomes of its row.
          row.key ?? pageKey(address),
          cost({ session, ...options }),
          context
        )
        const data = yield* readLoaded(document, context)
        return { ...documentRow(data, { source: row.data, position: row.position }), key: row.key }
      }),
    follow: ({ login, next, session: _, url, ...options }) => {
      if (next === undefined) return undefined
      const { formats, isAdded } = withHtml(options.formats)
      const asked = { ...withLoading(options), formats }
      return (row, context, at) =>
        Effect.gen(function* () {
          const client = yield* Scrape
          const rejected = row.data[atPage]
          const start = isStart(rejected) ? rejected : { url: yield* url.of(row, context.bindings(row)), number: 1 }
          const ask = (address: string, name: string | undefined) =>
            Effect.zipRight(
              sendable(address, context),
              paid(
                (key) =>
                  Effect.flatMap(asMember(asked, login, context), (own) =>
                    call(client.run({ ...own, url: address }, key))
                  ),
                name === undefined ? (row.key ?? pageKey(address)) : pageKey(address),
                cost(options),
                context,
                name
              ).pipe(Effect.flatMap((document) => readLoaded(document, context)))
            )
          const { cursor, failure, page, place } = yield* readPage(
            { start, next: yield* compile(next), ask, at },
            context
          )
          const own = page && rowOf(page, isAdded, { source: row.data, position: row.position })
          return {
            rows: own === undefined ? [] : [page?.number === 1 ? { ...own, key: row.key ?? own.key } : own],
            // A replay continues at the page that failed.
            failures: failure && [
              [{ ...row, data: { ...row.data, [atPage]: place }, key: pageKey(place.url) }, failure]
            ],
            cursor,
            dropsAnswers: true
          }
        })
    }
  }
})

/** Field of a row that was rejected at a page of its list; holds that page. */
const atPage = "$page"

const isStart = Schema.is(Schema.Struct({ url: PageUrl, number: Schema.Number }))
