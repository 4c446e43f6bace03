/** What follows a page once it is read: each effect gives its part of the document, all of them side by side. */
import * as Effect from "effect/Effect"
import type { Document } from "../../Api/Document.ts"
import type { Fetched } from "./Fetch.ts"
import type { Plan } from "./Plan.ts"
import type { Page, ScrapeFailure, ScrapeTarget } from "./Scraper.ts"

/** A page, and all that is known of how it came. */
export interface Subject {
  readonly target: ScrapeTarget
  readonly plan: Plan
  readonly fetched: Fetched
  readonly page: Page
  /** In milliseconds, when the request's timeout has passed. */
  readonly deadline: number
}

/** What an effect adds. */
export interface Part {
  readonly document?: Partial<Document> | undefined
  readonly warning?: string | undefined
  /** Beyond the price of the page. */
  readonly credits?: number | undefined
}

/** Undefined when the request doesn't ask for it; a failure is one of the whole scrape. */
export type Enrichment = (subject: Subject) => Effect.Effect<Part, ScrapeFailure> | undefined

const add = (page: Page, { credits, document, warning }: Part): Page => {
  const warnings = [page.document.warning, document?.warning, warning].filter((text) => typeof text === "string")
  return {
    ...page,
    document: { ...page.document, ...document, ...(warnings.length === 0 ? {} : { warning: warnings.join(" ") }) },
    credits: (page.credits ?? 0) + (credits ?? 0)
  }
}

/** The page with the parts of all effects. */
export const enrich = (
  subject: Subject,
  enrichments: ReadonlyArray<Enrichment>
): Effect.Effect<Page, ScrapeFailure> => {
  const asked = enrichments.flatMap((each) => each(subject) ?? [])
  return asked.length === 0
    ? Effect.succeed(subject.page)
    : Effect.map(Effect.all(asked, { concurrency: "unbounded" }), (parts) => parts.reduce(add, subject.page))
}
