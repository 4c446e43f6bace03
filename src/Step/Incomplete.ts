/** Reasons why a step did not return every row of its source, and their wording in warnings. */

const words = {
  limit: "it reached its limit",
  depth: "it left out links that are too deep",
  time: "it ran out of time",
  budget: "the budget cut it",
  trial: "only some rows were asked for (--limit)",
  wanted: "later steps needed no more of its rows",
  failed: "some of its rows or pages failed",
  job: "its job did not reach its end",
  robots: "robots.txt forbids pages that earlier runs have read",
  sitemap: "a sitemap could not be read",
  empty: "its sitemap lists no addresses",
  blank: "its input is empty",
  unread: "some of its input could not be read",
  ranking: "a search gives the best results, not all there are",
  latest: "a feed lists its latest entries, not all there are",
  sample: "it passes only a sample of the rows",
  seen: "it leaves out what earlier runs have seen",
  skipped: "it is switched off (when: false)",
  earlier: "an earlier version of Sluice began the run, and did not record what was left out",
  unknown: "it does not say whether it left something out"
} as const

/** Reason why a step did not return every row of its source. */
export type Reason = keyof typeof words

const known: ReadonlySet<string> = new Set(Object.keys(words))

const isReason = (text: string): text is Reason => known.has(text)

/** Reason as saved in a checkpoint; `unknown` for one that this version does not have. */
export const reasonOf = (text: string): Reason => (isReason(text) ? text : "unknown")

/** Advice for reasons that a user can do something about. */
const remedies: Partial<Record<Reason, string>> = {
  robots: "exclude them with excludePaths, otherwise removed pages cannot be detected"
}

const withRemedy = (reason: Reason): string => [words[reason], remedies[reason] ?? []].flat().join(": ")

/** Words the reasons of one step as the cause of missing rows: `robots.txt forbids pages that earlier runs have read`. */
export const causeOf = (reasons: Iterable<Reason>): string =>
  Array.from(reasons, (reason) => words[reason]).join(", and ")

/** Words the reasons of several steps: `crawl: it reached its limit; scrape: some of its rows or pages failed`. */
export const describe = (steps: Iterable<readonly [step: string, reasons: Iterable<Reason>]>): string =>
  Array.from(steps, ([step, reasons]) => `${step}: ${Array.from(reasons, withRemedy).join(", and ")}`).join("; ")

/** Warning, once per step, that the step cannot tell which rows were removed at the source. */
export const incompleteWarning = (step: string, why: string): string =>
  `${step}: not everything was read, so no row is reported as gone and no state is forgotten (${why})`
