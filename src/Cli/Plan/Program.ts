/** Reads and checks a definition, plans its run, and shows the plan. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { prices } from "../../Engine/Usage/Usage.ts"
import type { LedgerError } from "../../Ledger/LedgerErrors.ts"
import { check } from "../../Pipeline/Check.ts"
import { type Earlier, nothing, type PlannedStep, plan } from "../../Pipeline/Plan.ts"
import { hostOf } from "../../Pipeline/Requirements.ts"
import { read } from "../../Pipeline/Source.ts"
import { trialFolder } from "../../Run/RunSpec.ts"
import type { Hosted } from "../../Settings/Engine.ts"
import { documented, local } from "../../Step/Cost.ts"
import { hostedOf, lacking } from "../Abilities.ts"
import * as Account from "../Account.ts"
import * as Ledger from "../Ledger.ts"
import type { PlanParameters } from "../Plan.ts"
import * as Profile from "../Profile.ts"
import { scopeOf } from "../Scope.ts"
import type { Terminal } from "../Terminal.ts"
import { makeEarlier as earlierRuns } from "./EarlierRuns.ts"
import { text } from "./Text.ts"

/** Pages of a crawl of the local engine that says no limit. */
const localCrawlLimit = 10_000

/** What is left there; that it cannot be told is told too, and the plan is none the worse. */
const askAccount = (service: Hosted | undefined) =>
  service === undefined
    ? Effect.succeed("the local engine has no limit")
    : Effect.catchAll(Account.ask(service), ({ message }) => Effect.succeed(`not known: ${message}`))

/** What the ledger knows; a plan makes neither the folder nor the ledger. */
const earlierIn = (settings: Profile.Values, dataDir: string) =>
  Effect.gen(function* (): Effect.fn.Return<
    Earlier<LedgerError>,
    LedgerError,
    FileSystem.FileSystem | Path.Path | Scope.Scope
  > {
    if (!(yield* Ledger.isThere(settings, dataDir))) return nothing
    return yield* Effect.provide(earlierRuns, yield* Layer.build(Ledger.layer(settings, dataDir)))
  })

/** A step as JSON: `engine` does its work, `input` is the id of the step that it reads, or an array of ids. */
const named =
  (service: string) =>
  ({ givesRows: _, inputs, note: __, nouns: ___, ...step }: PlannedStep) => ({
    ...step,
    input: inputs.length > 1 ? inputs : inputs[0],
    engine: step.operation === undefined ? "here" : service
  })

export const program = (options: PlanParameters, terminal: Terminal) =>
  Effect.gen(function* () {
    const paths = yield* Path.Path
    const settings = yield* Profile.read(terminal.env, options.profile)
    const hosted = yield* hostedOf(settings)
    const source = yield* read(options.file)
    const scope = scopeOf(terminal.env)
    const checked = yield* check(source, { ...scope, inputs: options.input, complete: true })
    const { notes, refusal } = yield* lacking(checked, settings, terminal.env)
    const dataDir = paths.resolve(options.data ?? settings.dataDir)
    const earlier = yield* earlierIn(settings, dataDir)
    const planned = yield* plan(checked, {
      ...scope,
      wanted: options.limit,
      out:
        options.out === undefined && options.limit !== undefined
          ? trialFolder(dataDir, checked.frame.name, "{runId}")
          : paths.resolve(options.out ?? "."),
      tariff: hosted === undefined ? local(prices) : documented,
      crawlLimit: hosted === undefined ? localCrawlLimit : undefined,
      earlier
    })
    const account = options.probe ? yield* askAccount(hosted) : undefined
    const service = hosted === undefined ? "local" : hostOf(hosted.baseUrl)
    const unmet = [...(refusal?.unmet ?? []), ...notes]
    const now = yield* Clock.currentTimeMillis
    terminal.out.write(
      options.json
        ? `${JSON.stringify({ file: options.file, service, ...planned, steps: planned.steps.map(named(service)), account, unmet }, spell)}\n`
        : text(planned, { file: options.file, service, now, account, unmet }, terminal.out)
    )
    if (refusal !== undefined) return yield* refusal
  }).pipe(Effect.scoped)

const instants: ReadonlySet<string> = new Set(["next", "newest", "advanced", "startedAt", "endedAt"])

const iso = (value: unknown): unknown =>
  typeof value === "number" ? new Date(value).toISOString() : Array.isArray(value) ? value.map(iso) : value

/** Scripts see that a bound is not known, and times as everybody reads them. */
const spell = (key: string, value: unknown): unknown =>
  key === "most" && value === undefined ? null : instants.has(key) ? iso(value) : value
