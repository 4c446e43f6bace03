/** A service that answers as the test says, and the steps that are run against it. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Schedule from "effect/Schedule"
import * as Connection from "../../src/Client/Connection.ts"
import { isSafe, RetryPolicy } from "../../src/Client/Retry.ts"
import * as Client from "../../src/Client.ts"
import * as Sqlite from "../../src/Ledger.ts"
import { check } from "../../src/Pipeline/Check.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import * as Run from "../../src/Run.ts"
import { documented, type PriceOf, Tariff } from "../../src/Step/Cost.ts"
import { type Asked, type Reply, serve } from "../Client/Server.ts"

export const id = "7b6f3c1e-8f6b-4b1a-9d56-0123456789ab"

export const page = (url: string, extra: Record<string, unknown> = {}) => ({
  markdown: `# ${url}`,
  metadata: { sourceURL: url, statusCode: 200, ...extra }
})

type Json = Record<string, unknown>

/** How a job of the service behaves. */
export interface Job {
  readonly start?: ((asked: Asked) => Reply) | undefined
  readonly status?: ((number: number, base: string) => Json) | undefined
  /** The list of failed pages; absent when there is no such endpoint. */
  readonly errors?: Json | undefined
}

/** A service with one job. */
export const jobService = ({ start, status, errors }: Job) => {
  let looks = 0
  return (asked: Asked, base: string): Reply => {
    if (asked.method === "POST") return start?.(asked) ?? { body: { success: true, id, url: base } }
    if (asked.method === "DELETE") return { body: { success: true, status: "cancelled" } }
    if (asked.path.endsWith("/errors")) return errors === undefined ? { status: 404, body: "no" } : { body: errors }
    return { body: { success: true, status: "completed", total: 0, completed: 0, ...status?.(looks++, base) } }
  }
}

const linesOf = (text: string): ReadonlyArray<Json> =>
  text.trim() === ""
    ? []
    : text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))

/** Runs steps that end in a JSONL file, and gives what became of them and of the service; `frame` stands beside the steps. */
export const run = (
  reply: (asked: Asked, base: string) => Reply,
  steps: string,
  options: Partial<Run.RunOptions> = {},
  frame = "",
  /** What the service is known to charge; nothing is known where nothing is said. */
  rate: PriceOf = documented
) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const folder = yield* files.makeTempDirectoryScoped()
    const server = yield* serve((asked, { url }) => reply(asked, url))
    const text = `version: 1\nname: t\n${frame}steps:\n${steps}\n  - write: { jsonl: rows.jsonl }\n`
    const scope = { env: {}, secrets: () => undefined }
    const checked = yield* check(yield* parseText("p.yaml", folder, text), { ...scope, inputs: {}, complete: true })
    const dataDir = options.dataDir ?? folder
    const made = yield* Run.make(checked, { ...scope, out: folder, dataDir, ...options })
    const warnings: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => {
      if (logLevel._tag === "Warning") warnings.push(String(message))
    })
    const service = Layer.provide(
      Client.layer,
      Layer.provide(
        Layer.orDie(Connection.layer({ baseUrl: server.url })),
        Layer.succeed(RetryPolicy, { schedule: Schedule.recurs(2), when: isSafe })
      )
    )
    const outcome = yield* made.execute.pipe(
      Effect.provide(service),
      Effect.provideService(Tariff, { rate }),
      Effect.provide(Sqlite.layer(dataDir)),
      Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
      Effect.either
    )
    const summary =
      Either.match(outcome, {
        onRight: (summary) => summary,
        onLeft: (error) => (error._tag === "RunFailed" ? error.summary : undefined)
      }) ?? (yield* made.summary)
    const rows = linesOf(yield* Effect.orElseSucceed(files.readFileString(`${folder}/rows.jsonl`), () => ""))
    const rejects = summary.rejectFile === undefined ? [] : linesOf(yield* files.readFileString(summary.rejectFile))
    return { outcome, summary, rows, rejects, warnings, asked: server.asked, runId: made.id }
  }).pipe(Effect.withClock(Clock.make()), Effect.provide(NodeContext.layer))
