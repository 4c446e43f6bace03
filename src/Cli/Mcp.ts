/** `sluice mcp`: serves the project's pipelines to agents, and lets a person approve their plans. */
import { randomBytes } from "node:crypto"
import { userInfo } from "node:os"
import * as NodePath from "node:path"
import type { Readable } from "node:stream"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { safely } from "../Callback.ts"
import type { AgentCall } from "../Ledger/Agents.ts"
import { Ledger } from "../Ledger.ts"
import { boundedLines, tooLong } from "../Mcp/BoundedInput.ts"
import type { Options as McpOptions } from "../Mcp/Session.ts"
import { isBelow, projectOf, realPath } from "../Permissions/Paths.ts"
import { reference } from "../Pipeline/Reference.ts"
import { hostOf } from "../Pipeline/Requirements.ts"
import { FileUnusable, unusable, wrongUsage } from "./CommandErrors.ts"
import { readPlaces, type SettingValues } from "./CommandSettings.ts"
import { entryChapter, topics } from "./Explain/Chapter.ts"
import { markdown } from "./Explain/Render.ts"
import { makeFolder } from "./Folder.ts"
import { count, place, writeTable } from "./Format.ts"
import { ledgerLayer, withLedger } from "./LedgerAccess.ts"
import * as Parameter from "./Parameter.ts"
import { makeEarlier } from "./Plan/EarlierRuns.ts"
import { planChecked } from "./Plan.ts"
import { hostedService } from "./Service.ts"
import * as SharedFlags from "./SharedFlags.ts"
import { paint, plain, type Terminal, warn } from "./Terminal.ts"
import { scopeOf } from "./Trust.ts"
import { command as ownCommand } from "./Ui/Beside.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  action: Parameter.optional("ACTION", "approve, plans or calls; without one, serves the pipelines."),
  id: Parameter.optional("PLAN", "For approve: the id of the plan."),
  budget: Parameter.integer(
    "N",
    "Credits that runs may spend in 24 hours without an approval; without it a person approves every run.",
    { minimum: 1 }
  ),
  ask: Parameter.choice(
    "WHERE",
    ["client", "terminal"],
    "terminal: a person approves only with sluice mcp approve. client: the client may also ask the person, if it can; default: client."
  ),
  pipelines: Parameter.text("DIR", "Folder of definitions, inside the project; default: pipelines."),
  out: Parameter.text("DIR", "Folder for the outputs of runs; default: the current one.", "o"),
  http: Parameter.toggle("Serves streamable HTTP with a key, in place of standard input and output."),
  port: SharedFlags.port("With --http: port to listen on", 4713),
  host: SharedFlags.host,
  limit: Parameter.withDefault(Parameter.integer("N", "For calls: lists at most N; default: 50.", { minimum: 1 }), 50),
  data: SharedFlags.data("the ledger"),
  profile: SharedFlags.profile,
  json: Parameter.toggle("Prints JSON: the address with --http, or plans and calls."),
  ...SharedFlags.trust
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  details:
    "An agent lists, drafts, checks, plans and runs pipelines of this project, and reads what they found. It runs no code, stays in the project, and spends nothing that a person has not approved or --budget does not cover. Every call is in the ledger: sluice mcp calls lists them.",
  parameters,
  examples: [
    { line: "sluice mcp", what: "for a client that starts it, over standard input and output" },
    { line: "sluice mcp --budget 100", what: "runs of up to 100 credits a day need no approval" },
    { line: "sluice mcp --http", what: "for clients that connect to an address" },
    { line: "sluice mcp approve p-3f9a61c0d2e4", what: "approves a plan" },
    { line: "sluice mcp calls", what: "the calls of agents, with their arguments" }
  ],
  run: (options, terminal) => act(options, terminal)
})

const act = (options: Options, terminal: Terminal) => {
  switch (options.action) {
    case undefined:
      return serve(options, terminal)
    case "approve":
      return approve(options, terminal)
    case "plans":
      return withLedger(options, terminal, listPlans(options, terminal))
    case "calls":
      return withLedger(options, terminal, listCalls(options, terminal))
    default:
      return Effect.fail(
        wrongUsage(`"${options.action}" is not an action: use approve, plans or calls, or none to serve`)
      )
  }
}

const userName = (): string => {
  try {
    return userInfo().username
  } catch {
    // A user id may have no name in a container; then the number is used.
    return `user ${process.getuid?.() ?? "unknown"}`
  }
}

// Action for people: approves a plan.

const approve = ({ id, ...options }: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    if (id === undefined) return yield* wrongUsage("approve needs the id of a plan: sluice mcp plans lists all plans")
    yield* withLedger(
      options,
      terminal,
      Effect.gen(function* () {
        const { agents } = yield* Ledger
        const plan = yield* agents.approve(id, `${userName()} at a terminal`)
        terminal.out.write(
          options.json
            ? `${JSON.stringify({ plan: id, credits: plan.credits, approvedBy: plan.approvedBy })}\n`
            : `${[`plan ${id} is approved, for one run`, ...plan.summary.map((line) => `  ${plain(line)}`)].join("\n")}\n`
        )
      })
    )
  })

const iso = (millis: number): string => new Date(millis).toISOString()

const listPlans = ({ json, limit }: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const { agents } = yield* Ledger
    const waiting = yield* agents.waiting(limit)
    if (json) {
      for (const { at, ...plan } of waiting) terminal.out.write(`${JSON.stringify({ ...plan, at: iso(at) })}\n`)
      return
    }
    if (waiting.length === 0) return terminal.err.write("no plan waits for an approval\n")
    const dye = paint(terminal.out)
    for (const { asker, at, id, summary } of waiting) {
      const lines = summary.map((line) => `  ${plain(line)}`)
      terminal.out.write(`${[`${dye.bold(id)}  ${iso(at)}  ${plain(asker)}`, ...lines, ""].join("\n")}\n`)
    }
    terminal.out.write(dye.dim("Approve one with: sluice mcp approve PLAN\n"))
  })

const outcomeOf = ({ millis, note, outcome }: AgentCall): string =>
  outcome === undefined
    ? "cut off"
    : `${outcome}${millis === undefined ? "" : ` in ${millis} ms`}${note === undefined ? "" : `: ${plain(note).slice(0, 80)}`}`

const listCalls = ({ json, limit }: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const { agents } = yield* Ledger
    const calls = yield* agents.calls(limit)
    if (json) {
      for (const { at, ...call } of calls) terminal.out.write(`${JSON.stringify({ ...call, at: iso(at) })}\n`)
      return
    }
    if (calls.length === 0) return terminal.err.write("no agent has called a tool\n")
    const rows = calls.map((call) => [
      iso(call.at).slice(0, 19).replace("T", " "),
      plain(call.asker),
      call.tool,
      plain(call.arguments).slice(0, 60),
      outcomeOf(call)
    ])
    writeTable([["at (UTC)"], ["asked by"], ["tool"], ["arguments"], ["outcome"]], rows, terminal.out)
  })

// Server for agents.

/** Key of the HTTP server: created once, in a file that only its owner can read. */
const keyOf = (file: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const failed = unusable(file)
    const fresh = `mcp-${randomBytes(24).toString("hex")}`
    yield* files.writeFileString(file, `${fresh}\n`, { flag: "wx", mode: 0o600 }).pipe(
      Effect.catchIf(
        (error) => error._tag === "SystemError" && error.reason === "AlreadyExists",
        () => Effect.void
      ),
      Effect.mapError(failed)
    )
    const key = (yield* Effect.mapError(files.readFileString(file), failed)).trim()
    if (key.length >= 16) return Redacted.make(key)
    return yield* new FileUnusable({ path: file, reason: "it contains no key. Remove it to create a new one" })
  })

/** Folder of the definitions. It may not exist yet: `draft` creates it. */
const definitionsOf = (named: string | undefined, project: string) =>
  Effect.gen(function* () {
    const folder = NodePath.resolve(named ?? "pipelines")
    if (isBelow(realPath(folder), project)) return folder
    return yield* new FileUnusable({
      path: folder,
      reason: `it is outside the project ${project}, and agents may use only files of the project. Start sluice mcp in the project that contains this folder`
    })
  })

/** The reference, split into chapters. */
const chaptersOf = () => {
  const all = reference()
  const chapters = [
    ...[...all.steps, ...all.sinks].map((entry) => ({
      name: entry.key,
      chapter: entryChapter(entry, all),
      summary: entry.summary
    })),
    ...topics(all).map((chapter) => ({ name: chapter.name, chapter, summary: chapter.lead }))
  ]
  return {
    chapters: chapters.map(({ name }) => name),
    explain: (name: string | undefined): string | undefined => {
      if (name === undefined) return chapters.map(({ name, summary }) => `- ${name}: ${summary}`).join("\n")
      const found = chapters.find((each) => each.name === name)
      return found && markdown(found.chapter, 1)
    }
  }
}

/** Makes the plan of a definition, as `sluice plan` does. */
const plannerOf = (settings: SettingValues, dataDir: string, env: Terminal["env"]) =>
  Effect.gen(function* () {
    const earlier = yield* makeEarlier
    const files = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
    const hosted = yield* hostedService(settings)
    const plan: McpOptions["plan"] = (checked, { limit, out }) =>
      planChecked(checked, { settings, env, dataDir, limit, out, earlier }).pipe(
        Effect.map(({ planned, refusal }) => ({
          planned,
          service: hosted === undefined ? "local" : hostOf(hosted.baseUrl),
          lacks: (refusal?.unmet ?? []).map(({ message }) => message)
        })),
        Effect.provide(files)
      )
    return plan
  })

export const optionsOf = (options: Options, settings: SettingValues, dataDir: string, terminal: Terminal) =>
  Effect.gen(function* () {
    const { folder: project, isNone } = projectOf(terminal.cwd ?? ".")
    if (isNone) {
      const reason = `${project} is not a project. Start sluice mcp in the folder of a project: agents may use only files of the project`
      return yield* new FileUnusable({ path: project, reason })
    }
    const out = NodePath.resolve(options.out ?? ".")
    if (!isBelow(realPath(out), project)) {
      return yield* new FileUnusable({
        path: out,
        reason: `it is outside the project ${project}, and agents may write only inside the project. Name a folder of the project with --out`
      })
    }
    return {
      project,
      definitions: yield* definitionsOf(options.pipelines, project),
      dataDir,
      out,
      scope: scopeOf(terminal.env),
      free: options.budget === undefined ? undefined : { credits: options.budget },
      asksClient: options.ask !== "terminal",
      command: ownCommand(),
      arguments: [
        "--data",
        dataDir,
        ...(options.profile === undefined ? [] : ["--profile", options.profile]),
        ...SharedFlags.trustArguments(options)
      ],
      env: terminal.env,
      plan: yield* plannerOf(settings, dataDir, terminal.env),
      ...chaptersOf(),
      user: userName()
    } satisfies McpOptions
  })

/** Maximum bytes of a message. */
const maxMessage = 1024 * 1024

/** Completes when the client has closed standard input, and all of it has been read. */
const inputEnded = (input: Readable) =>
  Effect.async<void>((resume) => {
    const ended = safely(() => resume(Effect.void))
    input.once("end", ended)
    process.stdin.once("error", ended)
    process.stdin.once("close", ended)
  })

const serve = (options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const paths = yield* Path.Path
    const { dataDir, settings } = yield* readPlaces(options, terminal.env)
    yield* makeFolder(dataDir, "Choose another with --data or SLUICE_DATA.")
    const ledger = yield* Layer.build(ledgerLayer(settings, dataDir))
    const built = yield* Effect.provide(optionsOf(options, settings, dataDir, terminal), ledger)
    // Only this verb loads the protocol's library.
    const Mcp = yield* Effect.promise(() => import("../Mcp.ts"))
    const makeConnection = yield* Effect.provide(Mcp.make(built), ledger)
    if (options.http) {
      const Http = yield* Effect.promise(() => import("../Mcp/Http.ts"))
      const file = paths.join(dataDir, "mcp.key")
      const key = yield* keyOf(file)
      const { isLocal, url } = yield* Http.serve(makeConnection, { host: options.host, port: options.port, key })
      if (!isLocal) {
        warn(
          terminal.err,
          "other machines can reach this address, and their traffic is not encrypted: put it behind a proxy that speaks HTTPS"
        )
      }
      const dye = paint(terminal.out)
      terminal.out.write(
        options.json
          ? `${JSON.stringify({ url, keyFile: file })}\n`
          : [
              `${dye.bold("sluice")} serves the pipelines of ${place(built.project)} to agents`,
              "",
              `  address  ${dye.cyan(url)}`,
              `  key      in ${place(file)}, as authorization: Bearer KEY`,
              `  runs     ${options.budget === undefined ? "need the approval of a person" : `up to ${count(options.budget, "credit")} a day without an approval`}`,
              "",
              dye.dim("Ctrl-C stops the server; runs that it started continue."),
              ""
            ].join("\n")
      )
      return yield* Effect.never
    }
    const { StdioServerTransport } = yield* Effect.promise(() => import("@modelcontextprotocol/sdk/server/stdio.js"))
    const input = boundedLines(maxMessage, (id) => process.stdout.write(tooLong(id, maxMessage)))
    process.stdin.pipe(input)
    // The transport gets each line whole, before the next one arrives.
    const transport = new StdioServerTransport(input, process.stdout, { maxBufferSize: 2 * maxMessage })
    const connection = makeConnection("stdio")
    yield* Effect.acquireRelease(
      Effect.promise(() => connection.connect(transport)),
      () => Effect.promise(() => connection.close())
    )
    yield* inputEnded(input)
    yield* connection.finish
  }).pipe(Effect.scoped)
