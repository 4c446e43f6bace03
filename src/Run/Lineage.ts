/**
 * OpenLineage events of a run: START, then COMPLETE, FAIL or ABORT, with its inputs, its outputs, their schemas and figures.
 *
 * - Each attempt at a run is a separate OpenLineage run; a resume starts a new one. The facet `sluice_run` has the id for `sluice show`.
 * - An output is one dataset, however many files it has: its path, with `*` in place of the parts that differ between files.
 * - No events for trials, pipeline tests, and shards of a cluster, which are covered by their run.
 * - Nothing here delays or fails a run: failed events are logged, and `LineageOutbox` sends the others.
 */
import * as NodePath from "node:path"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { type Columns, load as loadContract, outputOf } from "../Contract/Contract.ts"
import type { FieldMetrics, SinkMetrics } from "../Health/Profile.ts"
import type { Verdict } from "../Health/Verdict.ts"
import { Ledger } from "../Ledger.ts"
import type { Checked } from "../Pipeline/Check.ts"
import { resourcesOf } from "../Pipeline/Resources.ts"
import { sha256 } from "../Row/Hash.ts"
import { globOf, isFileOf } from "../Sink/Destination.ts"
import type { Destination } from "../Step/Output.ts"
import { mapping } from "../Step/Requirements.ts"
import * as Redaction from "../Telemetry/Redaction.ts"
import { version } from "../Version.ts"
import * as LineageOutbox from "./LineageOutbox.ts"
import type { RunFailed, RunHandle, Summary } from "./RunResult.ts"
import { summarize } from "./RunResult.ts"
import { isTrial, type ResolvedOptions } from "./RunSpec.ts"

const producer = `pkg:npm/sluice@${version}`

const spec = (path: string, name: string) => `https://openlineage.io/spec/${path}.json#/$defs/${name}`

/** Makes an OpenLineage facet; its schema is given by name and version. */
const facet = (name: string, release: string, fields: object) => ({
  _producer: producer,
  _schemaURL: spec(`facets/${release}/${name}`, name),
  ...fields
})

/** Deterministic id of an attempt: UUID version 7, with digits of a hash instead of random ones. */
const uuidOf = (id: string, startedAt: number): string => {
  const time = startedAt.toString(16).padStart(12, "0")
  const hash = sha256(`${id} ${startedAt}`)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`
}

/** The most frequent type of a field's values, for outputs without a contract. */
const usualType = ({ types }: FieldMetrics): string | undefined =>
  Object.entries(types).toSorted(([, one], [, other]) => other - one)[0]?.[0]

const schemaFacet = (columns: Columns | undefined, metrics: SinkMetrics | undefined) => {
  const measured = Object.entries(metrics?.fields ?? {}).filter(([name]) => !Object.hasOwn(columns ?? {}, name))
  const fields = [
    ...Object.entries(columns ?? {}).map(([name, { description, type }]) => ({ name, type, description })),
    ...measured.map(([name, field]) => ({ name, type: usualType(field) }))
  ]
  return fields.length === 0 ? {} : { schema: facet("SchemaDatasetFacet", "1-1-1", { fields }) }
}

const columnMetrics = ({ distinct, fill, measured, numbers }: FieldMetrics, rows: number) => {
  const count = Math.round(fill * rows)
  const [min, low, median, high, max] = numbers
  return {
    nullCount: rows - count,
    count,
    // Distinct values of long outputs are counted in a sample: report the count only if the sample contains every value.
    ...(distinct > 0 && measured >= count ? { distinctCount: Math.round(distinct) } : {}),
    ...(min === undefined ? {} : { min, max, quantiles: { "0.1": low, "0.5": median, "0.9": high } })
  }
}

const qualityFacets = (metrics: SinkMetrics | undefined, verdicts: ReadonlyArray<Verdict>) => ({
  ...(metrics === undefined
    ? {}
    : {
        dataQualityMetrics: facet("DataQualityMetricsDatasetFacet", "1-0-0", {
          rowCount: metrics.rows,
          columnMetrics: Object.fromEntries(
            Object.entries(metrics.fields).map(([name, field]) => [name, columnMetrics(field, metrics.rows)])
          )
        })
      }),
  ...(verdicts.length === 0
    ? {}
    : {
        dataQualityAssertions: facet("DataQualityAssertionsDatasetFacet", "1-0-1", {
          assertions: verdicts.map(({ field, level, metric }) => ({
            assertion: metric,
            success: level !== "broken",
            ...(field === undefined ? {} : { column: field })
          }))
        })
      })
})

/** Files and sites named in the definition. */
const inputsOf = (checked: Checked) =>
  Effect.gen(function* () {
    const { source } = checked
    const value = { ...mapping(source.value), notify: undefined, extensions: undefined }
    const { hosts, reads } = yield* resourcesOf(
      { ...checked, source: { ...source, value } },
      { env: {}, secrets: () => undefined }
    )
    const isKnown = (name: string) => name !== "*" && !name.includes("${{")
    return [
      ...hosts.filter(isKnown).map((host) => ({ namespace: `https://${host}`, name: "/" })),
      ...reads.filter(isKnown).map((name) => ({ namespace: "file", name }))
    ]
  })

interface Sink {
  readonly step: string
  readonly destination: Destination
}

const sinksOf = ({ all, nodes }: Checked): ReadonlyArray<Sink> =>
  (all ?? nodes).flatMap(({ config, id, step: { behaviour } }) => {
    const destination = behaviour.kind === "sink" ? behaviour.destination(config) : undefined
    return destination === undefined || destination.path === "-" ? [] : [{ step: id, destination }]
  })

const datasetOf = ({ destination }: Sink, out: string) => ({
  namespace: "file",
  name: NodePath.resolve(out, globOf(destination))
})

/** The outputs when the run has ended; with figures only if the run has published. */
const outputsOf = (checked: Checked, out: string, { outputs, runId }: Summary, isPublished: boolean) =>
  Effect.gen(function* () {
    const { health } = yield* Ledger
    const contract = yield* Effect.orElseSucceed(loadContract(checked.source), () => undefined)
    const measured = new Map((yield* health.sinksOf(runId)).map((record) => [record.sink, record]))
    return sinksOf(checked).map((sink) => {
      const files = outputs.filter((output) => isFileOf(sink.destination, out, output))
      const record = measured.get(sink.step)
      const sum = (of: "bytes" | "rows") => files.reduce((total, file) => total + file[of], 0)
      const statistics = { rowCount: sum("rows"), size: sum("bytes"), fileCount: files.length }
      return {
        ...datasetOf(sink, out),
        facets: {
          ...schemaFacet(outputOf(contract, sink.step)?.columns, record?.metrics),
          ...qualityFacets(record?.metrics, record?.verdicts ?? [])
        },
        ...(isPublished
          ? { outputFacets: { outputStatistics: facet("OutputStatisticsOutputDatasetFacet", "1-0-2", statistics) } }
          : {})
      }
    })
  })

type EventType = "START" | "COMPLETE" | "FAIL" | "ABORT"

/** Reports the states of an attempt at a run. */
export interface Recorder {
  /** Call once the ledger knows the run. */
  readonly started: Effect.Effect<void>
  /** Reports the result of the run; does nothing if the run has not started. */
  readonly ended: (exit: Exit.Exit<Summary, RunFailed>) => Effect.Effect<void, never, Ledger | FileSystem.FileSystem>
}

const silent: Recorder = { started: Effect.void, ended: () => Effect.void }

const orWarn = LineageOutbox.unlessInterrupted((reason) =>
  Effect.logWarning(`no lineage event was recorded: ${reason}`)
)

const endOf = (status: Summary["status"], isPublished: boolean): EventType =>
  isPublished ? "COMPLETE" : status === "stopped" ? "ABORT" : "FAIL"

/** Makes the recorder of an attempt; it does nothing unless lineage is enabled. */
export const make = (checked: Checked, options: ResolvedOptions, handle: RunHandle) =>
  Effect.gen(function* () {
    const target = yield* LineageOutbox.LineageTarget
    const isTold = options.parentRun === undefined && options.instead === undefined && !isTrial(options)
    if (target === undefined || !isTold) return silent
    const outbox = yield* LineageOutbox.make(target, NodePath.join(options.dataDir, "lineage"))
    const begun = options.resume === undefined ? handle.startedAt : yield* Clock.currentTimeMillis
    const attempt = uuidOf(handle.id, begun)
    let hasStarted = false

    const event = (type: EventType, at: number, runFacets: object, outputs: ReadonlyArray<object>) =>
      Effect.gen(function* () {
        const scheduledTime = options.scheduledFor?.toISOString()
        yield* outbox.add(`${String(at).padStart(15, "0")}-${attempt}-${type}`, {
          eventType: type,
          eventTime: new Date(at).toISOString(),
          producer,
          schemaURL: spec("2-0-2/OpenLineage", "RunEvent"),
          run: {
            runId: attempt,
            facets: {
              processing_engine: facet("ProcessingEngineRunFacet", "1-1-1", { version, name: "sluice" }),
              ...(scheduledTime === undefined
                ? {}
                : { nominalTime: facet("NominalTimeRunFacet", "1-0-1", { nominalStartTime: scheduledTime }) }),
              ...runFacets
            }
          },
          job: {
            namespace: target.namespace,
            name: checked.frame.name,
            facets: {
              jobType: facet("JobTypeJobFacet", "2-0-3", {
                processingType: "BATCH",
                integration: "SLUICE",
                jobType: "PIPELINE"
              })
            }
          },
          inputs: yield* inputsOf(checked),
          outputs
        })
      })

    /** Sluice's own figures, with the schema common to all facets. */
    const ownFacet = (fields: object) => ({
      sluice_run: { _producer: producer, _schemaURL: spec("2-0-2/OpenLineage", "RunFacet"), id: handle.id, ...fields }
    })

    const recorder: Recorder = {
      started: Effect.suspend(() => {
        hasStarted = true
        const outputs = sinksOf(checked).map((sink) => datasetOf(sink, options.out))
        return event("START", begun, ownFacet({}), outputs)
      }).pipe(orWarn, Effect.zipLeft(Effect.forkDaemon(outbox.send))),
      ended: (exit) =>
        Effect.gen(function* () {
          if (!hasStarted) return
          const failure = Exit.isFailure(exit) ? LineageOutbox.failureOf(exit.cause) : undefined
          const summary = Exit.isSuccess(exit)
            ? exit.value
            : (failure?.summary ?? (yield* summarize(handle, "stopped")))
          const { credits, rejects, rows, status } = summary
          const isPublished = (yield* handle.phase)._tag === "Published"
          const type = endOf(failure === undefined && Exit.isFailure(exit) ? "stopped" : status, isPublished)
          const error = isPublished ? undefined : failure?.message
          yield* Effect.gen(function* () {
            const outputs = yield* outputsOf(checked, options.out, summary, isPublished)
            const facets = {
              ...ownFacet({
                status: isPublished && status === "stopped" ? "completed" : status,
                rows,
                rejects,
                credits
              }),
              ...(error === undefined
                ? {}
                : {
                    errorMessage: facet("ErrorMessageRunFacet", "1-0-1", {
                      message: Redaction.scrub(error),
                      programmingLanguage: "TypeScript"
                    })
                  })
            }
            yield* event(type, yield* Clock.currentTimeMillis, facets, outputs)
          }).pipe(orWarn)
          yield* outbox.finish
        })
    }
    return recorder
  })
