/** `sluice run`: runs a pipeline from its definition to its outputs. */

import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { check, definitionHash } from "../Pipeline/Check.ts"
import { priorities } from "../Pipeline/Definition.ts"
import { read } from "../Pipeline/Source.ts"
import { wrongUsage } from "./CommandErrors.ts"
import { readSettings } from "./CommandSettings.ts"
import { requireFolder } from "./Folder.ts"
import * as Parameter from "./Parameter.ts"
import { perform, printing } from "./Run/Perform.ts"
import * as SharedFlags from "./SharedFlags.ts"
import type { Terminal } from "./Terminal.ts"
import { scopeOf } from "./Trust.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  file: Parameter.one("FILE", "A definition: YAML, JSON or TypeScript."),
  input: SharedFlags.input,
  limit: Parameter.integer(
    "N",
    "A trial: takes at most N rows from each source, and leaves state and outputs of real runs alone.",
    {
      minimum: 1
    }
  ),
  out: Parameter.text(
    "DIR",
    "Folder that relative output paths are under; default: the current one, with --limit a new one below .sluice/trial.",
    "o"
  ),
  data: SharedFlags.data("the engine's store, the ledger and rejects"),
  profile: SharedFlags.profile,
  budget: Parameter.integer("N", "Spends at most N credits, even if the definition allows more.", { minimum: 1 }),
  expect: Parameter.text(
    "HASH",
    "Runs the definition only if it has this definitionHash, which sluice plan --json prints."
  ),
  backfill: Parameter.toggle("Treats everything as new, and leaves the state across runs as it is."),
  from: Parameter.text(
    "TIME",
    "With --backfill: starts a run for each window from this time on (UTC), with the bounds of the window as the inputs from and to. Completed windows are skipped, unfinished ones resumed."
  ),
  to: Parameter.text(
    "TIME",
    "With --from: end of the last window, which does not include it; default: the start of today."
  ),
  by: Parameter.text(
    "UNIT",
    "With --from: length of a window: day, week, month, year, or a duration like 6h; default: month."
  ),
  "allow-code": SharedFlags.allowCode,
  ...SharedFlags.trust,
  on: SharedFlags.onCluster,
  detach: Parameter.toggle("With --on cluster: exits once the run is submitted, without waiting for its end."),
  "shard-rows": Parameter.integer(
    "N",
    "With --on cluster: maximum number of source rows in each shard; default: 200.",
    {
      minimum: 1
    }
  ),
  priority: Parameter.choice(
    "PRIORITY",
    priorities,
    "With --on cluster: high, normal or low. Runs with a higher priority come first; runs with the same one take turns. Default: the priority in the definition, or normal."
  ),
  shard: Parameter.text(
    "I/N",
    "Executes only shard I of N, like 3/10, for jobs (of Kubernetes, Slurm, …) that share a folder and no database: give all of them the same --out, and run sluice merge when all have ended. source/N only reads the source."
  ),
  json: SharedFlags.runAsJson,
  quiet: SharedFlags.quiet
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  details:
    "Without SLUICE_BASE_URL, runs use the local engine: it starts and stops with the run. With SLUICE_BASE_URL and SLUICE_API_KEY, the same pipeline runs on that service. Ctrl-C stops the run, saves its progress, and prints how to resume it.",
  parameters,
  examples: [
    { line: "sluice run pipelines/quickstart.yaml", what: "everything once, on its own sample site" },
    {
      line: 'sluice run pipelines/search-to-csv.yaml -i query="effect typescript" --out results',
      what: "with an input"
    },
    { line: "sluice run crawl.yaml --limit 5 --json", what: "a first look at five rows, for a script" },
    { line: "sluice run crawl.yaml --quiet | jq .url", what: 'pipes rows to a program, with write: { jsonl: "-" }' },
    { line: "sluice run items.yaml --backfill --from 2024-01 --to 2025-01", what: "a year, month by month" },
    { line: "sluice run crawl.yaml --on cluster --out /shared/docs", what: "on all machines that run sluice worker" },
    { line: "sluice run crawl.yaml --shard 3/10 --out /shared/docs", what: "one of ten jobs of Kubernetes or Slurm" }
  ],
  run: (options, terminal) => run(options, terminal)
})

/** Name of the first flag that was given. */
const firstGiven = (flags: Readonly<Record<string, unknown>>): string | undefined =>
  Object.entries(flags).find(([, value]) => value !== undefined)?.[0]

/** Reason to refuse a combination of flags. */
const whyRefused = (options: Options): string | undefined => {
  const { backfill, by, from, limit, on, to } = options
  if (options.shard !== undefined) {
    if (options.out === undefined) return "--shard needs --out: the folder that all shards and sluice merge share"
    const other = firstGiven({ limit, from, to, by, budget: options.budget, on })
    if (other !== undefined)
      return `--${other} is for a whole run, and --shard executes a part of one: leave one of them out`
  }
  const windows = firstGiven({ from, to, by })
  if (windows === undefined) return undefined
  if (!backfill) return `--${windows} is for --backfill: add it, or leave --${windows} out`
  if (on === "cluster") return `--${windows} is for runs on this machine: leave out --${windows} or --on cluster`
  return limit === undefined
    ? undefined
    : `--limit is a trial, and --${windows} runs many windows: leave one of them out`
}

const run = (options: Options, terminal: Terminal) => {
  const reason = whyRefused(options)
  if (reason !== undefined) return wrongUsage(reason)
  if (options.from === undefined && options.to === undefined && options.by === undefined)
    return runOnce(options, terminal)
  return Effect.flatMap(
    Effect.promise(() => import("./Run/Windows.ts")),
    (windows) => windows.run(options, terminal)
  )
}

const runOnce = (options: Options, terminal: Terminal) =>
  printing(options, terminal, (print) =>
    Effect.gen(function* () {
      if (options.on === "cluster" && options.budget !== undefined) {
        const reason = "--budget is for runs on this machine: leave it out, or write `budget` in the definition"
        return yield* wrongUsage(reason)
      }
      const { detach, priority, "shard-rows": shardRows } = options
      const flag = firstGiven({ detach: detach || undefined, "shard-rows": shardRows, priority })
      if (options.on !== "cluster" && flag !== undefined) {
        return yield* wrongUsage(`--${flag} is for runs on many machines: add --on cluster, or leave out --${flag}`)
      }
      const paths = yield* Path.Path
      const settings = yield* readSettings(terminal.env, options.profile)
      const source = yield* read(options.file)
      const checked = yield* check(source, { ...scopeOf(terminal.env), inputs: options.input, complete: true })
      if (options.expect !== undefined && definitionHash(checked) !== options.expect) {
        return yield* wrongUsage(
          `${options.file} is not the definition that was planned: it has changed. Plan it again with sluice plan`
        )
      }
      const dataDir = paths.resolve(options.data ?? settings.dataDir)
      const isOwn = options.out === undefined && options.limit !== undefined
      const out = isOwn ? undefined : paths.resolve(options.out ?? ".")
      if (out !== undefined) yield* requireFolder(out, "Name a folder that you may write to with --out")
      if (options.shard !== undefined && out !== undefined) {
        const Shard = yield* Effect.promise(() => import("./Run/Shard.ts"))
        const { backfill, quiet, shard } = options
        const request = { checked, settings, dataDir, out, backfill, allowCode: options["allow-code"], quiet, shard }
        return yield* Shard.runShard(request, terminal, print)
      }
      if (options.on === "cluster") {
        // Loaded on demand, because few runs use a cluster.
        const Cluster = yield* Effect.promise(() => import("./Run/OnCluster.ts"))
        return yield* Cluster.perform(
          {
            checked,
            settings,
            out,
            ...Struct.pick(options, "limit", "backfill", "priority", "detach"),
            allowCode: options["allow-code"],
            shardRows: options["shard-rows"]
          },
          terminal,
          print
        )
      }
      yield* perform(
        {
          checked,
          settings,
          dataDir,
          out,
          limit: options.limit,
          maxCredits: options.budget,
          backfill: options.backfill,
          allowCode: options["allow-code"],
          quiet: options.quiet
        },
        terminal,
        print
      )
    }).pipe(Effect.scoped)
  )
