/** What can be wrong around a command, beside what its parts fail with. */
import * as Data from "effect/Data"
import { didYouMean } from "../Row/Nearest.ts"
import { ExitCode } from "../TypedError/ExitCode.ts"
import { homeOf } from "./Profile.ts"
import { count } from "./Words.ts"

/** A setting cannot be used. */
export class SettingInvalid extends Data.TaggedError("SettingInvalid")<{
  /** Its name in the environment. */
  readonly name: string
  readonly reason: string
}> {
  readonly exitCode = ExitCode.invalid
  override get message() {
    return `the setting ${this.name} cannot be used: ${this.reason.replace(/[.\s]+$/, "")}. Correct it ${homeOf(this.name)}.`
  }
}

/** `check` found mistakes; they have been printed. */
export class MistakesFound extends Data.TaggedError("MistakesFound")<{
  readonly mistakes: number
  /** Definitions, or folders, that have one. */
  readonly invalid: number
  readonly fine: number
}> {
  readonly exitCode = ExitCode.invalid
  override get message() {
    const fine = this.fine === 0 ? "" : `; ${count(this.fine, "definition")} ${this.fine === 1 ? "is" : "are"} fine`
    return `${count(this.mistakes, "mistake")}${this.invalid > 1 ? ` in ${count(this.invalid, "definition")}` : ""}${fine}`
  }
}

/** `check` was given test or lock files and no definition. */
export class OnlyBeside extends Data.TaggedError("OnlyBeside")<{ readonly files: ReadonlyArray<string> }> {
  readonly exitCode = ExitCode.usage
  override get message() {
    const [first = ""] = this.files
    return /\.lock\.json$/.test(first)
      ? `${first} is a lock file and no definition: name the definition that pins it`
      : `${first} is a test file and no definition: sluice test ${first} reads and runs it`
  }
}

/** `doctor` found something broken that nothing works without; it has been printed. */
export class EssentialBroken extends Data.TaggedError("EssentialBroken")<{ readonly names: ReadonlyArray<string> }> {
  override get message() {
    return `${this.names.join(", ")}: nothing runs before this is put right`
  }
}

/** `explain` was asked about a word that the language does not have. */
export class NothingToExplain extends Data.TaggedError("NothingToExplain")<{
  readonly name: string
  /** `, did you mean …?`, or nothing. */
  readonly hint: string
}> {
  readonly exitCode = ExitCode.usage
  override get message() {
    return `there is no step, sink or topic "${this.name}"${this.hint === "" ? ": `sluice explain` lists all of them" : this.hint}`
  }
}

/** `fmt --check` found files that it would write otherwise; they have been printed. */
export class LaidOutOtherwise extends Data.TaggedError("LaidOutOtherwise")<{ readonly files: number }> {
  readonly exitCode = ExitCode.checkFailed
  override get message() {
    return `${count(this.files, "definition")} ${this.files === 1 ? "is" : "are"} laid out otherwise: sluice fmt --write`
  }
}

/** A file or folder that a command needs for itself. */
export class FileUnusable extends Data.TaggedError("FileUnusable")<{
  readonly path: string
  readonly reason: string
  readonly cause?: unknown
}> {
  override get message() {
    return `cannot use ${this.path}: ${this.reason}`
  }
}

/** There is no such run, or nothing of it to go on with. */
export class NotResumable extends Data.TaggedError("NotResumable")<{
  readonly run: string | undefined
  readonly reason: string
}> {
  override get message() {
    return `${this.run === undefined ? "no run can be resumed" : `run ${this.run} cannot be resumed`}: ${this.reason}`
  }
}

/** The run is none that workers have, or it is over. */
export class NotStoppable extends Data.TaggedError("NotStoppable")<{ readonly run: string; readonly reason: string }> {
  readonly exitCode = ExitCode.usage
  override get message() {
    return `run ${this.run} cannot be stopped: ${this.reason}`
  }
}

/** The definition is not the one that the run began with; what has changed has been printed. */
export class DefinitionChanged extends Data.TaggedError("DefinitionChanged")<{
  readonly file: string
  readonly run: string
}> {
  readonly exitCode = ExitCode.invalid
  override get message() {
    return `${this.file} has changed since run ${this.run} began: put it back, or go on with it as it is now by --with-current`
  }
}

/** No run has been made with this data folder. */
export class NothingYet extends Data.TaggedError("NothingYet")<{ readonly dataDir: string }> {
  override get message() {
    return `there is no ledger in ${this.dataDir}: no run was made with it yet. Name another with --data.`
  }
}

/** The ledger has no such run. */
export class NoSuchRun extends Data.TaggedError("NoSuchRun")<{
  readonly run: string
  /** Ids of the newest runs. */
  readonly known: ReadonlyArray<string>
}> {
  override get message() {
    if (this.known.length === 0) return "the ledger has no run yet: sluice run FILE makes one"
    const hint = didYouMean(this.run, this.known) || `: the newest is ${this.known[0]}`
    return `the ledger has no run ${this.run}${hint}; sluice runs lists them`
  }
}

/** Words that are right one by one, and together ask for nothing that can be done. */
export class WrongUsage extends Data.TaggedError("WrongUsage")<{ readonly reason: string }> {
  readonly exitCode = ExitCode.usage
  override get message() {
    return this.reason
  }
}

/** What is asked of the state cannot be done. */
export class StateRefused extends Data.TaggedError("StateRefused")<{
  readonly action: string
  readonly reason: string
}> {
  readonly exitCode = ExitCode.usage
  override get message() {
    return `state ${this.action}: ${this.reason}`
  }
}

/** No worker has this name. */
export class NoSuchWorker extends Data.TaggedError("NoSuchWorker")<{ readonly id: string }> {
  readonly exitCode = ExitCode.usage
  override get message() {
    return `no worker is called ${this.id}: sluice worker list names them`
  }
}

/** No reject of the run can be sent through again. */
export class NothingToReplay extends Data.TaggedError("NothingToReplay")<{
  readonly run: string
  readonly reason: string
}> {
  override get message() {
    return `nothing of run ${this.run} can be replayed: ${this.reason}`
  }
}

/** What is asked of schedules cannot be done. */
export class ScheduleRefused extends Data.TaggedError("ScheduleRefused")<{ readonly reason: string }> {
  readonly exitCode = ExitCode.usage
  override get message() {
    return this.reason
  }
}

/** Schedules that another scheduler cannot carry out, or that are broken; why has been printed. */
export class SchedulesLeftOut extends Data.TaggedError("SchedulesLeftOut")<{ readonly names: ReadonlyArray<string> }> {
  readonly exitCode = ExitCode.invalid
  override get message() {
    return `${this.names.join(", ")}: left out`
  }
}

/** Somebody else carries the instant out, or it is theirs to go on with. */
export class InstantTaken extends Data.TaggedError("InstantTaken")<{
  readonly pipeline: string
  readonly instant: number
  readonly status: string
}> {
  readonly exitCode = ExitCode.locked
  override get message() {
    return `${this.pipeline} is ${this.status} for ${new Date(this.instant).toISOString()} already: sluice schedule history ${this.pipeline}`
  }
}
