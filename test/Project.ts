/**
 * A project folder in which definitions run with the real runtime, over a real ledger and against a server that answers as the test says.
 *
 * The ledger is in a folder of its own unless the project has a data folder; it lives as long as the scope. Runs of one project share the folder, the
 * ledger and the server, so they follow and resume each other.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import * as Connection from "../src/Client/Connection.ts"
import { isSafe, RetryPolicy } from "../src/Client/Retry.ts"
import * as Client from "../src/Client.ts"
import * as Sqlite from "../src/Ledger.ts"
import { Ledger } from "../src/Ledger.ts"
import { type Checked, check } from "../src/Pipeline/Check.ts"
import { DefinitionInvalid } from "../src/Pipeline/Issue.ts"
import { parseText } from "../src/Pipeline/Source.ts"
import type { Row } from "../src/Row.ts"
import * as Run from "../src/Run.ts"
import { documented, type PriceOf, Tariff } from "../src/Step/Cost.ts"
import { type Asked, type Reply, serve } from "./Client/Server.ts"
import { freshFile, scratch } from "./Ledger/Fresh.ts"
import { tempDir } from "./Local.ts"

/** The summary of a run that has written one row, with the given fields replaced. */
export const summary = (runId: string, more: Partial<Run.Summary> = {}): Run.Summary => ({
  runId,
  status: "completed",
  rows: 1,
  rejects: 0,
  credits: 0,
  unpricedCalls: 0,
  durationMs: 1,
  outputs: [],
  resumable: false,
  ...more
})

export type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>

/** Rows of a JSONL file; none where there is no file. */
export const rowsIn = (file: string): Rows => {
  try {
    const lines = readFileSync(file, "utf8").split("\n")
    return lines.filter((line) => line !== "").map((line) => JSON.parse(line))
  } catch {
    return []
  }
}

/** The lines of a JSONL file. */
export const jsonLines = (rows: ReadonlyArray<unknown>): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join("")

/** A step with its fields, as a line of a definition. */
export const stepLine = (key: string, fields: unknown): string => `  - ${key}: ${JSON.stringify(fields)}\n`

export interface Setup {
  /** Default: a temporary folder. */
  readonly folder?: string | undefined
  /** Files of the folder, by path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** Folder of the ledger file; default: a folder that goes with the scope. */
  readonly dataDir?: string | undefined
  /** Answers the requests of the runs; without it no step may call a service. */
  readonly service?: (asked: Asked, base: string) => Reply | undefined
  /** The client of a service that runs elsewhere. */
  readonly client?: Context.Context<Client.Client>
  /** Number of retries of a failed call; default: 2. */
  readonly repeats?: number
  /** Prices of the service. */
  readonly rate?: PriceOf | undefined
  /**
   * Uses the ledger of all projects that say so, under a pipeline name of its own: several times faster than a ledger for each. Not for
   * tests that read the ledger, or that choose the ids of their runs.
   */
  readonly sharesLedger?: boolean
  /** Uses the clock of the test; default: the clock of the machine. */
  readonly onTestClock?: boolean
}

/** Options of a run, and the keys of its definition besides the steps, as YAML. */
export type Options = Partial<Run.RunOptions> & { readonly frame?: string | undefined }

/** A run that is over. */
export interface Ended {
  readonly runId: string
  readonly outcome: Either.Either<Run.Summary, Run.RunFailed>
  readonly summary: Run.Summary
  readonly progress: Run.Progress
  readonly warnings: ReadonlyArray<string>
  /** Steps that did not read everything, as the last checkpoint says. */
  readonly incomplete: ReadonlyArray<string>
  readonly rejects: Rows
  /** Rows of `rows.jsonl`. */
  readonly rows: Rows
  /** The rows that a step emitted, unless the options observe them. */
  readonly emitted: (step: string) => ReadonlyArray<Row>
}

/** Sentences about broken figures: those of the warnings, and those in the reason of a held run. */
export const brokenIn = ({ outcome, warnings }: Ended): ReadonlyArray<string> => {
  const reason = Either.isLeft(outcome) ? outcome.left.message : ""
  const [, held = ""] = reason.split("the outputs are held: ")
  return [
    ...held.split(/; (?!nearest)/).filter((text) => text !== "" && !/^and \d+ more$/.test(text)),
    ...warnings.flatMap((text) => (text.startsWith("broken: ") ? text.slice("broken: ".length) : []))
  ]
}

/** Expressions, inputs and files are all that these definitions read. */
const nothing = { env: {}, secrets: () => undefined }

/** Nothing answers on port 9. Built once: compiling the API's client costs more than a small run. */
const noService = Effect.runSync(
  Effect.cached(
    Layer.buildWithScope(
      Layer.provide(Client.layer, Layer.orDie(Connection.layer({ baseUrl: "http://127.0.0.1:9" }))),
      Effect.runSync(Scope.make())
    )
  )
)

/** Built once: opening a ledger costs as much as a small run. */
const sharedLedger = Effect.runSync(
  Effect.cached(
    Layer.buildWithScope(Layer.provideMerge(scratch, NodeContext.layer), Effect.runSync(Scope.make())).pipe(
      Effect.withClock(Clock.make())
    )
  )
)

let projects = 0

/** The client of a service. Failed calls are repeated at once, this often; default: as the standard policy says. */
export const clientAt = (baseUrl: string, repeats?: number) => {
  const connection = Layer.orDie(Connection.layer({ baseUrl }))
  const policy =
    repeats === undefined ? undefined : Layer.succeed(RetryPolicy, { schedule: Schedule.recurs(repeats), when: isSafe })
  return Layer.build(Layer.provide(Client.layer, policy === undefined ? connection : Layer.provide(connection, policy)))
}

/** Collects warnings. */
export const listening = (warnings: Array<string>) =>
  Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ logLevel, message }) => {
      if (logLevel._tag === "Warning") warnings.push(String(message))
    })
  )

export const project = (setup: Setup = {}) =>
  Effect.gen(function* () {
    const { onTestClock = false, rate = documented, repeats = 2, service } = setup
    const folder = setup.folder ?? (yield* tempDir)
    const dataDir = setup.dataDir ?? folder
    const write = (name: string, content: string | Uint8Array) => {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), content)
    }
    for (const [name, content] of Object.entries(setup.files ?? {})) write(name, content)
    const server = service === undefined ? undefined : yield* serve((asked, { url }) => service(asked, url))
    const client = setup.client ?? (server === undefined ? yield* noService : yield* clientAt(server.url, repeats))
    const sharesLedger = setup.sharesLedger === true
    // Pipelines of one name would share their state.
    const name = sharesLedger ? `t${projects++}` : "t"
    if (setup.dataDir !== undefined) yield* freshFile(setup.dataDir)
    const context = sharesLedger
      ? yield* sharedLedger
      : yield* Layer.build(
          Layer.provideMerge(setup.dataDir === undefined ? scratch : Sqlite.layer(dataDir), NodeContext.layer)
        )
    const ledger = Context.get(context, Ledger)
    const surroundings = Context.merge(client, context)

    const checked = (steps: string, frame = "") =>
      Effect.flatMap(parseText("p.yaml", folder, `version: 1\nname: ${name}\n${frame}steps:\n${steps}`), (source) =>
        check(source, { ...nothing, inputs: {}, complete: true })
      ).pipe(Effect.provide(context))

    /** Steps of a run that did not read everything, as its last checkpoint says. */
    const incompleteIn = (id: string) =>
      Effect.map(
        Effect.orDie(ledger.connection.sql<{ readonly progress: string }>`SELECT progress FROM runs WHERE id = ${id}`),
        ([run]): ReadonlyArray<string> => Object.keys(JSON.parse(run?.progress ?? "{}")?.incomplete ?? {})
      )

    /** Runs a checked definition to its end, over the ledger of the project unless another one is given. */
    const execute = (
      definition: Checked,
      options: Partial<Run.RunOptions> = {},
      over: typeof Ledger.Service = ledger
    ) =>
      Effect.gen(function* () {
        const emitted = new Map<string, Array<Row>>()
        const run = yield* Run.make(definition, {
          ...nothing,
          out: folder,
          dataDir,
          observe: (step, rows) =>
            Effect.sync(() => {
              const known = emitted.get(step) ?? []
              known.push(...rows)
              emitted.set(step, known)
            }),
          ...options
        })
        const warnings: Array<string> = []
        const outcome = yield* run.execute.pipe(
          Effect.provideService(Tariff, { rate }),
          Effect.provideService(Ledger, over),
          Effect.provide(listening(warnings)),
          Effect.either
        )
        const summary = Either.match(outcome, { onRight: (summary) => summary, onLeft: ({ summary }) => summary })
        const ended: Ended = {
          runId: run.id,
          outcome,
          summary,
          progress: yield* run.progress,
          warnings,
          incomplete: yield* incompleteIn(run.id),
          rejects: summary.rejectFile === undefined ? [] : rowsIn(summary.rejectFile),
          rows: rowsIn(join(options.out ?? folder, "rows.jsonl")),
          emitted: (step) => emitted.get(step) ?? []
        }
        return ended
      }).pipe(Effect.provide(surroundings), (run) => (onTestClock ? run : Effect.withClock(run, Clock.make())))

    return {
      folder,
      ledger,
      /** Services of a run: files, the client and the ledger. */
      surroundings,
      write,
      /** Requests that the service has received. */
      asked: server?.asked ?? [],
      checked,
      execute,
      incompleteIn,
      /** Checks the steps and runs them to the end. */
      run: (steps: string, { frame, ...options }: Options = {}) =>
        Effect.flatMap(checked(steps, frame), (definition) => execute(definition, options)),
      /** Continues a run with the definition that it began with. */
      resume: (id: string, steps: string, { frame, ...options }: Options = {}) =>
        Effect.gen(function* () {
          const definition = yield* checked(steps, frame)
          const resumed = yield* Effect.provideService(Run.resuming(id, definition), Ledger, ledger)
          return yield* execute(definition, { ...options, ...resumed })
        }),
      /** Messages of the config errors; none when the steps are valid. */
      errorsIn: (steps: string) =>
        Effect.map(Effect.either(checked(steps)), (outcome) =>
          Either.isLeft(outcome) && outcome.left instanceof DefinitionInvalid
            ? outcome.left.issues.map(({ message, path }) => [...path.slice(3).map(String), message].join(": "))
            : []
        )
    }
  })

export type Project = Effect.Effect.Success<ReturnType<typeof project>>
