/** HTML as a page: its text in every notation, its links, what it says of itself. */
import * as Effect from "effect/Effect"
import type { Metadata } from "../../../Api/Document.ts"
import type { TimedOut, Unprocessable } from "../../../Api/Errors.ts"
import type { Wanted } from "../../Html/Extract.ts"
import { crawlable } from "../../Html/PageUrls.ts"
import { detectLanguage } from "../../Html/TextAnalysis.ts"
import { publishedOf } from "../../Search/Published.ts"
import type { PageChore } from "../Chore.ts"
import { emptyFrame } from "../Obtain.ts"
import { readsMarkdown } from "../Plan.ts"
import type { Page } from "../Scraper.ts"
import type { Threads } from "../Threads.ts"
import { documentOf, fetchMetadata, isKept, type Source } from "./Source.ts"

const wantedOf = (source: Source): ReadonlySet<Wanted> => {
  const { formats } = source.plan
  const wanted = new Set<Wanted>()
  if (formats.has("markdown") || readsMarkdown(source.plan)) wanted.add("markdown")
  if (formats.has("html")) wanted.add("html")
  if (formats.has("images")) wanted.add("images")
  if (formats.has("summary") || isKept(source)) wanted.add("text")
  if (isKept(source)) wanted.add("facts")
  return wanted
}

const stillEmpty = "The page shows nothing, even after its scripts have run."

const tooLong = "The page is too long to be converted: only its text was kept."

const choreOf = (source: Source): PageChore => {
  const { fetched, plan } = source
  const { options } = plan
  return {
    kind: "page",
    bytes: fetched.body,
    contentType: fetched.headers["content-type"],
    options: {
      wanted: wantedOf(source),
      url: fetched.url,
      onlyMainContent: options.onlyMainContent,
      removeBase64Images: options.removeBase64Images,
      blockAds: options.blockAds,
      include: options.includeTags,
      exclude: options.excludeTags,
      onlyCleanContent: options.onlyCleanContent,
      attributes: plan.attributes.map(({ attribute, selector }) => ({ attribute, selector })),
      rawHtml: plan.formats.has("rawHtml")
    }
  }
}

/** Converts it, beside the others where it is large. */
export const fromHtml = (source: Source, threads: Threads): Effect.Effect<Page, TimedOut | Unprocessable> =>
  Effect.gen(function* () {
    const { fetched, plan } = source
    const found = yield* threads.run<"page">(choreOf(source), fetched.url, plan.options.timeout)
    const language =
      found.metadata.language ?? (yield* Effect.promise(() => detectLanguage(found.text ?? found.markdown ?? "")))
    const metadata: Metadata = {
      ...found.metadata,
      ...(language === undefined ? {} : { language }),
      ...fetchMetadata(source)
    }
    const empty =
      fetched.shown === undefined ? emptyFrame : fetched.shown.warning === undefined ? stillEmpty : undefined
    const warning = found.needsScript ? empty : found.onlyText ? tooLong : undefined
    return {
      document: documentOf(source, { ...found, metadata, warning }),
      url: fetched.url,
      statusCode: fetched.statusCode,
      links: crawlable(found.links),
      markdown: found.markdown,
      indexed: isKept(source)
        ? {
            title: found.title,
            description: found.description,
            text: found.text ?? "",
            published: publishedOf(found.metadata, found.facts?.dates, fetched.url),
            images: found.facts?.pictures
          }
        : undefined
    }
  })
