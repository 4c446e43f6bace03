/** Publication of a run: seals its files, compares them with earlier runs, and gives them their final names. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import { describeVerdict, type Verdict } from "../Health/Verdict.ts"
import { Ledger } from "../Ledger.ts"
import { ofShard } from "../Sink/Conform.ts"
import * as Manifest from "../Sink/Manifest.ts"
import * as Publish from "../Sink/Publish.ts"
import * as Rebase from "../Sink/Rebase.ts"
import { isOwnEngine, Tariff } from "../Step/Cost.ts"
import { incompleteWarning } from "../Step/Incomplete.ts"
import type { Sealed } from "../Step/Output.ts"
import { StepError } from "../Step.ts"
import * as HealthCheck from "./HealthCheck.ts"
import { type BuiltRun, type JournaledRun, orWarn, restoreCounters, trialsOf } from "./OpenRun.ts"
import { ledgerFailed } from "./RunErrors.ts"
import { isStateless } from "./RunSpec.ts"
import * as State from "./State.ts"
import { conclude, setResumable } from "./WindDown.ts"

/** Adds the manifests. Files of a shard are listed in the manifest of its run. */
const withManifests = (
  { checked, handle, options }: BuiltRun,
  sealed: ReadonlyArray<Sealed>,
  verdicts: ReadonlyArray<Verdict>
) =>
  options.parentRun !== undefined
    ? Effect.succeed(sealed)
    : Manifest.sealAll(sealed, {
        pipeline: checked.frame.name,
        runId: handle.id,
        startedAt: new Date(handle.startedAt).toISOString(),
        ...(handle.counters.changes.size === 0 ? {} : { changes: Object.fromEntries(handle.counters.changes) }),
        ...(verdicts.length === 0
          ? {}
          : { health: verdicts.map((each) => ({ level: each.level, message: describeVerdict(each) })) })
      }).pipe(Effect.mapBoth({ onFailure: StepError.of, onSuccess: (manifests) => [...sealed, ...manifests] }))

/**
 * Compares the run with earlier ones. If the comparison fails for any reason, the finished run survives: only its contracts can still hold
 * its outputs.
 */
const assess = (run: Parameters<typeof HealthCheck.assess>[0]) =>
  Effect.catchAllCause(HealthCheck.assess(run), (cause) => {
    if (Cause.isInterrupted(cause)) return Effect.failCause(cause)
    const reason = Cause.prettyErrors(cause)[0]?.message ?? "the reason is unknown"
    const warning = Effect.logWarning(`the run was not compared with earlier ones: ${reason}`)
    return Effect.as(warning, HealthCheck.onlyDrift(run))
  })

/**
 * Leaves older outputs in place if all sources were empty: an empty file, list or standard input is more often a failed export than news
 * that everything is gone.
 */
const withoutBlank = ({ checked, handle: { counters }, options }: BuiltRun, sealed: ReadonlyArray<Sealed>) => {
  const blank = (checked.all ?? checked.nodes).filter(({ id }) => counters.incomplete.get(id)?.has("blank") === true)
  const isBlank = blank.length > 0 && counters.rows + counters.rejects === 0 && options.replay === undefined
  return isBlank ? Publish.keepOlder(sealed, blank.map(({ id }) => id).join(", ")) : Effect.succeed(sealed)
}

/**
 * Seals all files, compares the run with the last good ones, seals the manifests that list the files, and records all of this in the
 * ledger. If it fails the run has failed: no sink can write after its seal. Returns why the outputs are held, if they are.
 */
export const seal = (built: BuiltRun, isCut: boolean) =>
  Effect.gen(function* () {
    const { asWritten, journal, options, run, topology } = built
    const seals = topology.operators.toReversed().flatMap(({ seal }) => (seal === undefined ? [] : [seal]))
    const all = yield* Effect.forEach(seals, (seal) => seal)
    const files = options.parentRun === undefined ? yield* withoutBlank(built, all) : all.map(ofShard)
    const { rate } = yield* Tariff
    const own = { checked: asWritten, options, check: run.health, isCut, isOwnEngine: isOwnEngine(rate), sealed: files }
    const health = yield* assess({ ...run, ...own })
    const sealed = yield* withManifests(built, files, health?.verdicts ?? [])
    yield* Effect.mapError(journal.recordSealed(sealed, health), ledgerFailed)
    if (health !== undefined) yield* HealthCheck.warn(health, sealed)
    return { sealed, held: health?.held }
  }).pipe(Effect.tapError(({ message }) => conclude(built, "failed", message)))

/**
 * Gives the files their final names and completes the run in the ledger; state across runs takes effect in the same transaction. Can be
 * repeated after a crash or a failure: some files may then have their final names already, and a resume publishes the others.
 */
export const publish = (
  { checked, handle, journal, options }: JournaledRun,
  sealed: ReadonlyArray<Sealed>,
  completeness: State.Completeness,
  budgetMessage: string | undefined
) =>
  Effect.gen(function* () {
    const { forgetAfter } = checked.frame.state ?? {}
    const written = yield* Effect.mapError(Publish.publish(sealed, yield* trialsOf(options)), StepError.of)
    const outputs = options.parentRun === undefined ? written.map(({ contract: _, ...output }) => output) : written
    yield* Effect.forEach(
      sealed.flatMap(({ warnings }) => warnings),
      (warning) => Effect.logWarning(warning),
      { discard: true }
    )
    const expiry = forgetAfter && {
      after: Duration.toMillis(forgetAfter),
      steps: checked.remembering.filter((step) => completeness.mayForget(step))
    }
    yield* Effect.mapError(journal.complete(outputs, expiry, budgetMessage), ledgerFailed)
    if (forgetAfter !== undefined && options.replay === undefined && !isStateless(options)) {
      for (const step of checked.remembering.filter((each) => !completeness.mayForget(each))) {
        const why = completeness.warningOnce(step)
        if (why !== undefined) yield* Effect.logWarning(incompleteWarning(step, why))
      }
    }
    const status = budgetMessage === undefined ? ("completed" as const) : ("budget" as const)
    yield* Ref.update(handle.phase, (now) =>
      now._tag === "Running" ? { _tag: "Published" as const, begun: now.begun, status, outputs } : now
    )
  }).pipe(
    Effect.tapError(({ message }) =>
      Effect.zipRight(setResumable(handle, true), orWarn(journal.end("failed", message)))
    )
  )

/** Publishes a run that was sealed before it crashed or failed. */
export const publishAgain = (journaled: JournaledRun, sealed: ReadonlyArray<Sealed>) =>
  Effect.gen(function* () {
    const { checked, handle, journal, options } = journaled
    const { counters } = handle
    yield* restoreCounters(counters, options.resume, journal)
    const completeness = State.makeCompleteness(checked, counters, { isReplay: options.replay !== undefined })
    const budgetMessage = options.budgetMessage ?? counters.budgetMessage
    yield* publish(journaled, yield* fitted(journaled, sealed), completeness, budgetMessage)
    return budgetMessage
  })

/** Files of a held run, rebased onto what other runs have published since. */
const fitted = ({ handle: { id }, journal }: JournaledRun, sealed: ReadonlyArray<Sealed>) =>
  Effect.gen(function* () {
    const { held } = yield* Ledger
    if (!(yield* Effect.mapError(held.isReleased(id), ledgerFailed))) return sealed
    const written = yield* Effect.mapError(held.writtenSince(id), ledgerFailed)
    const fs = yield* FileSystem.FileSystem
    const rebased = yield* Effect.mapError(Rebase.rebase(fs, sealed, { runId: id, written }), StepError.of)
    yield* Effect.mapError(journal.recordSealed(rebased), ledgerFailed)
    return rebased
  })
