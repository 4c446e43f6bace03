/** How a program ends: one failure in plain words, and the exit code. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as Cause from "effect/Cause"
import * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import { DefinitionInvalid } from "../Pipeline/Mistake.ts"
import { RunFailed } from "../Run.ts"
import { StepError } from "../Step.ts"
import { ExitCode } from "./ExitCode.ts"
import { type Channel, emphasise, paint, type Terminal } from "./Terminal.ts"
import type { Failure, Program } from "./Verb.ts"

const invalid: ReadonlySet<string> = new Set([
  "DefinitionInvalid",
  "ConfigError",
  "SettingInvalid",
  "InvalidBaseUrl",
  "MistakesFound",
  "SiteOutOfReach"
])

/** The innermost word on what failed. */
const rootOf = (failure: Failure): Failure => (failure instanceof RunFailed ? rootOf(failure.reason) : failure)

/** What scripts see of a failure. */
export const exitCodeOf = (failure: Failure): number => {
  const root = rootOf(failure)
  const reason = root instanceof StepError ? root.reason : root._tag
  if (reason === "TooManyRejects") return ExitCode.tooManyRejects
  return invalid.has(reason) ? ExitCode.invalid : ExitCode.failed
}

/** A configuration error by the names of the variables, without the library's brackets. */
const describeConfig = (error: ConfigError.ConfigError): string => {
  switch (error._op) {
    case "And":
    case "Or":
      return `${describeConfig(error.left)}; ${describeConfig(error.right)}`
    default:
      return `the setting ${error.path.join(".")} cannot be used: ${error.message}`
  }
}

/** What people read of a failure: one message, nothing of the machinery. */
export const messageOf = (failure: Failure): string => {
  const root = rootOf(failure)
  if (ConfigError.isConfigError(root)) return describeConfig(root)
  // A run knows in which step it failed, and where that stands.
  return root instanceof StepError ? failure.message : root.message
}

/** Texts of a service may hold anything: what would steer the terminal is left out. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const plain = (text: string): string => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "")

/** Mistakes stand each on its line with its place; everything else follows the word error. */
const render = (failure: Failure, channel: Channel): string => {
  const dye = paint(channel)
  const error = (text: string) => `${dye.red("error:")} ${plain(text.replace(/\s*\n\s*/g, " "))}\n`
  const root = rootOf(failure)
  if (!(root instanceof DefinitionInvalid)) return error(messageOf(failure))
  const { file, mistakes } = root
  const [first] = mistakes
  if (mistakes.length === 1 && first?.given) return error(first.message)
  if (mistakes.length === 1 && first?.line === undefined) return error(`${file}: ${first?.message}`)
  const lines = root.message.split("\n")
  const places = lines.slice(0, -1).map((line) => emphasise(line, dye))
  return `${places.join("\n")}\n${error(lines[lines.length - 1] ?? "")}`
}

/** Warnings and worse go to stderr, a line each. */
const logger = ({ err }: Terminal) =>
  Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ cause, logLevel, message }) => {
      const dye = paint(err)
      const texts = (Array.isArray(message) ? message : [message]).map((each) =>
        typeof each === "string" ? each : (JSON.stringify(each) ?? String(each))
      )
      const reason = Cause.isEmpty(cause) ? [] : [Cause.pretty(cause)]
      const [label, colour] = LogLevel.greaterThanEqual(logLevel, LogLevel.Error)
        ? (["error:", dye.red] as const)
        : LogLevel.greaterThanEqual(logLevel, LogLevel.Warning)
          ? (["warning:", dye.yellow] as const)
          : ([`${logLevel.label.toLowerCase()}:`, dye.dim] as const)
      err.write(`${colour(label)} ${plain([...texts, ...reason].join(" "))}\n`)
    })
  )

interface Surroundings {
  readonly terminal: Terminal
  readonly stop: AbortSignal
  readonly debug: boolean
}

/** Runs a program to its end. When it is told to stop, its finalizers still run. */
export const settle = (program: Program, { debug, stop, terminal }: Surroundings): Promise<number> => {
  const level = Logger.minimumLogLevel(debug ? LogLevel.Debug : LogLevel.Warning)
  const layer = Layer.mergeAll(NodeFileSystem.layer, NodePath.layer, logger(terminal), level)
  return Effect.runPromiseExit(Effect.provide(program, layer), { signal: stop }).then((exit) => {
    terminal.err.status("")
    if (Exit.isSuccess(exit)) return ExitCode.ok
    if (debug) terminal.err.write(`${Cause.pretty(exit.cause, { renderErrorCause: true })}\n`)
    if (stop.aborted) return ExitCode[stop.reason as "SIGHUP" | "SIGINT" | "SIGTERM"] ?? ExitCode.failed
    const failure = Cause.failureOption(exit.cause)
    if (Option.isSome(failure)) {
      terminal.err.write(render(failure.value, terminal.err))
      return exitCodeOf(failure.value)
    }
    const defect = Cause.squash(exit.cause)
    const said = defect instanceof Error ? defect.message : String(defect)
    terminal.err.write(
      `${paint(terminal.err).red("error:")} ${said}\nThis should not happen: it is a fault of sluice. --debug shows where.\n`
    )
    return ExitCode.failed
  })
}
