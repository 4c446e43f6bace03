/** Context of a tool call: options of the server, the calling client, and questions to its user. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Options as Dashboard } from "../Dashboard/Setup.ts"
import type { FreeBudget } from "../Ledger/Agents.ts"
import type { Checked } from "../Pipeline/Check.ts"
import type { Plan } from "../Pipeline/Plan.ts"

/** The plan of a run, and the service that would execute the run. */
export interface Planned {
  readonly planned: Plan
  /** Host of the service, or `local`. */
  readonly service: string
  /** Capabilities that the service lacks: the run would fail. */
  readonly lacks: ReadonlyArray<string>
}

export interface Options extends Pick<Dashboard, "dataDir" | "out" | "scope" | "command" | "arguments" | "env"> {
  /** Real path of the project: nothing outside of it is read, written or shown. */
  readonly project: string
  /** Absolute path of the folder of definitions, inside the project. */
  readonly definitions: string
  /** Credits that runs without an approval may spend in 24 hours; undefined if a person must approve every run. */
  readonly free: FreeBudget | undefined
  /** False if only `sluice mcp approve` can approve, even if the client supports questions. */
  readonly asksClient: boolean
  /** Plans a run of a definition, like `sluice plan`. */
  readonly plan: (
    checked: Checked,
    request: { readonly limit: number | undefined; readonly out: string | undefined }
  ) => Effect.Effect<Planned, { readonly message: string }>
  /** A chapter of the reference as Markdown; without a name, the list of chapters; undefined for an unknown name. */
  readonly explain: (name: string | undefined) => string | undefined
  /** Names of the chapters. */
  readonly chapters: ReadonlyArray<string>
  /** User of this process, recorded with each call. */
  readonly user: string
}

export class McpSetup extends Context.Tag("sluice/Mcp/Setup")<McpSetup, Options>() {}

/** The connection of a client, as a tool sees it during one call. */
export interface Connected {
  readonly id: string
  /** Name and version reported by the client, and its way of connecting. */
  readonly asker: () => string
  /** Asks a person. Undefined if the client does not support questions, has too many open ones, or gets no answer in time. */
  readonly ask: (question: string) => Effect.Effect<boolean | undefined>
}

export class Session extends Context.Tag("sluice/Mcp/Session")<Session, Connected>() {}

/** Asks the person at the client, if the server allows it. Undefined if there was no answer, neither yes nor no. */
export const approval = (
  question: ReadonlyArray<string>
): Effect.Effect<boolean | undefined, never, McpSetup | Session> =>
  Effect.gen(function* () {
    const { asksClient } = yield* McpSetup
    const { ask } = yield* Session
    return asksClient ? yield* ask(question.join("\n")) : undefined
  })
