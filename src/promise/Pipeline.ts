/** Pipelines for programs that don't use Effect: a run as a Promise, its rows and its progress as AsyncIterables. */
import { resolve } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { InvalidBaseUrl } from "../Client/ClientErrors.ts"
import * as Connection from "../Client/Connection.ts"
import * as Outbound from "../Client/Outbound.ts"
import * as Client from "../Client.ts"
import { missingCapability } from "../Engine/Handlers/Capabilities.ts"
import * as Ledger from "../Ledger.ts"
import * as Engine from "../LocalEngine.ts"
import { type Checked, scopeBefore } from "../Pipeline/Check.ts"
import { callSiteOf, fromAt, type Given, load, secretsOf } from "../Pipeline/Load.ts"
import { type Service as Able, ensure, hosted } from "../Pipeline/Requirements.ts"
import type { NamedOr, RowOf } from "../Pipeline/RowType.ts"
import type { PlainDefinition, TypedDefinition } from "../Pipeline/TypedDefinition.ts"
import type { Data } from "../Row.ts"
import * as LocalSite from "../Run/LocalSite.ts"
import { makeRowStream } from "../Run/RowStream.ts"
import * as Run from "../Run.ts"
import { type CallOptions, requireKnown, runner, runtimeOf } from "./Runner.ts"

/** Options of a pipeline run. */
export interface PipelineOptions extends Omit<Given, "secrets"> {
  /** Values of `${{ secrets.NAME }}`. Never printed. */
  readonly secrets?: Readonly<Record<string, string>> | undefined
  /** Service that does the work. Without one, a local engine does it and stops when the run ends. */
  readonly baseUrl?: string | undefined
  readonly apiKey?: string | undefined
  /** Private networks that the local engine and the step `request` may access, as CIDR. Default: only public addresses. */
  readonly allowNetworks?: ReadonlyArray<string> | undefined
  /** Folder of relative output paths. Default: the current folder; with `limit`, a new folder below `trial` in `dataDir`. */
  readonly out?: string | undefined
  /** Folder of the ledger, the rejects and the local engine's data. Default: `.sluice`. */
  readonly dataDir?: string | undefined
  /**
   * Address of a Postgres database that stores the ledger instead of the folder, for programs on several machines:
   * `postgres://user:password@host:port/database?schema=name`. Never printed.
   */
  readonly databaseUrl?: string | undefined
  /**
   * Makes the run a trial with at most this many rows from each source. The state across runs and the outputs of real runs stay unchanged.
   */
  readonly limit?: number | undefined
  /** Treats everything as new, and does not change the state across runs. */
  readonly backfill?: boolean | undefined
  /** Allows `use` and `extensions` to run code of the project. */
  readonly allowCode?: boolean | undefined
}

/** Options of one run. */
export interface RunOptions extends CallOptions {
  /**
   * Id of a run of this pipeline to resume: it keeps its folder and its limit, and nothing is paid for twice. Rejects with `RunUnknown`, or
   * with `RunDiffers` if the definition or the inputs have changed since it began.
   */
  readonly resume?: string | undefined
  /** Resumes with the current definition if it has changed. */
  readonly withCurrent?: boolean | undefined
}

const pipelineOptions = {
  inputs: true,
  env: true,
  secrets: true,
  baseUrl: true,
  apiKey: true,
  allowNetworks: true,
  out: true,
  dataDir: true,
  databaseUrl: true,
  limit: true,
  backfill: true,
  allowCode: true
} satisfies Record<keyof PipelineOptions, true>

const runOptions = { signal: true, resume: true, withCurrent: true } satisfies Record<keyof RunOptions, true>

/** Events of a run whose rows have the type `Row`. */
export type RunEvent<Row extends object = Data> =
  /** First event. The id can be used to resume the run. */
  | { readonly type: "started"; readonly runId: string }
  /** A row has reached an end of the pipeline. */
  | { readonly type: "row"; readonly row: Row }
  /** Progress, at most ten times a second. */
  | { readonly type: "progress"; readonly progress: Run.Progress }
  | { readonly type: "completed"; readonly summary: Run.Summary }

/** Pipeline that can be run any number of times. Its rows have the type `Row`. */
export interface RunnablePipeline<Row extends object = Data> {
  /**
   * Runs the pipeline to its end. Rejects with `DefinitionInvalid` before any request, with `Unable` if the service lacks a required
   * capability, with `LedgerError` if the data folder cannot be used, and with `RunFailed` if the run fails. Aborting the signal stops the
   * run and rejects with the reason of the signal: running calls get 5 seconds, and finished work is kept for `resume`.
   */
  readonly run: (options?: RunOptions) => Promise<Run.Summary>
  /**
   * Runs the pipeline and returns the rows that reach any of its ends, while its sinks write. A slow reader slows the run down, and leaving
   * the loop stops it. After a crash, a resumed run returns uncommitted rows again.
   */
  readonly rows: (options?: RunOptions) => AsyncIterable<Row>
  /** Like `rows`, but starts with the run id, has progress in between, and ends with the summary. */
  readonly events: (options?: RunOptions) => AsyncIterable<RunEvent<Row>>
}

/**
 * Client of the service in the options, or else of a local engine, which may access the site of the pipeline. No engine starts unless a
 * step calls a service.
 */
const clientOf = (
  { allowNetworks, apiKey, baseUrl }: PipelineOptions,
  checked: Checked,
  dataDir: string,
  site: string | undefined
): Layer.Layer<Client.Client, InvalidBaseUrl | Engine.EngineError> => {
  const out = Outbound.layer({ allowNetworks, site })
  const at = (service: Connection.Options) => Layer.merge(Layer.provide(Client.layer, Connection.layer(service)), out)
  if (baseUrl !== undefined) return at({ baseUrl, apiKey: apiKey === undefined ? undefined : Redacted.make(apiKey) })
  if (!LocalSite.needsService(checked)) return at(LocalSite.noService)
  const allowOrigins = site === undefined ? [] : [new URL(site).host]
  return Layer.merge(Engine.layer({ dataDir, allowOrigins, allowNetworks }), out)
}

/** Capabilities of the local engine that {@link clientOf} starts. */
const local: Able = { who: "the local engine", lackOf: (need) => missingCapability({}, need) }

const progressInterval = "100 millis"

/**
 * A pipeline definition with its types checked: the default export of a `.ts` pipeline. It is `Pipeline.make` of `sluice` for projects
 * without Effect. The value is plain data, the same that a YAML file gives.
 *
 * ```ts
 * import { definePipeline } from "sluice/promise"
 *
 * export default definePipeline({
 *   version: 1,
 *   name: "two-pages",
 *   steps: [
 *     { urls: ["https://example.com/a", "https://example.com/b"] },
 *     { scrape: { formats: ["markdown"] } },
 *     { write: { jsonl: "pages.jsonl" } }
 *   ]
 * })
 * ```
 */
export const definePipeline = <const Given>(
  // The branch that is never taken lets TypeScript infer the literal; the value is checked against the other branch.
  definition: [Given] extends [never] ? Given : PlainDefinition
): TypedDefinition<RowOf<Given>> => definition as TypedDefinition<RowOf<Given>>

/**
 * Makes a pipeline from a file (YAML, JSON, TypeScript), or from a definition as a value.
 *
 * ```ts
 * const pipeline = createPipeline("pipelines/crawl-site.yaml", { inputs: { site: "https://docs.example.com" } })
 * for await (const row of pipeline.rows()) console.log(row.title)
 * ```
 *
 * `Row` is the type of the rows. For a definition given as a value it is inferred from the steps, as in `Pipeline.make`. For a file you
 * state it, and nothing checks it here: use the interface of the pipeline's contract, whose `onType: reject` and `onMissing: reject` reject
 * all other rows.
 *
 * ```ts
 * // sluice contract emit shop.yaml --format typescript > shop.rows.ts
 * import type { Shop } from "./shop.rows.ts"
 *
 * for await (const row of createPipeline<Shop>("shop.yaml").rows()) console.log(row.price.toFixed(2))
 * ```
 */
export const createPipeline = <Row extends object = never, const Value = unknown>(
  // The branch that is never taken lets TypeScript infer the literal; the value is checked against the other branch.
  definition: [Value] extends [never] ? Value : string | PlainDefinition,
  options: PipelineOptions = {}
): RunnablePipeline<NamedOr<Row, Value>> =>
  runnable(definition as string | PlainDefinition, options, callSiteOf(createPipeline))

const runnable = <Row extends object>(
  definition: string | PlainDefinition,
  options: PipelineOptions,
  callSite: string | undefined
): RunnablePipeline<Row> => {
  requireKnown("createPipeline", options, pipelineOptions)
  const dataDir = resolve(options.dataDir ?? ".sluice")
  const given: Given = {
    inputs: options.inputs,
    env: options.env,
    allowCode: options.allowCode,
    secrets: Object.fromEntries(
      Object.entries(options.secrets ?? {}).map(([name, secret]) => [name, Redacted.make(secret)])
    )
  }

  const { databaseUrl } = options
  const ledger = databaseUrl === undefined ? Ledger.layer(dataDir) : Ledger.layerPostgres(Redacted.make(databaseUrl))

  /** Makes the run and provides everything that it needs, as long as the scope is open. */
  const execute = (
    { resume, withCurrent }: RunOptions,
    tap: Run.RunOptions["tap"],
    watch: (run: Run.Run) => Effect.Effect<void, never, Scope.Scope>
  ) =>
    Effect.gen(function* () {
      const checked = yield* typeof definition === "string"
        ? load(definition, given)
        : fromAt(definition, given, ".", callSite)
      const { frame, source } = checked
      const kept = resume === undefined ? undefined : yield* Run.resuming(resume, checked, { withCurrent })
      const scope = scopeBefore(checked, { env: given.env ?? {}, secrets: secretsOf(given) })
      yield* ensure(checked, scope, options.baseUrl === undefined ? local : hosted(options.baseUrl))
      const site = frame.site === undefined ? undefined : yield* LocalSite.serve(resolve(source.folder, frame.site))
      const run = yield* Run.make(checked, {
        out: options.out === undefined ? undefined : resolve(options.out),
        dataDir,
        env: given.env,
        secrets: secretsOf(given),
        wanted: options.limit,
        backfill: options.backfill,
        allowCode: options.allowCode,
        site,
        tap,
        ...kept
      })
      yield* watch(run)
      return yield* Effect.provide(run.execute, clientOf(options, checked, dataDir, site))
    }).pipe(Effect.scoped, Effect.provide(ledger))

  const rows = (options: RunOptions) => makeRowStream((tap) => execute(options, tap, () => Effect.void))
  // Unchecked: the caller states the type of the rows.
  const contentOf = ({ data }: Run.Row): Row => data as object as Row
  const events = (options: RunOptions) =>
    Stream.unwrapScoped(
      Effect.gen(function* () {
        const told = yield* Queue.sliding<RunEvent<Row>>(1)
        let begun: RunEvent<Row> | undefined
        let summary: Run.Summary | undefined
        const watch = ({ id, progress }: Run.Run) => {
          begun = { type: "started", runId: id }
          return progress.pipe(
            Effect.flatMap((progress) => Queue.offer(told, { type: "progress", progress })),
            Effect.repeat(Schedule.spaced(progressInterval)),
            Effect.forkScoped,
            Effect.asVoid
          )
        }
        const given = makeRowStream((tap) =>
          Effect.tap(execute(options, tap, watch), (ended) =>
            Effect.sync(() => {
              summary = ended
            })
          )
        ).pipe(Stream.map((row): RunEvent<Row> => ({ type: "row", row: contentOf(row) })))
        const last = Stream.suspend(() =>
          summary === undefined ? Stream.empty : Stream.make<[RunEvent<Row>]>({ type: "completed", summary })
        )
        return Stream.merge(given, Stream.fromQueue(told), { haltStrategy: "left" }).pipe(
          Stream.concat(last),
          Stream.mapConcat((event) => {
            const first = begun
            begun = undefined
            return first === undefined ? [event] : [first, event]
          })
        )
      })
    )
  const { call, iterate } = runner(runtimeOf(NodeContext.layer))
  const known = (method: string, callOptions: RunOptions): RunOptions => {
    requireKnown(`${method}()`, callOptions, runOptions)
    return callOptions
  }
  return {
    run: (callOptions = {}) =>
      call(
        Effect.suspend(() => execute(known("run", callOptions), undefined, () => Effect.void)),
        callOptions
      ),
    rows: (callOptions = {}) => iterate(Stream.map(rows(known("rows", callOptions)), contentOf), callOptions),
    events: (callOptions = {}) => iterate(events(known("events", callOptions)), callOptions)
  }
}
