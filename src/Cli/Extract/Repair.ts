/**
 * `sluice extract --repair`: finds new sources for fields whose pages have changed, and proves them against the pipeline's last good rows.
 */

import * as FileSystem from "@effect/platform/FileSystem"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Scrape } from "../../Client/Scrape.ts"
import { isBlank } from "../../Html/FieldRows.ts"
import { openPage, type ParsedPage, parsePage } from "../../Html/Fields.ts"
import { bounded } from "../../Html/Select.ts"
import type { RunRecord, Status } from "../../Ledger/Model.ts"
import { Ledger } from "../../Ledger.ts"
import { check } from "../../Pipeline/Check.ts"
import { read, type Source } from "../../Pipeline/Source.ts"
import { addressOf, type Data } from "../../Row.ts"
import { type Comparison, type Extraction, type KnownPage, type Report, repair } from "../../Step/Extract/Repair.ts"
import { commandFailed, unusable } from "../CommandErrors.ts"
import { count, place } from "../Format.ts"
import { describeFailedPages, type FailedPage } from "../PageFailures.ts"
import * as RunOutputs from "../RunOutputs.ts"
import { findRun } from "../RunRecords.ts"
import { paint, type Terminal, warn } from "../Terminal.ts"
import { scopeOf } from "../Trust.ts"
import { type Edit, editYaml } from "./EditDefinition.ts"
import { type At, extractionsIn } from "./Extractions.ts"
import { fetchPage } from "./Pages.ts"

/** Maximum pages on which proposals are proved, and maximum rows loaded from the last good output. */
const [maxPages, maxRows] = [60, 20_000]

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

/** Maximum runs whose outputs are read, newest first. */
const maxRuns = 20

/** The latest runs with good rows: completed, not held, and with at least one row. */
const goodRuns = (pipeline: string, except: string | undefined) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    const all = yield* history.runs({ pipeline, limit: 1000 })
    const good = all.filter(
      (record) => RunOutputs.isReal(record) && record.status === "completed" && record.id !== except
    )
    const withRows = good.filter(({ rows }) => rows > 0).slice(0, maxRuns)
    if (withRows.length > 0) return withRows
    const reason = `no run of ${pipeline} has ${good.length === 0 ? "completed" : "given rows"}: there are no good rows to compare with`
    return yield* commandFailed(reason)
  })

const badStatuses: ReadonlyArray<Status> = ["held", "failed", "discarded"]

/** The pipeline's newest run, if it was held, discarded or failed: the fields broke on the pages of that run. */
const lastBad = (good: RunRecord) =>
  Effect.map(
    Effect.flatMap(Ledger, ({ history }) => history.runs({ pipeline: good.pipeline, limit: 1 })),
    ([newest]) =>
      newest !== undefined && RunOutputs.isReal(newest) && badStatuses.includes(newest.status) ? newest : undefined
  )

/** Rows of a run's outputs by their URLs, and the total number of rows. */
const rowsByAddress = (source: Source, terminal: RunOutputs.Warned, run: RunRecord) =>
  Effect.gen(function* () {
    const { written } = yield* RunOutputs.outputsOf(source, terminal, () => Effect.succeed(run))
    const rows = new Map<string, Array<Data>>()
    let [kept, all] = [0, 0]
    // Several outputs would give each row several times: only the first one with URLs is read.
    for (const { files, writer } of written)
      for (const file of rows.size > 0 ? [] : files)
        yield* RunOutputs.readFile(writer, file, (data) => {
          all++
          const address = addressOf(data)
          if (address === undefined || kept >= maxRows) return
          kept++
          const known = rows.get(address)
          if (known === undefined) rows.set(address, [data])
          else known.push(data)
        })
    return { record: run, rows, all }
  })

/**
 * Rows of the newest good run in which every field has a value in some row; if there is none, of the run with values for the most fields.
 */
const goodRows = (
  source: Source,
  terminal: RunOutputs.Warned,
  fields: ReadonlyArray<string>,
  named: RunRecord | undefined
) =>
  Effect.gen(function* () {
    const { frame } = yield* check(source, {
      ...scopeOf(terminal.env),
      inputs: {},
      complete: false,
      unsetSecrets: "warning"
    })
    if (named !== undefined && named.pipeline !== frame.name) {
      const reason = `run ${named.id} is of the pipeline ${named.pipeline}, but ${place(source.file)} defines ${frame.name}: name a run of that pipeline`
      return yield* commandFailed(reason)
    }
    const runs = yield* goodRuns(frame.name, named?.id)
    const read = new Set<string>()
    let best: (Effect.Effect.Success<ReturnType<typeof rowsByAddress>> & { readonly filled: number }) | undefined
    for (const run of runs) {
      const files = JSON.stringify((yield* RunOutputs.filesIn(run)).map(({ from }) => from))
      // A later run has already replaced the files of this one.
      if (read.has(files)) continue
      read.add(files)
      const found = yield* rowsByAddress(source, terminal, run)
      const rows = [...found.rows.values()].flat()
      const filled = fields.filter((name) => rows.some((row) => !isBlank(row[name]))).length
      const isBetter = best === undefined || (best.rows.size === 0 && found.rows.size > 0) || filled > best.filled
      if (isBetter) best = { ...found, filled }
      if (filled === fields.length && found.rows.size > 0) break
    }
    if (best !== undefined && best.rows.size > 0) return best
    const reason =
      best === undefined || best.all === 0
        ? `the outputs of run ${runs[0]?.id} have no rows any more, because a later run has replaced its files. Run the pipeline again when the site shows its data, then repeat this command`
        : `the rows of run ${best.record.id} have no url, so their pages cannot be found: keep url in the output`
    return yield* commandFailed(reason)
  })

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

type RowsByAddress = ReadonlyMap<string, ReadonlyArray<Data>>

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
      return Either.mapBoth(
        bounded(() => repair(known, extraction)),
        { onLeft: commandFailed, onRight: (report): Reported => ({ fields, path, report }) }
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

const show = (report: Report, { out }: Terminal): void => {
  const dye = paint(out)
  const line = (name: string, text: string) => out.write(`  ${name.padEnd(14)}${text}\n`)
  if (report.rows === "lost") line("rows", `${dye.red("lost")}: no part of these pages contains the last good rows`)
  else if (report.rows !== undefined) {
    const { before, found, selector } = report.rows
    line("rows", `${dye.yellow("changed")}: ${selector} finds ${count(found, "row")}, ${before} before`)
  }
  for (const { isBroken, name, now, proposal } of report.fields) {
    if (now.of === 0) line(name, "unknown: the last good rows have no value for this field")
    else if (!isBroken) line(name, `${dye.green("fine")}: ${comparisonText(now)}`)
    else if (proposal === undefined)
      line(name, `${dye.red("broken")}: the last good values of this field are no longer on these pages`)
    else {
      line(name, `${dye.yellow(proposal.isProved ? "proved" : "not proved")}: ${written(proposal.sources)}`)
      line("", comparisonText(proposal.comparison))
    }
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
  bad === undefined
    ? `Try it with: sluice run ${name} --limit 10`
    : `Read the pages of the run again (stored ones need no request) with: sluice replay ${bad.id}`

const conclude = (file: string, compared: Compared, options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const { bad, good, steps, text } = compared
    const broken = steps.flatMap(({ report }) => report.fields.filter(({ isBroken }) => isBroken))
    const changes = changesOf(compared)
    const name = place(file)
    if (options.apply && changes.length > 0) {
      const edited = yield* Either.mapLeft(editYaml(text, changes), (path) =>
        commandFailed(`${name}: ${path} comes from an alias or a merge key: change it by hand, as shown above`)
      )
      yield* RunOutputs.replace(file, edited)
      terminal.err.write(`${name}: ${count(changes.length, "change")} made. ${nextStep(name, bad)}\n`)
    } else if (changes.length > 0) terminal.err.write(`Make ${count(changes.length, "change")} with: --apply\n`)
    const left = broken.filter(({ proposal }) => proposal?.isProved !== true)
    const lost = steps.some(({ report }) => report.rows === "lost") ? ["rows"] : []
    if (left.length + lost.length > 0) {
      const names = [...lost, ...left.map((each) => each.name)].join(", ")
      return yield* commandFailed(`not repaired: ${names} (compared with run ${good.id})`)
    }
  })
