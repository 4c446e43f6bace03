/** Errors that several verbs share. */
import * as Data from "effect/Data"
import { fileErrorReason } from "../Files/FileErrors.ts"
import { didYouMean } from "../Row/Nearest.ts"
import { ExitCode } from "../TypedError/ExitCode.ts"
import { homeOf } from "./CommandSettings.ts"
import { count } from "./Format.ts"

/** A setting is not usable. */
export class SettingInvalid extends Data.TaggedError("SettingInvalid")<{
  /** Name of the environment variable. */
  readonly name: string
  readonly reason: string
}> {
  readonly exitCode = ExitCode.invalid
  override get message() {
    return `the setting ${this.name} cannot be used: ${this.reason.replace(/[.\s]+$/, "")}. Correct it ${homeOf(this.name)}.`
  }
}

/** `check` found mistakes, which have been printed. */
export class MistakesFound extends Data.TaggedError("MistakesFound")<{
  readonly mistakes: number
  /** Number of definitions, or folders, with mistakes. */
  readonly invalid: number
  readonly fine: number
}> {
  readonly exitCode = ExitCode.invalid
  override get message() {
    const fine = this.fine === 0 ? "" : `; ${count(this.fine, "definition")} ${this.fine === 1 ? "is" : "are"} fine`
    return `${count(this.mistakes, "mistake")}${this.invalid > 1 ? ` in ${count(this.invalid, "definition")}` : ""}${fine}`
  }
}

/** A file or folder that a command needs is not usable. */
export class FileUnusable extends Data.TaggedError("FileUnusable")<{
  readonly path: string
  readonly reason: string
  readonly cause?: unknown
}> {
  override get message() {
    return `cannot use ${this.path}: ${this.reason}`
  }
}

/** Error for a file that the system does not let be used; `todo` says what to do. */
export const unusable =
  (path: string, todo?: string) =>
  (cause: Parameters<typeof fileErrorReason>[0]): FileUnusable => {
    const reason = fileErrorReason(cause)
    return new FileUnusable({ path, reason: todo === undefined ? reason : `${reason}. ${todo}`, cause })
  }

/** Some files could not be read; each of them has been reported. */
export class FilesUnread extends Data.TaggedError("FilesUnread")<{
  readonly files: number
  readonly of: number
  readonly noun: string
}> {
  override get message() {
    return `${this.files} of ${count(this.of, this.noun)} could not be read`
  }
}

/** No run has used this data folder yet. */
export class NothingYet extends Data.TaggedError("NothingYet")<{ readonly dataDir: string }> {
  override get message() {
    return `there is no ledger in ${this.dataDir}: no pipeline has run with this data folder. Name another folder with --data.`
  }
}

/** The ledger has no such run. */
export class NoSuchRun extends Data.TaggedError("NoSuchRun")<{
  readonly run: string
  /** Ids of the newest runs. */
  readonly known: ReadonlyArray<string>
}> {
  override get message() {
    if (this.known.length === 0) return "the ledger has no run yet: start one with sluice run FILE"
    const hint = didYouMean(this.run, this.known) || `: the newest is ${this.known[0]}`
    return `the ledger has no run ${this.run}${hint}; sluice runs lists them`
  }
}

/** Arguments that are valid individually, but not together, or that request what is not possible. */
export class WrongUsage extends Data.TaggedError("WrongUsage")<{
  readonly message: string
  /** `error.code` in JSON, where callers tell this reason from others. */
  readonly code?: string | undefined
}> {
  readonly exitCode = ExitCode.usage
}

export const wrongUsage = (message: string, code?: string) => new WrongUsage({ message, code })

/** Wrong usage of `sluice schedule`. */
export const scheduleRefused = (message: string) => wrongUsage(message, "ScheduleRefused")

/** The action is not possible, or has failed. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{
  readonly message: string
  /** `error.code` in JSON, where callers tell this reason from others. */
  readonly code?: string | undefined
}> {}

export const commandFailed = (message: string, code?: string) => new CommandFailed({ message, code })

/** A check found what has to be changed, and has printed it. */
class DifferencesFound extends Data.TaggedError("DifferencesFound")<{ readonly message: string }> {
  readonly exitCode = ExitCode.checkFailed
}

export const checkFailed = (message: string) => new DifferencesFound({ message })

/**
 * Schedules were left out, because the other scheduler cannot express them or their definitions are invalid; the reasons have been printed.
 */
export class SchedulesLeftOut extends Data.TaggedError("SchedulesLeftOut")<{ readonly names: ReadonlyArray<string> }> {
  readonly exitCode = ExitCode.invalid
  override get message() {
    return `${this.names.join(", ")}: left out`
  }
}

/** Another process runs this scheduled time, or will resume it. */
export class OccurrenceTaken extends Data.TaggedError("OccurrenceTaken")<{
  readonly pipeline: string
  readonly scheduledTime: number
  readonly status: string
}> {
  readonly exitCode = ExitCode.locked
  override get message() {
    return `${this.pipeline} is already ${this.status} for ${new Date(this.scheduledTime).toISOString()}: sluice schedule history ${this.pipeline} shows more`
  }
}
