/**
 * Charges of an endpoint: the goods that it sells, and the rate limit that its calls count against. Every endpoint is annotated with both.
 *
 * A server books by the goods, and refuses to run without a price for each of them. Clients reserve by the same names.
 */
import * as Context from "effect/Context"

/** Priced goods: pages, files, maps and previews one by one, searches by ten results begun, sessions by minute begun. */
export type Good =
  | "scrape"
  | "crawlPage"
  | "batchPage"
  /** A page or file from which a language model reads JSON, beyond the page's own price. */
  | "jsonFormat"
  | "parse"
  | "map"
  | "search"
  | "searchZdr"
  | "searchAnon"
  | "crawlPreview"
  | "browser"

/**
 * - `work`: uses the web, a file or a model while the caller waits. A key may run a few of these calls at once, and queue some.
 * - `lookup`: reads or writes the store alone, or starts what runs afterwards under its own limits.
 */
export type CallKind = "work" | "lookup"

/** Goods that a call of the endpoint may sell; empty for a free one. */
export class Goods extends Context.Tag("sluice/Api/Charges/Goods")<Goods, ReadonlyArray<Good>>() {}

export class RateClass extends Context.Tag("sluice/Api/Charges/RateClass")<RateClass, CallKind>() {}

/** Annotations of an endpoint: `.annotateContext(charges("work", "map"))`. */
export const charges = (kind: CallKind, ...goods: ReadonlyArray<Good>): Context.Context<Goods | RateClass> =>
  Context.add(Context.make(Goods, goods), RateClass, kind)
