/**
 * `sluice extract --repair`: finds new sources for fields whose pages have changed, and proves them against the pipeline's last good rows.
 */

import * as FileSystem from "@effect/platform/FileSystem"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Scrape } from "../../Client/Scrape.ts"
import { openPage, type ParsedPage, parsePage } from "../../Html/Fields.ts"
import { nearestTo, nearText } from "../../Html/Fingerprint.ts"
import { bounded } from "../../Html/Select.ts"
import { type RunRecord, replayReads, type Status } from "../../Ledger/Model.ts"
import { Ledger } from "../../Ledger.ts"
import { read } from "../../Pipeline/Source.ts"
import type { Data } from "../../Row.ts"
import {
  type Comparison,
  type Extraction,
  type FieldReport,
  type KnownPage,
  type Report,
  repair
} from "../../Step/Extract/Repair.ts"
import { commandFailed, unusable } from "../CommandErrors.ts"
import { count, place } from "../Format.ts"
import { describeFailedPages, type FailedPage } from "../PageFailures.ts"
import * as RunOutputs from "../RunOutputs.ts"
import { findRun } from "../RunRecords.ts"
import { paint, type Terminal, warn } from "../Terminal.ts"
import { type Edit, editYaml } from "./EditDefinition.ts"
import { type At, extractionsIn } from "./Extractions.ts"
import { goodRows, type RowsByAddress } from "./GoodRows.ts"
import { fetchPage } from "./Pages.ts"

/** Maximum pages on which proposals are proved. */
const maxPages = 60

/** Pages fetched at the same time. */
const atOnce = 4

interface Options {
  /** Id of the run that broke, if given. */
  readonly pages: ReadonlyArray<string>
  readonly apply: boolean
  readonly json: boolean
}

/** True if the rows have URLs of their own, so that a row's URL is not that of the page with the row. */
const hidesPages = ({ fields, rows }: Extraction): boolean => rows !== undefined && Object.hasOwn(fields, "url")

const badStatuses: ReadonlyArray<Status> = ["held", "failed", "discarded"]

/** The pipeline's newest run, if it was held, discarded or failed: the fields broke on the pages of that run. */
const lastBad = (good: RunRecord) =>
  Effect.map(
    Effect.flatMap(Ledger, ({ history }) => history.runs({ pipeline: good.pipeline, limit: 1 })),
    ([newest]) =>
      newest !== undefined && RunOutputs.isReal(newest) && badStatuses.includes(newest.status) ? newest : undefined
  )

/** Gets a page for a comparison. `maxAge`: milliseconds since the run whose pages broke the fields; 0 if there is no such run. */
export type GetPage = (
  address: string,
  maxAge: number
) => Effect.Effect<{ readonly html: string; readonly url: string | undefined } | undefined, never, Scrape>

const getPages = (addresses: ReadonlyArray<string>, maxAge: number, getPage: GetPage) =>
  Effect.forEach(
    addresses.slice(0, maxPages),
    (address) =>
      Effect.map(getPage(address, maxAge), (found) =>
        found === undefined ? [] : [{ address, page: parsePage(found.html, found.url) }]
      ),
    { concurrency: atOnce }
  ).pipe(Effect.map((pages) => pages.flat()))

interface FetchedPage {
  readonly address: string
  readonly page: ParsedPage
}

/** Rows that were on a page: rows with the page's URL, or if `isHidden` rows whose URLs it links to. */
const rowsOn = ({ address, page }: FetchedPage, rows: RowsByAddress, isHidden: boolean): ReadonlyArray<Data> => {
  if (!isHidden) return rows.get(address) ?? []
  const links = page.urls.links(page.tree.anchors)
  return [...new Set(links)].flatMap((link) => rows.get(link) ?? [])
}

/** Addresses of the pages that a run has read. */
const pagesRead = (run: RunRecord) =>
  Effect.map(
    Effect.flatMap(Ledger, ({ history }) => history.pagesOf(run.id, { limit: maxPages })),
    (pages) => [...new Set(pages.map(({ key }) => key))]
  )

/** Elements in which a run found its fields, without fields of the same name in several steps. */
const elementsOf = (run: RunRecord) =>
  Effect.map(
    Effect.flatMap(Ledger, ({ health }) => health.sinksOf(run.id)),
    (records) => {
      const all = records.flatMap(({ metrics }) => Object.entries(metrics.matches ?? {}))
      return new Map(
        all.flatMap(([name, { fingerprint }]) =>
          fingerprint === undefined || all.filter((each) => each[0] === name).length > 1 ? [] : [[name, fingerprint]]
        )
      )
    }
  )

/** Maximum pages that are searched for an element like that of a field. */
const maxSearched = 3

/** A field that needs a new source, and has none that is proved. */
const isLeft = ({ isBroken, proposal }: FieldReport): boolean => isBroken && proposal?.isProved !== true

interface Reported {
  readonly path: At
  readonly fields: Extraction["fields"]
  readonly report: Report
}

/** Result of the comparison: today's values from a pipeline's pages next to the rows of its last good run. */
export interface Compared {
  readonly text: string
  readonly good: RunRecord
  /** The run whose pages were compared; undefined if the pages were fetched now. */
  readonly bad: RunRecord | undefined
  readonly pages: number
  readonly steps: ReadonlyArray<Reported>
}

const openText = (file: string) =>
  Effect.mapBoth(
    Effect.flatMap(FileSystem.FileSystem, (files) => files.readFile(file)),
    {
      onFailure: unusable(file),
      // Keeps the byte order mark.
      onSuccess: (bytes) => Buffer.from(bytes).toString("utf8")
    }
  )

/**
 * Compares a pipeline's pages with the rows of its last good run, and searches new sources for broken fields. `runId`: the run that broke;
 * by default the newest run, if it broke.
 */
export const compare = (file: string, getPage: GetPage, terminal: RunOutputs.Warned, runId?: string) =>
  Effect.gen(function* () {
    const source = yield* read(file)
    const text = yield* openText(file)
    const extractions = extractionsIn(file, text)
    if (extractions.length === 0) {
      const reason = `${place(file)} has no step extract with fields that can be repaired; only definitions in YAML can be repaired`
      return yield* commandFailed(reason)
    }
    const names = [...new Set(extractions.flatMap(({ fields }) => Object.keys(fields)))]
    const named = runId === undefined ? undefined : (yield* findRun(runId)).run
    const { record: good, rows } = yield* goodRows(source, terminal, names, named)
    const bad = named ?? (yield* lastBad(good))
    const elements = yield* elementsOf(good)
    const now = yield* Clock.currentTimeMillis
    const maxAge = bad === undefined ? 0 : now - bad.startedAt
    const byRows = extractions.every(hidesPages) ? [] : yield* getPages([...rows.keys()], maxAge, getPage)
    const byRun = extractions.some(hidesPages) ? yield* getPages(yield* pagesRead(good), maxAge, getPage) : []
    if (byRows.length + byRun.length === 0) return yield* commandFailed("none of the pages could be read")
    const steps = yield* Effect.forEach(extractions, (extraction) => {
      const isHidden = hidesPages(extraction)
      const known = (isHidden ? byRun : byRows).flatMap((each): ReadonlyArray<KnownPage> => {
        const on = rowsOn(each, rows, isHidden)
        return on.length === 0 ? [] : [{ page: openPage(each.page, extraction.reading, now), rows: on }]
      })
      const { fields, path } = extraction
      const withNearest = (field: FieldReport): FieldReport => {
        const element = isLeft(field) ? elements.get(field.name) : undefined
        if (element === undefined) return field
        const near = known.slice(0, maxSearched).map(({ page }) => nearestTo(page.tree.root, element))
        return { ...field, nearest: nearText(near.find((each) => each !== undefined)) }
      }
      return Either.mapBoth(
        bounded(() => repair(known, extraction)),
        {
          onLeft: commandFailed,
          onRight: (report): Reported => ({
            fields,
            path,
            report: { ...report, fields: report.fields.map(withNearest) }
          })
        }
      )
    })
    const compared: Compared = { text, good, bad, pages: Math.max(byRows.length, byRun.length), steps }
    return compared
  })

const written = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

/** Text such as `57 of 60 equal, 3 differ by less than 20 %`. */
export const comparisonText = ({ equal, given, near, of }: Comparison): string =>
  [
    `${equal} of ${of} equal`,
    ...(near === 0 ? [] : [`${near} differ by less than 20 %`]),
    ...(given === of ? [] : [`${of - given} without a value`])
  ].join(", ")

const notFound = "unknown: none of the last good rows was found on these pages"
const noValue = "unknown: the last good rows that were found have no value for this field"
const lostRows = "no lasting class, id or tag of these pages finds the last good rows"

const whyLeft = ({ nearest, proposal }: FieldReport): string => {
  const why =
    proposal === undefined
      ? "its last good values are no longer on these pages"
      : `${written(proposal.sources)} is not proved: ${comparisonText(proposal.comparison)}`
  return nearest === undefined ? why : `${why}; nearest now: ${nearest}`
}

/** Fields, and `rows`, that are broken and for which no change is proved, each with the reason. */
export const leftOf = ({ steps }: Pick<Compared, "steps">) =>
  steps.flatMap(({ report }) => [
    ...(report.rows === "lost" ? [{ name: "rows", why: lostRows }] : []),
    ...report.fields.filter(isLeft).map((field) => ({ name: field.name, why: whyLeft(field) }))
  ])

const show = (report: Report, { out }: Terminal): void => {
  const dye = paint(out)
  const line = (name: string, text: string) => out.write(`  ${name.padEnd(14)}${text}\n`)
  if (report.rows === "lost") line("rows", `${dye.red("lost")}: ${lostRows}`)
  else if (report.rows !== undefined) {
    const { before, found, selector } = report.rows
    line("rows", `${dye.yellow("changed")}: ${selector} finds ${count(found, "row")}, ${before} before`)
  }
  for (const field of report.fields) {
    const { isBroken, name, now, proposal } = field
    if (now.of === 0) line(name, report.matched === 0 ? notFound : noValue)
    else if (!isBroken) line(name, `${dye.green("fine")}: ${comparisonText(now)}`)
    else if (proposal?.isProved === true) {
      line(name, `${dye.yellow("proved")}: ${written(proposal.sources)}`)
      line("", comparisonText(proposal.comparison))
    } else line(name, `${dye.red("broken")}: ${whyLeft(field)}`)
  }
}

/** Number of fields that give the same values as before. */
const fine = ({ fields }: Report): number => fields.filter(({ isBroken, now }) => !isBroken && now.equal > 0).length

/** A proved change of the definition. */
export interface ProvedChange extends Edit {
  /** Name of the field, or `rows`. */
  readonly name: string
  readonly from: string | undefined
  readonly to: string
  readonly proof: string
}

/** The proved changes of all steps. */
export const changesOf = ({ steps }: Pick<Compared, "steps">): ReadonlyArray<ProvedChange> =>
  steps.flatMap(({ fields, path, report }) => {
    const proved = report.fields.flatMap(({ name, proposal }): ReadonlyArray<ProvedChange> => {
      if (proposal?.isProved !== true) return []
      const { comparison, sources: value } = proposal
      const from = written(fields[name])
      return [
        { name, path: [...path, "fields", name], value, from, to: written(value), proof: comparisonText(comparison) }
      ]
    })
    const { rows } = report
    // A new selector for the rows counts as proved if at least one field has its old values in the rows that it finds.
    if (rows === undefined || rows === "lost" || proved.length + fine(report) === 0) return proved
    const { before, found, selector } = rows
    const proof = `${count(found, "row")}, ${before} before`
    return [...proved, { name: "rows", path: [...path, "rows"], value: selector, from: undefined, to: selector, proof }]
  })

/** Compares today's pages with the rows of the last good run, and shows or applies the changes that the definition needs. */
export const repairPipeline = (file: string, options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const unread: Array<FailedPage> = []
    const getPage: GetPage = (page, maxAge) =>
      Effect.catchAll(fetchPage(page, maxAge), ({ reason }) =>
        Effect.sync(() => {
          unread.push({ page, message: reason })
          return undefined
        })
      )
    const warned = Effect.sync(() => {
      for (const line of describeFailedPages(unread, "cannot be read")) warn(terminal.err, line)
    })
    const compared = yield* Effect.ensuring(compare(file, getPage, terminal, options.pages[0]), warned)
    const { bad, good, pages, steps } = compared
    if (options.json) {
      const reports = steps.map(({ path, report }) => ({ path, report }))
      terminal.out.write(`${JSON.stringify({ run: good.id, pagesOf: bad?.id, pages, steps: reports })}\n`)
    } else {
      const what = bad === undefined ? count(pages, "page") : `${count(pages, "page")} of run ${bad.id}`
      terminal.out.write(`${place(file)}, ${what} compared with run ${good.id}\n`)
      for (const { report } of steps) show(report, terminal)
    }
    yield* conclude(file, compared, options, terminal)
  })

/** Tells the user what to do after the definition was changed. */
const nextStep = (name: string, bad: RunRecord | undefined): string =>
  bad === undefined || replayReads(bad) !== "pages"
    ? `try it with: sluice run ${name} --limit 10`
    : `read the pages of the run again (stored ones need no request) with: sluice replay ${bad.id}`

const conclude = (file: string, compared: Compared, options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const { bad, good, text } = compared
    const changes = changesOf(compared)
    const left = leftOf(compared)
    const name = place(file)
    if (options.apply && changes.length > 0) {
      const edited = yield* Either.mapLeft(editYaml(text, changes), (path) =>
        commandFailed(`${name}: ${path} comes from an alias or a merge key: change it by hand, as shown above`)
      )
      yield* RunOutputs.replace(file, edited)
      const next = left.length === 0 ? `; ${nextStep(name, bad)}` : ""
      terminal.err.write(`${name}: ${count(changes.length, "change")} made${next}\n`)
    } else if (changes.length > 0) terminal.err.write(`Make ${count(changes.length, "change")} with: --apply\n`)
    if (left.length === 0) return
    const reasons = left.map((each) => `${each.name}: ${each.why}`).join("; ")
    const reason = `not repaired (compared with run ${good.id}): ${reasons}. Change ${left.length === 1 ? "it" : "them"} by hand, then ${nextStep(name, bad)}`
    return yield* commandFailed(reason)
  })
