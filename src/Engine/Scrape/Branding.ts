/** Format `branding`: fetches the style sheets of the page, with the page's proxy and headers, and reads the brand from them. */
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { canParse } from "../../Api/Url.ts"
import { decodeText } from "../../Html/Charset.ts"
import type { Source } from "../Branding/BrandPage.ts"
import { kindOf } from "../Fetch/ContentKind.ts"
import type { Fetch } from "../Fetch/Fetch.ts"
import type { Enrichment, Subject } from "./ScrapedPage.ts"

/** Maximum style sheets per page, and maximum bytes of each. */
const maxSheets = 10
const maxBytes = 1024 * 1024

const concurrency = 4

/** Maximum milliseconds per style sheet. */
const maxTimeout = 10_000

/** Fetches a style sheet; empty if that fails. */
const load = (fetch: Context.Tag.Service<typeof Fetch>, { deadline, plan, target }: Subject) => {
  const { options, route } = plan
  return (href: string) =>
    Effect.gen(function* () {
      const left = deadline - (yield* Clock.currentTimeMillis)
      const { body, headers, statusCode } = yield* fetch.get({
        url: href,
        userAgent: target.userAgent,
        headers: options.headers,
        headersFor: target.headersFor ?? target.url,
        timeout: Math.max(1, Math.min(maxTimeout, left - 250)),
        skipTlsVerification: options.skipTlsVerification,
        acceptLanguage: route.acceptLanguage,
        proxy: route.proxy,
        session: route.session,
        maxBytes,
        truncate: true
      })
      return statusCode === 200 ? decodeText(body, headers["content-type"]).text : ""
    }).pipe(
      Effect.scoped,
      Effect.orElseSucceed(() => "")
    )
}

/** Fetches each linked style sheet once, and returns the texts of all sources in order. */
const collect = Effect.fnUntraced(function* (
  sources: ReadonlyArray<Source>,
  fetchText: (href: string) => Effect.Effect<string>
) {
  const linked = [...new Set(sources.flatMap((source) => ("href" in source ? [source.href] : [])))].slice(0, maxSheets)
  const texts = yield* Effect.forEach(linked, fetchText, { concurrency })
  const byHref = new Map(linked.map((href, at) => [href, texts[at] ?? ""] as const))
  return { byHref, texts: sources.map((source) => ("href" in source ? (byHref.get(source.href) ?? "") : source.text)) }
})

/** Creates the enrichment for `branding`. It fetches no style sheets if the page may only come from the cache. */
export const make =
  (fetch: Context.Tag.Service<typeof Fetch>): Enrichment =>
  (subject) => {
    const { fetched, page, plan } = subject
    if (!plan.formats.has("branding")) return undefined
    const { body, headers, url } = fetched
    if (page.statusCode >= 400 || kindOf(headers["content-type"], new URL(url).pathname, body)._tag !== "Html") {
      return Effect.succeed({ warning: "No branding was made: the response is not a page of the site." })
    }
    return Effect.gen(function* () {
      // Loaded with the first request for branding.
      const [{ brandOf }, { readPage, readSheets }] = yield* Effect.promise(() =>
        Promise.all([import("../Branding/Brand.ts"), import("../Branding/BrandPage.ts")])
      )
      const brandPage = readPage(decodeText(body, headers["content-type"]).text, url)
      const fetchText = plan.freshness.fetches ? load(fetch, subject) : () => Effect.succeed("")
      const { byHref, texts } = yield* collect(brandPage.sources, fetchText)
      const sheets = readSheets(texts)
      // Imported sheets come before the rules of the sheet that imports them. Nested imports are ignored.
      const imports = sheets.flatMap((sheet, at) => {
        const source = brandPage.sources[at]
        const base = source !== undefined && "href" in source ? source.href : url
        return sheet.imports.flatMap((href) => (canParse(href, base) ? [new URL(href, base).href] : []))
      })
      const more = [...new Set(imports)].filter((href) => !byHref.has(href)).slice(0, maxSheets - byHref.size)
      const imported = yield* Effect.forEach(more, fetchText, { concurrency })
      return { document: { branding: brandOf(brandPage, [...readSheets(imported), ...sheets]) } }
    })
  }
