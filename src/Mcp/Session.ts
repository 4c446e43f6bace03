/** Context of a tool call: the options of the server, the client that calls, and questions to its person. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { FreeBudget } from "../Ledger/Agents.ts"
import type { Checked, CheckOptions } from "../Pipeline/Check.ts"
import type { Plan } from "../Pipeline/Plan.ts"

/** A plan at the service of the settings. */
export interface Planned {
  readonly planned: Plan
  /** Host of the service, or `local`. */
  readonly service: string
  /** Capabilities that the service lacks; the run would fail. */
  readonly lacks: ReadonlyArray<string>
}

export interface Options {
  /** Real path of the project: nothing outside of it is read, written or shown. */
  readonly project: string
  /** Absolute path of the folder of definitions, inside the project. */
  readonly definitions: string
  /** Absolute; the data folder of the ledger. */
  readonly dataDir: string
  /** Absolute path of the folder that relative outputs are under. */
  readonly out: string
  /** Environment and secrets that definitions of the project may read. */
  readonly scope: Pick<CheckOptions, "env" | "secrets">
  /** Credits that runs without an approval may spend in 24 hours; undefined: a person approves every run. */
  readonly free: FreeBudget | undefined
  /** False when only `sluice mcp approve` approves, whatever the client can ask. */
  readonly asksClient: boolean
  /** Command line of this program up to the verb, the arguments that name ledger and settings, and the environment, for runs. */
  readonly command: ReadonlyArray<string>
  readonly arguments: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string | undefined>>
  /** The plan of a definition, as `sluice plan` makes it. */
  readonly plan: (
    checked: Checked,
    request: { readonly limit: number | undefined; readonly out: string | undefined }
  ) => Effect.Effect<Planned, { readonly message: string }>
  /** A chapter of the reference as Markdown, or the list of all chapters; undefined for an unknown name. */
  readonly explain: (name: string | undefined) => string | undefined
  /** Names of the chapters. */
  readonly chapters: ReadonlyArray<string>
  /** User of this process, for the record of calls. */
  readonly user: string
}

export class McpSetup extends Context.Tag("sluice/Mcp/Setup")<McpSetup, Options>() {}

/** A connection of a client, for one call. */
export interface Connected {
  readonly id: string
  /** Name and version that the client gives itself, and its way of connecting. */
  readonly asker: () => string
  /** Shows a person a question. Undefined when the client cannot ask, has too many open questions, or gets no answer in time. */
  readonly ask: (question: string) => Effect.Effect<boolean | undefined>
}

export class Session extends Context.Tag("sluice/Mcp/Session")<Session, Connected>() {}

/** Asks the person at the client, if the server lets it. Undefined without an answer, which is neither yes nor no. */
export const approval = (
  question: ReadonlyArray<string>
): Effect.Effect<boolean | undefined, never, McpSetup | Session> =>
  Effect.gen(function* () {
    const { asksClient } = yield* McpSetup
    const { ask } = yield* Session
    return asksClient ? yield* ask(question.join("\n")) : undefined
  })
