/**
 * Charges of an endpoint: the goods that it sells, and the rate limit that its calls count against. Every endpoint is annotated with both.
 *
 * The engine has a price for each good (`prices` in Usage.ts). Clients reserve credits by the same names.
 */
import * as Context from "effect/Context"

/** Priced goods. Pages, files, maps and previews are counted one by one, searches per ten results begun, sessions per minute begun. */
export type Good =
  | "scrape"
  | "crawlPage"
  | "batchPage"
  /** Surcharge for a page or file from which a language model reads JSON. */
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
 * - `lookup`: only reads or writes the store, or starts a job that then runs under its own limits.
 */
export type CallKind = "work" | "lookup"

/** Goods that a call of the endpoint may sell; empty for a free endpoint. */
export class Goods extends Context.Tag("sluice/Api/Charges/Goods")<Goods, ReadonlyArray<Good>>() {}

export class RateClass extends Context.Tag("sluice/Api/Charges/RateClass")<RateClass, CallKind>() {}

/** Annotations of an endpoint: `.annotateContext(charges("work", "map"))`. */
export const charges = (kind: CallKind, ...goods: ReadonlyArray<Good>): Context.Context<Goods | RateClass> =>
  Context.add(Context.make(Goods, goods), RateClass, kind)
