/** A project with its ledger and an MCP server over it, and clients that are connected in this process. */
import { mkdirSync, realpathSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js"
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import * as Effect from "effect/Effect"
import { readSettings } from "../../src/Cli/CommandSettings.ts"
import { optionsOf } from "../../src/Cli/Mcp.ts"
import { granted } from "../../src/Cli/Trust.ts"
import { Ledger } from "../../src/Ledger.ts"
import * as Mcp from "../../src/Mcp.ts"
import { Permissions } from "../../src/Permissions.ts"
import { makeTerminal } from "../Cli/Console.ts"
import { ledgerIn } from "../Ledger/Ledgers.ts"
import { tempDir } from "../Local.ts"
import { program } from "../Programs.ts"

export interface Answer {
  readonly isError: boolean
  /** What the model sees. */
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Calls a tool of a client. */
export const caller =
  (client: Client) =>
  (name: string, args: Readonly<Record<string, unknown>> = {}) =>
    Effect.promise(async (): Promise<Answer> => {
      const { content, isError } = await client.callTool({ name, arguments: { ...args } })
      const [first] = content as ReadonlyArray<{ readonly text: string }>
      const text = first?.text ?? ""
      return { isError: isError === true, text, json: jsonOf(text) }
    })

/** Connects a client that answers questions with `answer`, or cannot be asked. */
export const connect = (
  make: Mcp.MakeConnection,
  answer?: (question: string) => boolean | "cancel" | Promise<boolean>
) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const [ours, theirs] = InMemoryTransport.createLinkedPair()
      const client = new Client(
        { name: "test-agent", version: "1.0" },
        { capabilities: answer === undefined ? {} : { elicitation: {} } }
      )
      if (answer !== undefined) {
        client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
          const said = await answer(params.message)
          return said === "cancel" ? { action: "cancel" } : { action: "accept", content: { approve: said } }
        })
      }
      const connection = make("memory")
      await Promise.all([connection.connect(theirs), client.connect(ours)])
      return { client, connection }
    }),
    ({ client }) => Effect.promise(() => client.close())
  ).pipe(Effect.map(({ client, connection }) => ({ client, connection, call: caller(client) })))

interface Surroundings {
  /** Files of the project beside `package.json`. */
  readonly files?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  readonly budget?: number
  readonly ask?: "terminal"
  /** Place of the ledger; default: the project's data folder. */
  readonly place?: string
}

/** A project, its ledger, and a server over both. */
export const open = ({ ask, budget, env = {}, files = {}, place }: Surroundings = {}) =>
  Effect.gen(function* () {
    const project = realpathSync(yield* tempDir)
    for (const [name, text] of Object.entries({ "package.json": "{}", ...files })) {
      mkdirSync(dirname(join(project, name)), { recursive: true })
      writeFileSync(join(project, name), text)
    }
    const dataDir = join(project, ".sluice")
    const whole = { PATH: process.env.PATH, ...env }
    const { terminal } = makeTerminal({ cwd: project, env: whole })
    const values = {
      pipelines: join(project, "pipelines"),
      out: project,
      data: dataDir,
      budget,
      ask,
      "allow-env": [],
      "allow-path": []
    }
    const ledger = yield* ledgerIn(place ?? dataDir)
    const make = yield* Effect.gen(function* () {
      const settings = yield* readSettings(whole, undefined)
      const options = yield* optionsOf(values as never, settings, dataDir, terminal)
      return yield* Mcp.make({ ...options, command: [process.execPath, program("bin")] })
    }).pipe(
      Effect.provideService(Ledger, ledger),
      Effect.provideService(Permissions, yield* granted(values, terminal)),
      Effect.provide(NodeContext.layer)
    )
    return { project, dataDir, ledger, make }
  })

/** Waits until a run has ended, and gives its status. */
export const ended = (call: ReturnType<typeof caller>, run: string) =>
  Effect.gen(function* () {
    for (;;) {
      const { json } = yield* call("status", { run })
      if (!["running", "publishing"].includes(json.state)) return json
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 100)))
    }
  })
