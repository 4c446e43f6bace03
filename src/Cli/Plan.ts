/** `sluice plan`: shows what a run would do and cost, without spending anything. */

import type * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { prices } from "../Engine/Usage/Usage.ts"
import type { LedgerError } from "../Ledger/LedgerErrors.ts"
import { type Checked, check, definitionHash } from "../Pipeline/Check.ts"
import { type Earlier, nothing, type PlannedStep, plan } from "../Pipeline/Plan.ts"
import { hostOf } from "../Pipeline/Requirements.ts"
import { read } from "../Pipeline/Source.ts"
import { trialFolder } from "../Run/RunSpec.ts"
import type { Hosted } from "../Settings/Engine.ts"
import { documented, local } from "../Step/Cost.ts"
import { readSettings, type SettingValues } from "./CommandSettings.ts"
import { ledgerExists, ledgerLayer } from "./LedgerAccess.ts"
import * as Parameter from "./Parameter.ts"
import { makeEarlier as earlierRuns } from "./Plan/EarlierRuns.ts"
import { text } from "./Plan/Table.ts"
import { askBalance, hostedService, missingCapabilities } from "./Service.ts"
import * as SharedFlags from "./SharedFlags.ts"
import type { Terminal } from "./Terminal.ts"
import { scopeOf } from "./Trust.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  file: Parameter.one("FILE", "A definition: YAML, JSON or TypeScript."),
  input: SharedFlags.input,
  limit: Parameter.integer("N", "Plans for at most N rows from each source.", { minimum: 1 }),
  out: SharedFlags.out,
  data: SharedFlags.data("the ledger of earlier runs"),
  profile: SharedFlags.profile,
  probe: Parameter.toggle("Asks the service for the remaining credits; this costs nothing."),
  json: Parameter.toggle("Prints the plan as one JSON object."),
  "allow-code": SharedFlags.allowCode,
  ...SharedFlags.trust
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  details:
    "Numbers that are unknown before a run are shown as bounds or as unknown. All numbers assume that no call fails or is retried. Values of the environment are shown by name only.",
  parameters,
  examples: [
    { line: "sluice plan pipelines/crawl-site.yaml", what: "before the first run" },
    { line: "sluice plan pipelines/search-to-csv.yaml --limit 5 --json", what: "for a script" },
    { line: "sluice plan pipelines/crawl-site.yaml --profile hosted --probe", what: "with the remaining credits" }
  ],
  run: (options, terminal) => run(options, terminal)
})

/** Default limit of a crawl on the local engine. */
const localCrawlLimit = 10_000

/** Remaining credits in words. A failed request is described, and does not fail the plan. */
const askAccount = (service: Hosted | undefined) =>
  service === undefined
    ? Effect.succeed("the local engine has no limit")
    : Effect.catchAll(askBalance(service), ({ message }) => Effect.succeed(`unknown: ${message}`))

/** Facts about earlier runs. A plan creates neither the data folder nor the ledger. */
const earlierIn = (settings: SettingValues, dataDir: string) =>
  Effect.gen(function* (): Effect.fn.Return<
    Earlier<LedgerError>,
    LedgerError,
    FileSystem.FileSystem | Path.Path | Scope.Scope
  > {
    if (!(yield* ledgerExists(settings, dataDir))) return nothing
    return yield* Effect.provide(earlierRuns, yield* Layer.build(ledgerLayer(settings, dataDir)))
  })

/** JSON of a step: `engine` is the service that executes it, `input` the id of the step that it reads, or an array of ids. */
const named =
  (service: string) =>
  ({ givesRows: _, inputs, note: __, nouns: ___, ...step }: PlannedStep) => ({
    ...step,
    input: inputs.length > 1 ? inputs : inputs[0],
    engine: step.operation === undefined ? "here" : service
  })

interface PlanRequest<E> {
  readonly settings: SettingValues
  readonly env: Terminal["env"]
  /** Absolute path. */
  readonly dataDir: string
  readonly limit: number | undefined
  /** Absolute path. Default: the current folder, and a separate folder for a trial. */
  readonly out: string | undefined
  readonly earlier: Earlier<E>
}

/** Plans a checked definition for the service from the settings, and lists the capabilities which that service lacks. */
export const planChecked = <E>(checked: Checked, { dataDir, earlier, env, limit, out, settings }: PlanRequest<E>) =>
  Effect.gen(function* () {
    const paths = yield* Path.Path
    const hosted = yield* hostedService(settings)
    const { notes, refusal } = yield* missingCapabilities(checked, settings, env)
    const planned = yield* plan(checked, {
      ...scopeOf(env),
      wanted: limit,
      out: out ?? (limit === undefined ? paths.resolve(".") : trialFolder(dataDir, checked.frame.name, "{runId}")),
      tariff: hosted === undefined ? local(prices) : documented,
      crawlLimit: hosted === undefined ? localCrawlLimit : undefined,
      earlier
    })
    return { planned, notes, refusal }
  })

const run = (options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const paths = yield* Path.Path
    const settings = yield* readSettings(terminal.env, options.profile)
    const hosted = yield* hostedService(settings)
    const source = yield* read(options.file)
    const checked = yield* check(source, { ...scopeOf(terminal.env), inputs: options.input, complete: true })
    const dataDir = paths.resolve(options.data ?? settings.dataDir)
    const earlier = yield* earlierIn(settings, dataDir)
    const { notes, planned, refusal } = yield* planChecked(checked, {
      settings,
      env: terminal.env,
      dataDir,
      limit: options.limit,
      out: options.out === undefined ? undefined : paths.resolve(options.out),
      earlier
    })
    const account = options.probe ? yield* askAccount(hosted) : undefined
    const service = hosted === undefined ? "local" : hostOf(hosted.baseUrl)
    const unmet = [...(refusal?.unmet ?? []), ...notes]
    const now = yield* Clock.currentTimeMillis
    terminal.out.write(
      options.json
        ? `${JSON.stringify({ file: options.file, definitionHash: definitionHash(checked), service, ...planned, steps: planned.steps.map(named(service)), account, unmet }, spell)}\n`
        : text(planned, { file: options.file, service, now, account, unmet }, terminal.out)
    )
    if (refusal !== undefined) return yield* refusal
  }).pipe(Effect.scoped)

const timeFields: ReadonlySet<string> = new Set(["next", "newest", "advanced", "startedAt", "endedAt"])

const iso = (value: unknown): unknown =>
  typeof value === "number" ? new Date(value).toISOString() : Array.isArray(value) ? value.map(iso) : value

/** Value as JSON: null for an unknown bound, ISO 8601 for times. */
const spell = (key: string, value: unknown): unknown =>
  key === "most" && value === undefined ? null : timeFields.has(key) ? iso(value) : value
