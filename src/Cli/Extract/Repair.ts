/** `sluice extract --repair`: finds new sources for the fields of a pipeline whose pages have changed, and proves them by its last good rows. */

import * as FileSystem from "@effect/platform/FileSystem"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Document, isMap, isSeq, parseDocument } from "yaml"
import { fileErrorReason } from "../../Files/FileErrors.ts"
import { openPage, parsePage } from "../../Html/Fields.ts"
import { bounded } from "../../Html/Select.ts"
import type { RunRecord } from "../../Ledger/Model.ts"
import { Ledger } from "../../Ledger.ts"
import { read, type Source } from "../../Pipeline/Source.ts"
import { addressOf, type Data as RowData } from "../../Row.ts"
import { type Comparison, type Extraction, type KnownPage, type Report, repair } from "../../Step/Extract/Repair.ts"
import { mapping } from "../../Step/Requirements.ts"
import { ExitCode } from "../../TypedError/ExitCode.ts"
import { FileUnusable } from "../CommandErrors.ts"
import { count, place } from "../Format.ts"
import * as RunOutputs from "../RunOutputs.ts"
import { paint, type Terminal, warn } from "../Terminal.ts"
import { fetchPage } from "./Pages.ts"

/** Why a pipeline cannot be repaired, or not all of it could. */
class NotRepaired extends Data.TaggedError("NotRepaired")<{ readonly reason: string }> {
  readonly exitCode = ExitCode.failed
  override get message() {
    return this.reason
  }
}

/** Pages on which proposals are proved, and rows that are kept of the last good output. */
const [maxPages, maxRows] = [60, 20_000]

/** Pages that are fetched at a time. */
const atOnce = 4

interface Options {
  readonly apply: boolean
  readonly json: boolean
}

/** Steps of a definition that extract, with their places in it. */
const extractionsOf = (
  document: Document
): ReadonlyArray<readonly [path: ReadonlyArray<string | number>, Extraction]> => {
  const steps = document.get("steps")
  if (!isSeq(steps)) return []
  return steps.items.flatMap((step, at) => {
    if (!isMap(step) || !step.has("extract")) return []
    const { fields, rows } = mapping(mapping(step.toJSON()).extract)
    const isOfPage = rows === undefined || typeof rows === "string"
    return isOfPage && fields !== undefined
      ? [[["steps", at, "extract"], { rows, fields: mapping(fields) as Extraction["fields"] }] as const]
      : []
  })
}

/** The last run whose rows were good: it has completed, and nothing holds it. */
const lastGood = (pipeline: string) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    for (const record of yield* history.runs({ pipeline, limit: 1000 }))
      if (RunOutputs.isReal(record) && record.status === "completed") return record
    return yield* new NotRepaired({
      reason: `no run of ${pipeline} has completed: there are no good rows to compare with`
    })
  })

/** The rows of a run's outputs by the addresses of their pages. */
const rowsByAddress = (source: Source, terminal: Terminal) =>
  Effect.gen(function* () {
    const { record, written } = yield* RunOutputs.outputsOf(source, terminal, lastGood)
    const rows = new Map<string, Array<RowData>>()
    let kept = 0
    // Several outputs would give each row several times: the first one with addresses counts.
    for (const { files, writer } of written)
      for (const file of rows.size > 0 ? [] : files)
        yield* RunOutputs.readFile(writer, file, (data) => {
          const address = addressOf(data)
          if (address === undefined || kept >= maxRows) return
          kept++
          const known = rows.get(address)
          if (known === undefined) rows.set(address, [data])
          else known.push(data)
        })
    return { record, rows }
  })

const pagesOf = (rows: ReadonlyMap<string, ReadonlyArray<RowData>>, now: number, { err }: Terminal) =>
  Effect.forEach(
    [...rows].slice(0, maxPages),
    ([address, known]) =>
      Effect.map(Effect.either(fetchPage(address)), (result): ReadonlyArray<KnownPage> => {
        if (Either.isRight(result))
          return [{ page: openPage(parsePage(result.right.html, result.right.url), {}, now), rows: known }]
        warn(err, result.left.message)
        return []
      }),
    { concurrency: atOnce }
  ).pipe(Effect.map((pages) => pages.flat()))

const written = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

/** `57 of 60 equal, 3 differ by less than 20 %`. */
const comparisonText = ({ equal, given, near, of }: Comparison): string =>
  [
    `${equal} of ${of} equal`,
    ...(near === 0 ? [] : [`${near} differ by less than 20 %`]),
    ...(given === of ? [] : [`${of - given} without a value`])
  ].join(", ")

const show = (report: Report, { out }: Terminal): void => {
  const dye = paint(out)
  const line = (name: string, text: string) => out.write(`  ${name.padEnd(14)}${text}\n`)
  if (report.rows === "lost") line("rows", `${dye.red("lost")}: nothing on these pages has the rows from before`)
  else if (report.rows !== undefined) {
    const { before, found, selector } = report.rows
    line("rows", `${dye.yellow("changed")}: ${selector} finds ${count(found, "row")}, ${before} before`)
  }
  for (const { isBroken, name, now, proposal } of report.fields) {
    if (now.of === 0) line(name, "unknown: the last good rows have no value of it")
    else if (!isBroken) line(name, `${dye.green("fine")}: ${comparisonText(now)}`)
    else if (proposal === undefined) line(name, `${dye.red("broken")}: its values are not on these pages any more`)
    else {
      line(name, `${dye.yellow(proposal.isProved ? "proved" : "not proved")}: ${written(proposal.sources)}`)
      line("", comparisonText(proposal.comparison))
    }
  }
}

/** Fields that give what they gave before. */
const fine = ({ fields }: Report): number => fields.filter(({ isBroken, now }) => !isBroken && now.equal > 0).length

/** Changes the definition, and leaves the rest of its text as it is. */
const apply = (document: Document, path: ReadonlyArray<string | number>, report: Report): number => {
  const proved = report.fields.flatMap(({ name, proposal }) =>
    proposal?.isProved === true ? [[name, proposal] as const] : []
  )
  for (const [name, { sources }] of proved)
    document.setIn(
      [...path, "fields", name],
      typeof sources === "string" ? sources : document.createNode(sources, { flow: true })
    )
  const { rows } = report
  // Rows are proved by a field in them.
  if (rows === undefined || rows === "lost" || proved.length + fine(report) === 0) return proved.length
  document.setIn([...path, "rows"], rows.selector)
  return proved.length + 1
}

const openText = (file: string) =>
  Effect.mapError(
    Effect.flatMap(FileSystem.FileSystem, (files) => files.readFileString(file)),
    (cause) => new FileUnusable({ path: file, reason: fileErrorReason(cause), cause })
  )

/** Compares the pages of today with the rows of the last good run, and shows or makes the changes that the definition needs. */
export const repairPipeline = (file: string, options: Options, now: number, terminal: Terminal) =>
  Effect.gen(function* () {
    const source = yield* read(file)
    const document = parseDocument(yield* openText(file))
    const extractions = document.errors.length === 0 && /\.ya?ml$/.test(file) ? extractionsOf(document) : []
    if (extractions.length === 0) {
      const reason = `${place(file)} has no step extract with fields of pages that could be repaired; it has to be YAML`
      return yield* new NotRepaired({ reason })
    }
    const { record, rows } = yield* rowsByAddress(source, terminal)
    if (rows.size === 0) {
      const reason = `the rows of run ${record.id} have no url: keep it in the output, to find the pages again`
      return yield* new NotRepaired({ reason })
    }
    const pages = yield* pagesOf(rows, now, terminal)
    if (pages.length === 0) return yield* new NotRepaired({ reason: "none of the pages could be read" })
    const reports = yield* Effect.forEach(extractions, ([path, extraction]) =>
      Either.mapBoth(
        bounded(() => repair(pages, extraction)),
        { onLeft: (reason) => new NotRepaired({ reason }), onRight: (report) => ({ path, report }) }
      )
    )
    if (options.json) terminal.out.write(`${JSON.stringify({ run: record.id, pages: pages.length, steps: reports })}\n`)
    else {
      terminal.out.write(`${place(file)}, ${count(pages.length, "page")} compared with run ${record.id}\n`)
      for (const { report } of reports) show(report, terminal)
    }
    yield* conclude(file, document, reports, record, options, terminal)
  })

interface Reported {
  readonly path: ReadonlyArray<string | number>
  readonly report: Report
}

const conclude = (
  file: string,
  document: Document,
  reports: ReadonlyArray<Reported>,
  record: RunRecord,
  options: Options,
  terminal: Terminal
) =>
  Effect.gen(function* () {
    const broken = reports.flatMap(({ report }) => report.fields.filter(({ isBroken }) => isBroken))
    const changed = reports.reduce((sum, { path, report }) => sum + apply(document, path, report), 0)
    const name = place(file)
    if (options.apply && changed > 0) {
      yield* RunOutputs.replace(file, document.toString({ lineWidth: 0 }))
      terminal.err.write(`${name}: ${count(changed, "change")} made. Try it with: sluice run ${name} --limit 10\n`)
    } else if (changed > 0) terminal.err.write(`Make ${count(changed, "change")} with: --apply\n`)
    const left = broken.filter(({ proposal }) => proposal?.isProved !== true)
    const lost = reports.some(({ report }) => report.rows === "lost") ? ["rows"] : []
    if (left.length + lost.length > 0) {
      const names = [...lost, ...left.map((each) => each.name)].join(", ")
      return yield* new NotRepaired({ reason: `not repaired: ${names} (compared with run ${record.id})` })
    }
  })
