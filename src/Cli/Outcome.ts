/** Runs a program and returns its exit code: prints errors as one message, and logs as text or JSON lines. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberRef from "effect/FiberRef"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import { safely } from "../Callback.ts"
import { DefinitionInvalid, Unable } from "../Pipeline/Issue.ts"
import { RunFailed } from "../Run/RunResult.ts"
import { catalogue } from "../Settings.ts"
import { StdoutClosed } from "../Sink/SinkErrors.ts"
import { StepError } from "../Step/StepError.ts"
import * as Log from "../Telemetry/Log.ts"
import { ExitCode } from "../TypedError/ExitCode.ts"
import { concealSecrets, homeOf, misspelledSettings } from "./CommandSettings.ts"
import { type Channel, emphasise, paint, plain, type Terminal, warn } from "./Terminal.ts"
import { withPermissions } from "./Trust.ts"
import type { Call, Failure, Program, Verb } from "./Verb.ts"

const levels: Readonly<Record<string, LogLevel.LogLevel>> = {
  debug: LogLevel.Debug,
  info: LogLevel.Info,
  warning: LogLevel.Warning,
  error: LogLevel.Error
}

/** The innermost failure: the reason of a failed run, or else the failure itself. */
const rootOf = (failure: Failure): Failure => (failure instanceof RunFailed ? rootOf(failure.reason) : failure)

/** Exit code declared by a failure; 1 by default. */
export const exitCodeOf = (failure: Failure): number => {
  const root = rootOf(failure)
  return ConfigError.isConfigError(root) ? ExitCode.invalid : (root.exitCode ?? ExitCode.failed)
}

type WrongSetting = Exclude<ConfigError.ConfigError, ConfigError.And | ConfigError.Or>

export const wrongSettings = (error: ConfigError.ConfigError): ReadonlyArray<WrongSetting> =>
  error._op === "And" || error._op === "Or" ? [...wrongSettings(error.left), ...wrongSettings(error.right)] : [error]

/** Describes a configuration error, setting by setting, in place of Effect's own text. */
const describeConfig = (error: ConfigError.ConfigError): string =>
  `${wrongSettings(error)
    .map(({ message, path }) => {
      const name = path.join(".")
      return `the setting ${name} cannot be used: ${message}. Correct it ${homeOf(name)}`
    })
    .join("; ")}.`

/** The message of a failure for users, without wrappers of the runtime. */
export const messageOf = (failure: Failure): string => {
  const root = rootOf(failure)
  if (ConfigError.isConfigError(root)) return describeConfig(root)
  // The run's message also names the step that failed, and its position in the file.
  return root instanceof StepError ? failure.message : root.message
}

/** Prints each mistake in a definition on a line with its position, and any other failure after `error:`. */
const render = (failure: Failure, channel: Channel): string => {
  const dye = paint(channel)
  const error = (text: string) => `${dye.red("error:")} ${plain(text.replace(/\s*\n\s*/g, " "))}\n`
  const root = rootOf(failure)
  if (root instanceof DefinitionInvalid && root.issues.length === 1) {
    const [first] = root.issues
    if (first?.input !== undefined) return error(first.message)
    if (first?.line === undefined) return error(`${root.file}: ${first?.message}`)
  } else if (!(root instanceof DefinitionInvalid || root instanceof Unable)) return error(messageOf(failure))
  return `${root.lines.map((line) => emphasise(line, dye)).join("\n")}\n${error(root.conclusion)}`
}

/** Message of a defect. */
export const unforeseen = (cause: Cause.Cause<unknown>): string => {
  const defect = Cause.squash(cause)
  return defect instanceof Error ? defect.message : String(defect)
}

/** Logger that writes warnings and errors to stderr, one per line. */
const logger = ({ err }: Terminal) =>
  Logger.replace(Logger.defaultLogger, err.line === undefined ? forPeople(err) : Log.logger(err.line))

const forPeople = (err: Channel) =>
  Logger.make<unknown, void>(({ cause, logLevel, message }) => {
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

const framesOf = (error: unknown): ReadonlyArray<string> =>
  Cause.pretty(Cause.fail(error))
    .split("\n")
    .filter((line) => /^\s+at /.test(line))

/** Stack traces and causes of a failure, outermost first, without messages that have already been printed. */
const trace = (cause: Cause.Cause<Failure>, told: string | undefined): string => {
  const lines: Array<string> = []
  const said = new Set([told])
  for (const outermost of [...Chunk.map(Cause.failures(cause), rootOf), ...Cause.defects(cause)]) {
    const seen = new Set<unknown>()
    for (let error: unknown = outermost; error !== undefined && !seen.has(error); ) {
      seen.add(error)
      const message = error instanceof Error ? error.message : String(error)
      if (!said.has(message)) lines.push(`${seen.size > 1 ? "caused by " : ""}${message}`)
      said.add(message)
      lines.push(...framesOf(error))
      error = error instanceof Error ? error.cause : undefined
    }
  }
  return lines.map((line) => `${plain(line)}\n`).join("")
}

/** Minimum log level that is printed. */
const levelOf = ({ env, err }: Terminal, debug: boolean): LogLevel.LogLevel => {
  const word = env[catalogue.logLevel.env]?.toLowerCase()
  const asked = word === undefined ? undefined : levels[word]
  return debug ? LogLevel.Debug : (asked ?? (err.line === undefined ? LogLevel.Warning : LogLevel.Info))
}

/** True if the address of a collector for traces, metrics and logs is set. The modules that export them are only loaded then. */
const isWatched = ({ env }: Terminal): boolean => (env[catalogue.otlpEndpoint.env] ?? "") !== ""

/** Runs the program with telemetry sent to the collector, and flushes it before the outcome is printed. */
const exporting = (program: Program, terminal: Terminal): Program =>
  Effect.flatMap(
    Effect.promise(() => import("./Telemetry.ts")),
    ({ layerOf }) => Effect.flatMap(layerOf(terminal), (layer) => Effect.provide(program, layer))
  )

/** True when an OpenLineage backend is set. */
const hasLineage = ({ env }: Terminal): boolean => (env[catalogue.lineageUrl.env] ?? "") !== ""

/** Runs the program and sends its lineage to the backend. Without lineage if the backend's settings are not usable. */
const tellingLineage = (program: Program, terminal: Terminal): Program =>
  Effect.gen(function* () {
    const { LineageTarget, targetOf } = yield* Effect.promise(() => import("./Lineage.ts"))
    const target = yield* Effect.catchAll(targetOf(terminal), (error) =>
      Effect.as(
        Effect.sync(() => warn(terminal.err, `${messageOf(error)} Lineage is switched off.`)),
        undefined
      )
    )
    return yield* Effect.provideService(program, LineageTarget, target)
  })

/** True if the run could not write its rows, because the reader of standard output has closed the pipe. */
const isUnwritten = (cause: Cause.Cause<Failure>): boolean => {
  const failure = Option.map(Cause.failureOption(cause), rootOf)
  return Option.exists(failure, (root) => root instanceof StepError && root.cause instanceof StdoutClosed)
}

interface Surroundings {
  readonly terminal: Terminal
  /** Aborted with the name of a signal, `EPIPE` if stdout was closed, or an error outside of the program. */
  readonly stop: AbortSignal
  readonly debug: boolean
}

/** Runs the called verb with the permissions from its flags and the project. */
export const runCall = (
  { program, values }: Call,
  {
    isJsonLog,
    terminal: given,
    verbs,
    ...surroundings
  }: Surroundings & { readonly isJsonLog: boolean; readonly verbs: ReadonlyArray<Verb> }
): Promise<number> => {
  const terminal = isJsonLog ? withJsonLog(given) : given
  return settle(withPermissions(values, terminal, program(terminal, verbs)), { ...surroundings, terminal })
}

/** Runs a program to its end and returns the exit code. If stopped, its finalizers still run. */
export const settle = (program: Program, { debug, stop, terminal }: Surroundings): Promise<number> => {
  const level = Logger.minimumLogLevel(levelOf(terminal, debug))
  for (const [written, meant] of misspelledSettings(terminal.env)) {
    warn(terminal.err, `${written} is not a setting, did you mean ${meant}?`)
  }
  const layer = Layer.mergeAll(NodeFileSystem.layer, NodePath.layer, logger(terminal), level)
  // A failure is printed once, below; the runtime would log it too.
  const silence = FiberRef.set(FiberRef.unhandledErrorLogLevel, Option.none())
  // The abort is passed on only once the program runs, so that the program can report that it was stopped.
  const passed = new AbortController()
  const pass = () => passed.abort(stop.reason)
  const listen = Effect.sync(() =>
    stop.aborted ? void setImmediate(safely(pass)) : stop.addEventListener("abort", safely(pass), { once: true })
  )
  const traced = isWatched(terminal) ? exporting(program, terminal) : program
  const watched = hasLineage(terminal) ? tellingLineage(traced, terminal) : traced
  const whole = Effect.zipRight(silence, Effect.provide(Effect.zipRight(listen, watched), layer))
  return Effect.runPromiseExit(whole, { signal: passed.signal }).then((exit) => {
    terminal.err.status("")
    if (Exit.isSuccess(exit)) return ExitCode.ok
    const tell = (text: string, told?: string) => terminal.err.write(debug ? text + trace(exit.cause, told) : text)
    const isUnread = stop.reason === "EPIPE"
    // If the program failed before stdout was closed, its own failure counts.
    if (stop.aborted && (!isUnread || Cause.isInterruptedOnly(exit.cause) || isUnwritten(exit.cause))) {
      tell("")
      return isUnread ? ExitCode.ok : (ExitCode[stop.reason as "SIGHUP" | "SIGINT" | "SIGTERM"] ?? ExitCode.failed)
    }
    const failure = Cause.failureOption(exit.cause)
    if (Option.isSome(failure)) {
      tell(render(failure.value, terminal.err), rootOf(failure.value).message)
      return exitCodeOf(failure.value)
    }
    const said = unforeseen(exit.cause)
    const hint = debug ? "" : " --debug shows where."
    tell(
      `${paint(terminal.err).red("error:")} ${plain(said)}\nThis should not happen: it is a bug in sluice.${hint}\n`,
      said
    )
    return ExitCode.failed
  })
}

const jsonLevels: Readonly<Record<string, string>> = { error: "error", broken: "error", warning: "warning" }

/** Takes the log level from the first word of the text, such as `warning:`. */
const entryOf = (text: string) => {
  const [, word = "", rest = text] = /^(error|broken|warning): ([\s\S]*)$/.exec(text) ?? []
  return { level: jsonLevels[word] ?? "info", message: rest }
}

const jsonChannel = (err: Channel): Channel => ({
  write: (text, { level: known, ...fields } = {}) => {
    const said = text.trim()
    const { level, message } = entryOf(said)
    if (said !== "") {
      err.write(Log.line({ time: new Date(), level: jsonLevels[String(known)] ?? level, message, fields }))
    }
  },
  // A log has no status line.
  status: () => undefined,
  interactive: false,
  colour: false,
  columns: err.columns,
  line: err.write
})

/** The terminal with a JSON log on stderr; stdout is unchanged. */
export const withJsonLog = (terminal: Terminal): Terminal => {
  concealSecrets(terminal.env)
  return { ...terminal, err: jsonChannel(terminal.err) }
}
