/** `sluice show`: shows one run, its pages or its rejects, or everything known about a page. */

import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as NotFollowed from "../Api/NotFollowed.ts"
import type { RunDetail } from "../Ledger/History.ts"
import { replayReads } from "../Ledger/Model.ts"
import { Ledger } from "../Ledger.ts"
import { describeChanges, describeRows } from "../Row/Count.ts"
import { canonicalUrl } from "../Row/Url.ts"
import { comparedRows, outputRows } from "../Run/Progress.ts"
import { isResumable, runStatus } from "../Run/RunResult.ts"
import { wrongUsage } from "./CommandErrors.ts"
import { repairCommand } from "./Extract/Suggest.ts"
import { count, duration, place, table } from "./Format.ts"
import { withLedger } from "./LedgerAccess.ts"
import * as Parameter from "./Parameter.ts"
import { filesIn } from "./RunOutputs.ts"
import * as Shards from "./RunRecords.ts"
import { findRun, runObject } from "./RunRecords.ts"
import { describeSaved, savedBy } from "./SavedPages.ts"
import * as SharedFlags from "./SharedFlags.ts"
import { showHealth } from "./ShowHealth.ts"
import { showRows } from "./ShowRows.ts"
import { paint, plain, type Terminal } from "./Terminal.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  run: Parameter.optional("RUN", "The run's id; without one, the newest."),
  rejects: Parameter.toggle(
    "Lists the rejected rows that no replay has processed or is processing, one JSON object per line."
  ),
  pages: Parameter.toggle("Lists the requested pages, one JSON object per line."),
  health: Parameter.toggle("Shows figures of the run's outputs, and how they differ from earlier runs."),
  rows: Parameter.toggle(
    "Prints the rows of the run's outputs, one JSON object per line; on a terminal, those of a held run beside the rows of the last good run: changed, gone and new."
  ),
  log: Parameter.toggle("Prints the stored log of the run: start, warnings, errors and end."),
  page: Parameter.text("KEY", "Shows what every run found at this address (or hash of a file), newest first."),
  limit: Parameter.withDefault(
    Parameter.integer("N", "At most N pages or shards, or rows of each output; default: 1000.", { minimum: 1 }),
    1000
  ),
  data: SharedFlags.data("the ledger"),
  profile: SharedFlags.profile,
  json: Parameter.toggle("Prints the run as one JSON object; with --rows, its rows and those of the last good run.")
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  parameters,
  examples: [
    { line: "sluice show", what: "the newest run" },
    { line: "sluice show 20260314T093001-7c2ep2 --rejects", what: "why rows were rejected" },
    { line: "sluice show --health", what: "what the newest run has written, field by field" },
    {
      line: "sluice show 20260314T093001-7c2ep2 --rows --limit 20",
      what: "the first rows of a held run, beside those of the last good one"
    },
    { line: "sluice show --page https://example.com/a", what: "when the page was requested, and with which answer" }
  ],
  run: (options, terminal) => run(options, terminal)
})

/** `updatedAt`: when the process last wrote to the ledger. */
const crashedText = (updatedAt: number): string =>
  `its process ended without a word (killed, out of memory, power failure); it was last seen alive at ${new Date(updatedAt).toISOString()}, and rows, credits and pages count up to its last checkpoint`

type Away = ReturnType<typeof Shards.describeShards>

const describe = (
  { alive, run, steps }: RunDetail,
  files: Effect.Effect.Success<ReturnType<typeof filesIn>>,
  away: Away | undefined,
  repair: string | undefined,
  terminal: Terminal
): string => {
  const dye = paint(terminal.out)
  const status = runStatus(run, alive)
  const shown = status === "completed" ? dye.green(status) : alive ? dye.cyan(status) : dye.yellow(status)
  const took = duration((run.endedAt ?? run.updatedAt) - run.startedAt)
  const limit = run.options.limit
  const left = NotFollowed.describe(run.progress?.notFollowed)
  const changes = describeChanges(comparedRows(run.progress ?? {}))
  const facts = [
    `${dye.bold(run.pipeline)}  ${run.id}  ${shown}`,
    `  definition  ${place(run.file)}`,
    `  began       ${new Date(run.startedAt).toISOString()}, took ${took}${limit === undefined ? "" : `, --limit ${limit}`}`,
    `  rows        ${[describeRows(outputRows(run.progress), run.rows), count(run.rejects, "reject"), `${count(run.credits, "credit")}${run.unpriced > 0 ? ` and ${count(run.unpriced, "call")} of unknown price` : ""}`].join(", ")}`,
    ...(changes === "" ? [] : [`  changes     ${changes}`]),
    ...describeSaved(savedBy(steps)).map(([name, text]) => `  ${name.padEnd(10)}  ${text}`),
    ...(left === undefined ? [] : [`  crawl       ${left}`]),
    ...(away === undefined ? [] : [`  shards      ${away.fact}`]),
    ...(run.stateKey === undefined ? [] : [`  state       ${run.stateKey}`]),
    ...(run.error === undefined ? [] : [`  ${dye.red("error")}       ${plain(run.error)}`]),
    ...(status === "crashed" ? [`  ${dye.red("crashed")}     ${crashedText(run.updatedAt)}`] : [])
  ]
  const lines =
    steps.length === 0
      ? []
      : table(
          [
            ["step"],
            ["calls", "right"],
            ["credits", "right"],
            ["pages", "right"],
            ["failed", "right"],
            ["rejects", "right"],
            ["open", "right"]
          ],
          steps.map(({ calls, credits, failedPages, openRejects, pages, rejects, step }) => [
            step,
            ...[calls, credits, pages, failedPages, rejects, openRejects].map((each) => each.toLocaleString("en-US"))
          ]),
          terminal.out
        ).map((line) => `  ${line}`)
  const shards = (away?.lines ?? []).map((line) => `  ${line}`)
  const outputs = files.map(
    ({ from, path, rows }) =>
      `  ${dye.cyan(place(path))}   ${count(rows, "row")}${from === path ? "" : `, held in ${place(from)}`}`
  )
  const open = steps.reduce((sum, step) => sum + step.openRejects, 0)
  const held = [
    ["see why:", `sluice show ${run.id} --health`],
    ["look at the rows:", `sluice show ${run.id} --rows`],
    ["publish anyway:", `sluice publish ${run.id}`],
    ["drop the outputs:", `sluice discard ${run.id}`]
  ] as const
  const reads = replayReads(run)
  const next = [
    ...(run.status === "held" ? held : []),
    ...(repair === undefined ? [] : [["find values again:", `${repair} ${run.id}`] as const]),
    ...(isResumable(run) && !alive ? [["continue it:", `sluice resume ${run.id}`] as const] : []),
    ...(open === 0
      ? []
      : [
          ["look at the rejects:", `sluice show ${run.id} --rejects`] as const,
          // Held outputs are decided on first, and a resumable run is better continued.
          ...(run.status === "held" || isResumable(run) || reads === "nothing"
            ? []
            : [[reads === "pages" ? "run all again:" : "send them again:", `sluice replay ${run.id}`] as const])
        ])
  ].map(([what, command]) => `  ${what.padEnd(20)} ${command}`)
  return `${[...facts, ...(lines.length === 0 ? [] : ["", ...lines]), ...(shards.length === 0 ? [] : ["", ...shards]), ...(outputs.length === 0 ? [] : ["", ...outputs]), ...(next.length === 0 ? [] : ["", ...next.map(dye.dim)])].join("\n")}\n`
}

const line = (terminal: Terminal, value: unknown) => terminal.out.write(`${JSON.stringify(value)}\n`)

const isoOf = <A extends { readonly at: number }>(record: A) => ({ ...record, at: new Date(record.at).toISOString() })

/** Words for why a page counts as unchanged. */
const unchangedWords: Readonly<Record<string, string>> = {
  sitemap: "unchanged according to its sitemap, not visited",
  notDue: "not due, not visited"
}

const showPage = (address: string, { json, limit }: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    const key = canonicalUrl(address) ?? address
    const seen = yield* history.sightings(key)
    const pages = yield* history.pagesAt(key, { limit })
    if (json) return line(terminal, { key, sightings: seen, pages: pages.map(isoOf) })
    if (seen === undefined) return void terminal.err.write(`no run has read ${key}\n`)
    const lines = table(
      [["met (UTC)"], ["run"], ["step"], ["status", "right"], ["credits", "right"], ["content"]],
      pages.map(({ at, credits, error, hash, runId, status, step, unchanged }) => [
        new Date(at).toISOString().slice(0, 19).replace("T", " "),
        runId,
        step,
        String(status ?? "–"),
        credits === undefined ? "–" : String(credits),
        error ??
          [hash?.slice(0, 12) ?? "", ...(unchanged === undefined ? [] : [unchangedWords[unchanged] ?? "unchanged"])]
            .join(" ")
            .trim()
      ]),
      terminal.out
    )
    terminal.out.write(`${paint(terminal.out).bold(key)}  ${count(seen.attempts, "attempt")}\n${lines.join("\n")}\n`)
  })

const showLog = (id: string, terminal: Terminal) =>
  Effect.gen(function* () {
    const { logs } = yield* Ledger
    let part = yield* logs.read(id, 0)
    if (part.text === "") terminal.err.write(`run ${id} has no stored log\n`)
    while (part.text !== "") {
      terminal.out.write(plain(part.text))
      part = yield* logs.read(id, part.next)
    }
  })

const showRun = (options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    const detail = yield* findRun(options.run)
    const { alive, run, steps } = detail
    if (options.rejects) {
      return yield* Stream.runForEachChunk(history.rejects(run.id, { which: "open" }), (chunk) =>
        Effect.sync(() => Chunk.forEach(chunk, (reject) => line(terminal, reject)))
      )
    }
    if (options.pages) {
      for (const { number: _, ...page } of yield* history.pagesOf(run.id, { limit: options.limit })) {
        line(terminal, isoOf(page))
      }
      return
    }
    if (options.rows) return yield* showRows(detail, options, terminal)
    // A shard writes to the log of its run.
    if (options.log) return yield* showLog(run.group ?? run.id, terminal)
    if (options.health) return yield* showHealth(run, options.json, terminal)
    const away = yield* Shards.shardsOf(run, options, terminal)
    if (options.json) {
      const parts = away === undefined ? {} : Shards.shardObject(away)
      return line(terminal, { ...runObject(run, alive), steps, outputs: run.outputs, ...parts })
    }
    const described = away === undefined ? undefined : Shards.describeShards(away, terminal)
    terminal.out.write(describe(detail, yield* filesIn(run), described, yield* repairCommand(detail), terminal))
  })

/** Reason to refuse flags that exclude each other. */
const tooMuch = ({ health, log, page, pages, rejects, rows, run }: Options): string | undefined => {
  if (page !== undefined && run !== undefined) return "--page looks at every run: leave the run's id out"
  const asked = { "--rejects": rejects, "--pages": pages, "--health": health, "--rows": rows, "--log": log }
  const questions = Object.entries(asked).flatMap(([flag, isAsked]) => (isAsked ? [flag] : []))
  const [one, other] = page === undefined ? questions : ["--page", ...questions]
  return other === undefined ? undefined : `${one} and ${other} cannot be combined: leave one of them out`
}

const run = (options: Options, terminal: Terminal) => {
  const reason = tooMuch(options)
  return reason === undefined
    ? withLedger(
        options,
        terminal,
        options.page === undefined ? showRun(options, terminal) : showPage(options.page, options, terminal)
      )
    : wrongUsage(reason)
}
