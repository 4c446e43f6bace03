/**
 * Model Context Protocol server for agents over the pipelines of a project: tools, resources and prompts.
 *
 * - Records every call in the ledger before executing it, with the name of the caller. Refuses a call that cannot be recorded.
 * - Executes at most {@link maxCalls} calls at once, for all clients together. A call that waits for a person's answer does not count. A
 *   client has at most {@link maxPending} unfinished calls and {@link maxQuestions} open questions.
 * - A client that has ended its input still gets the answers of its calls, if they end within {@link finishTimeout}.
 * - Error messages are written by Sluice and never contain text of pages. Defects are logged; the client learns only that one occurred.
 * - The server itself spends nothing: runs are separate processes, each with a plan and a budget (`Mcp/Plans.ts`).
 */
import { randomUUID } from "node:crypto"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import {
  CallToolRequestParamsSchema,
  CallToolRequestSchema,
  type ElicitRequestFormParams,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type RequestId,
  type ServerNotification,
  type ServerRequest
} from "@modelcontextprotocol/sdk/types.js"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import { nextTurn } from "./Callback/EventLoop.ts"
import * as Dashboard from "./Dashboard/Definitions.ts"
import * as Events from "./Dashboard/Events.ts"
import * as Launch from "./Dashboard/Launch.ts"
import { Setup } from "./Dashboard/Setup.ts"
import { Ledger } from "./Ledger.ts"
import { render, shown } from "./Mcp/Answer.ts"
import * as Definitions from "./Mcp/Definitions.ts"
import * as Drafts from "./Mcp/Drafts.ts"
import { instructions, prompts } from "./Mcp/Guide.ts"
import * as Plans from "./Mcp/Plans.ts"
import * as Publish from "./Mcp/Publish.ts"
import * as Resources from "./Mcp/Resources.ts"
import * as Results from "./Mcp/Results.ts"
import { type Connected, McpSetup, type Options, Session } from "./Mcp/Session.ts"
import { type Failure, refuse, type Services, type Tool } from "./Mcp/Tool.ts"
import { version } from "./Version.ts"

export type { Options } from "./Mcp/Session.ts"

/** In the order in which an agent uses them. */
export const tools: ReadonlyArray<Tool> = [
  Definitions.list,
  Definitions.explain,
  Drafts.draft,
  Definitions.check,
  Plans.plan,
  Plans.run,
  Results.status,
  Results.showRows,
  Results.showRejects,
  Results.health,
  Results.diff,
  Publish.publish
]

/** Maximum calls that are executed at once. */
const maxCalls = 8

/** Maximum calls of one connection that run or wait; more are refused. */
const maxPending = 32

/** Maximum questions of one connection that wait for a person. A further question counts as unanswered. */
const maxQuestions = 4

/** Milliseconds that a person has to answer a question. Afterwards a plan can still be approved with `sluice mcp approve`. */
const answerTimeout = 5 * 60_000

/** Time between notifications that a call still runs. Most clients give up after 60 s, unless each notification restarts their limit. */
const progressEvery = "10 seconds"

/** Milliseconds that calls in flight have to end after the client has ended its input. */
const finishTimeout = 5_000

/** A call of a tool. Some clients send null for no arguments. */
const ToolCall = CallToolRequestSchema.extend({
  params: CallToolRequestParamsSchema.extend({
    arguments: CallToolRequestParamsSchema.shape.arguments.nullable().transform((given) => given ?? undefined)
  })
})

/** Server for one connection. Connect it to a transport. */
export interface Connection {
  readonly connect: (transport: Transport) => Promise<void>
  /**
   * Waits until the calls in flight are answered, at most {@link finishTimeout}. For a client that can send nothing more: its open
   * questions count as unanswered.
   */
  readonly finish: Effect.Effect<void>
  readonly close: () => Promise<void>
}

/** Makes the server of a connection. `way`: how the client connects, such as `stdio`. */
export type MakeConnection = (way: string) => Connection

/** Maximum characters of the name and of the version that a client reports. */
const maxClient = 60

const questionSchema: ElicitRequestFormParams["requestedSchema"] = {
  type: "object",
  properties: { approve: { type: "boolean", title: "Approve", description: "Yes, do it.", default: false } },
  required: ["approve"]
}

/**
 * Session of the connected client. Over HTTP, a question is sent on the stream of the request that it belongs to. `inputEnd`: aborted once
 * the client can answer no question.
 */
const connectedTo = (server: Server, way: string, user: string, inputEnd: AbortSignal) => {
  const id = randomUUID()
  let questions = 0
  const asker = () => {
    const { name = "unknown", version = "" } = server.getClientVersion() ?? {}
    return `${shown(name, maxClient)} ${shown(version, maxClient)} over ${way}, as ${user}`.replace(/\s+/g, " ")
  }
  const ask = (message: string, relatedRequestId: RequestId) =>
    Effect.suspend(() => {
      if (server.getClientCapabilities()?.elicitation === undefined || questions >= maxQuestions) {
        return Effect.succeed(undefined)
      }
      questions++
      return Effect.tryPromise((signal) =>
        // The library's own time limit is only a fallback.
        server.elicitInput(
          { message, requestedSchema: questionSchema },
          { relatedRequestId, signal: AbortSignal.any([signal, inputEnd]), timeout: 2 * answerTimeout }
        )
      ).pipe(
        Effect.timeout(answerTimeout),
        Effect.map(({ action, content }) =>
          action === "accept" ? content?.approve === true : action === "decline" ? false : undefined
        ),
        Effect.orElseSucceed(() => undefined),
        Effect.ensuring(Effect.sync(() => questions--))
      )
    })
  return (request: RequestId, turn: Effect.Semaphore): Connected => ({
    id,
    asker,
    ask: (question) =>
      Effect.acquireUseRelease(
        turn.release(1),
        () => ask(question, request),
        () => turn.take(1)
      )
  })
}

type Call = { readonly tool: string; readonly arguments: unknown; readonly changes: boolean }
type Carried = { readonly text: string; readonly isError: boolean }
type Request = RequestHandlerExtra<ServerRequest, ServerNotification>

/** Tells the client every {@link progressEvery} that its request still runs, if it wants to know. */
const reporting = ({ _meta, sendNotification }: Request) => {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return <A>(work: Effect.Effect<A>) => work
  let progress = 0
  const report = Effect.suspend(() => {
    progress++
    const sent = sendNotification({ method: "notifications/progress", params: { progressToken, progress } })
    return Effect.promise(() => sent.catch(() => undefined))
  })
  const reports = Effect.forever(Effect.delay(report, progressEvery))
  return <A>(work: Effect.Effect<A>) => Effect.scoped(Effect.zipRight(Effect.forkScoped(reports), work))
}

const unexpected = "internal error of sluice: see its log"
const tooMany = `${maxPending} calls of this client wait for their answers: call again once one of them has ended`

/** Makes servers for connections. The runs that they start continue when the scope closes. */
export const make = (
  options: Options
): Effect.Effect<MakeConnection, never, Scope.Scope | Ledger | FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const { agents } = yield* Ledger
    const dashboard = Layer.succeed(Setup, { ...options, service: undefined })
    const services = yield* Layer.build(
      Layer.mergeAll(Dashboard.layer, Events.layer, Launch.layer).pipe(
        Layer.provideMerge(dashboard),
        Layer.provideMerge(Layer.succeed(McpSetup, options))
      )
    )
    const around = yield* Effect.context<Ledger | FileSystem.FileSystem | Path.Path>()
    const turn = yield* Effect.makeSemaphore(maxCalls)
    const runtime = yield* Effect.runtime<never>()

    /** Records a call, executes it, and records its outcome. */
    const recorded = (
      session: Connected,
      pending: Effect.Semaphore,
      call: Call,
      effect: Effect.Effect<string, Failure, Services>
    ): Effect.Effect<Carried> => {
      const id = randomUUID()
      const text = shown(JSON.stringify(call.arguments ?? {}), 3_500)
      const context = Context.merge(around, Context.add(services, Session, session))
      return Effect.gen(function* () {
        yield* agents.begin({
          id,
          session: session.id,
          asker: session.asker(),
          tool: call.tool,
          arguments: text,
          changes: call.changes
        })
        const from = yield* Clock.currentTimeMillis
        const ended = (outcome: "done" | "failed" | "refused", note?: string) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => agents.end(id, { outcome, note, millis: now - from }))
        const result = yield* Effect.either(Effect.provide(effect, context)).pipe(
          Effect.tapErrorCause(() => ended("failed", unexpected)),
          Effect.onInterrupt(() => Effect.ignore(ended("failed", "cancelled by the client")))
        )
        if (Either.isRight(result)) {
          yield* ended("done")
          return { text: result.right, isError: false }
        }
        const message = shown(result.left.message, 4_000)
        yield* ended(result.left._tag === "LedgerError" ? "failed" : "refused", message)
        return { text: message, isError: true }
      }).pipe(
        turn.withPermits(1),
        pending.withPermitsIfAvailable(1),
        Effect.map(Option.getOrElse((): Carried => ({ text: tooMany, isError: true }))),
        Effect.catchAll(({ message }) => Effect.succeed({ text: shown(message, 4_000), isError: true })),
        Effect.catchAllDefect((defect) =>
          Effect.as(
            Effect.logError(
              `a call of an agent failed: ${defect instanceof Error ? (defect.stack ?? defect.message) : String(defect)}`
            ),
            { text: unexpected, isError: true }
          )
        )
      )
    }

    return (way) => {
      const server = new Server(
        { name: "sluice", title: "Sluice", version },
        { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions }
      )
      const inputEnd = new AbortController()
      const sessionOf = connectedTo(server, way, options.user, inputEnd.signal)
      const pending = Effect.unsafeMakeSemaphore(maxPending)
      const running = new Set<Promise<Carried>>()
      answer(server, (call, effect, request) => {
        const work = recorded(sessionOf(request.requestId, turn), pending, call, effect)
        const carried = Runtime.runPromise(runtime, reporting(request)(work), { signal: request.signal })
        const forget = () => running.delete(carried)
        running.add(carried)
        carried.then(forget, forget)
        return carried
      })
      const answered = Effect.gen(function* () {
        inputEnd.abort()
        // The library begins a call, and writes its answer, in the turn of the event loop in which the message came or the call ended.
        yield* nextTurn
        while (running.size > 0) {
          yield* Effect.promise(() => Promise.allSettled(running))
          yield* nextTurn
        }
      })
      return {
        connect: (transport) => server.connect(transport),
        finish: Effect.asVoid(Effect.timeoutOption(answered, finishTimeout)),
        close: () => server.close()
      }
    }
  })

/**
 * Returns the text of an answer, or throws it if the request failed: for requests whose response in the protocol cannot contain an error.
 */
const orThrow = ({ isError, text }: Carried): string => {
  if (isError) throw new McpError(ErrorCode.InvalidParams, text)
  return text
}

/** Registers the request handlers of a server. `carry` executes a request of the client. */
const answer = (
  server: Server,
  carry: (call: Call, effect: Effect.Effect<string, Failure, Services>, request: Request) => Promise<Carried>
): void => {
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ changes, description, destructive = false, inputSchema, name, openWorld = false, title }) => ({
      name,
      title,
      description,
      inputSchema,
      annotations: {
        title,
        readOnlyHint: !changes,
        destructiveHint: destructive,
        idempotentHint: !changes,
        openWorldHint: openWorld
      }
    }))
  }))
  server.setRequestHandler(ToolCall, ({ params }, extra) => {
    const tool = tools.find(({ name }) => name === params.name)
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `there is no tool ${shown(params.name, 60)}`)
    const call = { tool: tool.name, arguments: params.arguments, changes: tool.changes }
    return carry(call, Effect.map(tool.call(params.arguments), render), extra).then(({ isError, text }) => ({
      content: [{ type: "text" as const, text }],
      isError
    }))
  })
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }, extra) => {
    const call = { tool: "resources/list", arguments: params ?? {}, changes: false }
    const page = Effect.map(Resources.list(params?.cursor), (found) => JSON.stringify(found))
    return carry(call, page, extra).then(
      (carried) => JSON.parse(orThrow(carried)) as { resources: Array<Resources.Resource>; nextCursor?: string }
    )
  })
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [...Resources.templates]
  }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }, extra) => {
    const call = { tool: "resources/read", arguments: { uri }, changes: false }
    return carry(
      call,
      Effect.map(Resources.read(uri), (found) => JSON.stringify(found)),
      extra
    ).then((carried) => {
      const { mimeType, text } = JSON.parse(orThrow(carried)) as { mimeType: string; text: string }
      return { contents: [{ uri, mimeType, text }] }
    })
  })
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: prompts.map(({ arguments: given, description, name, title }) => ({
      name,
      title,
      description,
      arguments: [...given]
    }))
  }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }, extra) => {
    const call = { tool: "prompts/get", arguments: params, changes: false }
    return carry(call, prompted(params.name, params.arguments ?? {}), extra).then((carried) => ({
      messages: [{ role: "user" as const, content: { type: "text" as const, text: orThrow(carried) } }]
    }))
  })
}

const prompted = (name: string, given: Readonly<Record<string, string>>) =>
  Effect.suspend(() => {
    const prompt = prompts.find((each) => each.name === name)
    if (prompt === undefined) {
      const known = prompts.map((each) => each.name).join(", ")
      return refuse(`there is no prompt ${shown(name, 60)}. There are ${known}`)
    }
    const missing = prompt.arguments.find((each) => each.required && (given[each.name] ?? "") === "")
    if (missing !== undefined) return refuse(`the prompt ${name} needs ${missing.name}`)
    return Effect.succeed(
      prompt.text(Object.fromEntries(Object.entries(given).map(([key, value]) => [key, shown(value, 2_000)])))
    )
  })
