/**
 * The tools `plan` and `run`: estimate the cost of a run, and start it.
 *
 * - The ledger stores a plan with the hash of the definition, the inputs, and the most that its run may spend.
 * - `run` starts a plan once: approved by a person, or within the credits that the server was started with. The process of the run refuses
 *   any other definition than the planned one, and stops before it exceeds its budget.
 * - Only a person can approve a plan whose inputs may decide which file is read, or where a secret is sent.
 * - A run is a process of its own: it continues when the server ends.
 */
import { randomBytes } from "node:crypto"
import * as NodePath from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { RunProcesses } from "../Dashboard/Launch.ts"
import { Ledger } from "../Ledger.ts"
import { isBelow } from "../Permissions/Paths.ts"
import { type Checked, definitionHash } from "../Pipeline/Check.ts"
import { resourcesOf } from "../Pipeline/Resources.ts"
import { count } from "../Row/Count.ts"
import { decodeSaved } from "../Row/SavedValue.ts"
import type { Count } from "../Step/Estimate.ts"
import { fitIn, shown, untrusted } from "./Answer.ts"
import * as ProjectFiles from "./ProjectFiles.ts"
import { approval, McpSetup, type Planned, Session } from "./Session.ts"
import * as Tool from "./Tool.ts"
import { refuse } from "./Tool.ts"

/** Value of an input; short enough for a command line. */
const InputValue = Schema.Union(
  Schema.String.pipe(Schema.maxLength(5_000), Schema.pattern(/^[^\0]*$/)),
  Schema.JsonNumber,
  Schema.Boolean
)

const Inputs = Schema.Record({ key: Schema.String.pipe(Schema.pattern(/^[a-zA-Z][\w-]{0,63}$/)), value: InputValue })

const Limit = Schema.Int.pipe(Schema.between(1, 1_000_000_000))

/** The inputs and the row limit of a plan, which the ledger stores until the run starts. */
const Request = Schema.Struct({ inputs: Inputs, limit: Schema.optional(Limit) })
const decodeRequest = decodeSaved(Request)

const maxInputs = 50

const Credits = Schema.Int.pipe(Schema.between(1, 100_000_000))

const amountOf = ({ least, most }: Count) => ({ least, most: most ?? null })

const rangeOf = ({ least, most }: Count): string =>
  most === undefined ? `at least ${least}, at most unknown` : least === most ? String(most) : `${least} to ${most}`

/** A path as shown in answers: relative inside the project. */
const pathIn = (project: string, path: string): string =>
  isBelow(path, project) ? NodePath.relative(project, path) || "." : path

interface Proposal extends Planned {
  readonly file: string
  readonly checked: Checked
  readonly isOfAgent: boolean
  readonly request: typeof Request.Type
  readonly credits: number
  readonly project: string
}

/** Maximum length and number of the lines shown to a person. */
const longestLine = 600
const mostLines = 60

/** Text shown to a person before the approval. Values from the agent follow our own labels, each on its own line. */
const summaryOf = ({ checked, credits, file, isOfAgent, planned, project, request, service }: Proposal) => {
  const { outputs, pages, price, requests, touches } = planned
  const list = (name: string, values: ReadonlyArray<string>) =>
    values.length === 0
      ? []
      : [`${name}: ${values.join(", ")}`].flatMap((line) =>
          line.length <= longestLine ? [line] : values.map((value) => `${name}: ${value}`)
        )
  return [
    `pipeline: ${checked.frame.name} (${file}${isOfAgent ? ", written by an agent" : ""})`,
    `service: ${service}${service === "local" ? ", which counts credits and charges nothing" : ""}`,
    `requests: ${rangeOf(requests)}; pages: ${rangeOf(pages)}; credits: ${rangeOf(price)}`,
    `spends at most: ${count(credits, "credit")}`,
    ...list(
      "inputs",
      Object.entries(request.inputs).map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
    ),
    ...(request.limit === undefined ? [] : [`a trial of ${count(request.limit, "row")} from each source`]),
    ...list(
      "sites",
      touches.hosts.map((host) => (host === "*" ? "the hosts that rows and search results name" : host))
    ),
    ...list(
      "reads",
      touches.reads.map((path) => pathIn(project, path))
    ),
    ...list("also", touches.uses),
    ...list("variables", touches.env),
    ...list("secrets", touches.secrets),
    ...list(
      "writes",
      outputs.map(({ exists, path }) => `${pathIn(project, path)}${exists === true ? " (exists)" : ""}`)
    )
  ].map((line) => shown(line.replace(/\s*\n\s*/g, " ")))
}

/** Reason why the summary is too long for a person to judge the plan; undefined if it is not. */
const whyTooLong = (summary: ReadonlyArray<string>): string | undefined => {
  const line = summary.find(({ length }) => length > longestLine)
  return line !== undefined
    ? `the plan is too long for a person to read: ${line.slice(0, 60)}… has ${line.length} characters, and ${longestLine} can be shown`
    : summary.length > mostLines
      ? `the plan is too long for a person to read: it has ${summary.length} lines, and ${mostLines} can be shown`
      : undefined
}

/** True if inputs determine the path of an output. */
const writesByInputs = ({ source }: Checked): boolean => {
  const { steps } = source.value as { readonly steps?: ReadonlyArray<{ readonly write?: unknown }> }
  return (steps ?? []).some(({ write }) => write !== undefined && JSON.stringify(write).includes("inputs."))
}

/** True if inputs chosen by an agent may decide which file is read or written, or where a secret or variable is sent. */
const needsPerson = (checked: Checked, { inputs }: typeof Request.Type) =>
  Effect.map(
    resourcesOf(checked, undefined),
    ({ env, reads, secrets }) =>
      Object.keys(inputs).length > 0 && (env.length + reads.length + secrets.length > 0 || writesByInputs(checked))
  )

const PlanInput = Schema.Struct({
  file: Schema.String.pipe(Schema.maxLength(500)).annotations({ description: "A definition, as `list` names it." }),
  inputs: Tool.optional(Inputs, "Values of its inputs."),
  limit: Tool.optional(Limit, "A trial: at most this many rows from each source."),
  budget: Tool.optional(
    Credits,
    "Maximum number of credits that the run may spend; default: the highest price of the plan."
  )
})

const planRun = (input: typeof PlanInput.Type) =>
  Effect.gen(function* () {
    const { asksClient, free, out, plan: makePlan, project } = yield* McpSetup
    const session = yield* Session
    const { agents } = yield* Ledger
    const request = { inputs: input.inputs ?? {}, limit: input.limit }
    if (Object.keys(request.inputs).length > maxInputs) return yield* refuse(`at most ${maxInputs} inputs`)
    const loaded = yield* ProjectFiles.load(input.file, { inputs: request.inputs, complete: true })
    const { checked, isOfAgent, path } = loaded
    if (checked.toStdout.length > 0)
      return yield* refuse('a step writes to standard output ("-"): give it the path of a file')
    const made = yield* Effect.mapError(
      makePlan(checked, { limit: request.limit, out: request.limit === undefined ? out : undefined }),
      ({ message }) => refuse(message)
    )
    const { lacks, planned } = made
    const own = checked.frame.budget?.credits
    const credits = Math.max(
      1,
      Math.ceil(
        input.budget ?? Math.min(planned.price.most ?? Number.POSITIVE_INFINITY, own ?? Number.POSITIVE_INFINITY)
      )
    )
    const summary = summaryOf({ ...made, checked, isOfAgent, file: input.file, request, credits, project })
    const why =
      whyTooLong(summary) ??
      (lacks.length > 0
        ? `the service lacks what the pipeline needs: ${lacks.join("; ")}`
        : planned.unpriced.length > 0
          ? `the price of ${planned.unpriced.join(", ")} is unknown, so a budget cannot be guaranteed: a person can start the pipeline with sluice run`
          : Number.isFinite(credits)
            ? undefined
            : "the highest price is unknown: give a `budget`")
    const id = `p-${randomBytes(6).toString("hex")}`
    const isForPerson = yield* needsPerson(checked, request)
    const left = free === undefined ? 0 : yield* agents.left(free)
    if (why === undefined) {
      yield* agents.propose({
        id,
        session: session.id,
        asker: session.asker(),
        file: path,
        pipeline: checked.frame.name,
        definitionHash: definitionHash(checked),
        request: { inputs: request.inputs, ...(request.limit === undefined ? {} : { limit: request.limit }) },
        summary,
        credits,
        needsPerson: isForPerson
      })
    }
    const isFree = free !== undefined && !isForPerson && credits <= left
    const answer = {
      plan: why === undefined ? id : null,
      ...(why === undefined ? {} : { why: shown(why, 1_000) }),
      credits: amountOf(planned.price),
      requests: amountOf(planned.requests),
      pages: amountOf(planned.pages),
      budget: Number.isFinite(credits) ? credits : null,
      warnings: checked.warnings.slice(0, 10).map(ProjectFiles.mistake),
      ...(why !== undefined
        ? {}
        : {
            approval: isFree
              ? "not needed: it is within the credits that runs may spend without approval"
              : asksClient
                ? `\`run\` asks a person, if this client can; otherwise a person approves it with: sluice mcp approve ${id}`
                : `a person approves it with: sluice mcp approve ${id}`
          })
    }
    const { isCut, shown: lines } = fitIn(summary, answer)
    const more = `… (${summary.length} lines in all: sluice mcp plans shows them)`
    return { ...answer, summary: isCut ? [...lines, more] : lines }
  }).pipe(Effect.catchTag("DefinitionInvalid", (invalid) => ProjectFiles.refusedBy(invalid)))

export const plan = Tool.make({
  name: "plan",
  title: "Price a run",
  description:
    "Shows what a run of a definition would request, read, write and cost, without making a request. Returns the id of the plan, which `run` needs. A plan is for one run and valid for a day; of plans that nobody has approved, only the newest 50 are valid.",
  changes: false,
  input: PlanInput,
  run: planRun
})

const RunInput = Schema.Struct({
  plan: Schema.String.pipe(Schema.pattern(/^p-[0-9a-f]{12}$/)).annotations({ description: "The id that `plan` gave." }),
  budget: Credits.annotations({
    description: "Credits that the run may spend: at most the budget of the plan. The run stops before it spends more."
  })
})

/** Arguments of `sluice run` for a plan. */
const wordsOf = (
  path: string,
  { inputs, limit }: typeof Request.Type,
  { budget, hash, out }: { readonly budget: number; readonly hash: string; readonly out: string }
): ReadonlyArray<string> => [
  "run",
  path,
  "--budget",
  String(budget),
  "--expect",
  hash,
  "--quiet",
  ...Object.entries(inputs).flatMap(([name, value]) => ["--input", `${name}=${value}`]),
  // A trial has its own output folder.
  ...(limit === undefined ? ["--out", out] : ["--limit", String(limit)])
]

const startRun = ({ budget, plan: id }: typeof RunInput.Type) =>
  Effect.gen(function* () {
    const { definitions, free, out } = yield* McpSetup
    const { asker } = yield* Session
    const { agents } = yield* Ledger
    const processes = yield* RunProcesses
    const found = yield* agents.plan(id)
    if (found === undefined) return yield* refuse(`there is no plan ${id}, or it has expired: create one with \`plan\``)
    const request = yield* Effect.mapError(decodeRequest(`plan ${id}`, found.request), ({ message }) => refuse(message))
    const file = NodePath.relative(definitions, found.file)
    // Check again: the definition or the files it uses may have changed.
    const { checked, path } = yield* ProjectFiles.load(file, { inputs: request.inputs, complete: true })
    if (definitionHash(checked) !== found.definitionHash) {
      return yield* refuse(`the definition has changed since plan ${id}: plan the run again`)
    }
    const isOpen = found.approvedAt === undefined && found.claimedAt === undefined && budget <= found.credits
    if (isOpen && (free === undefined || found.needsPerson || budget > (yield* agents.left(free)))) {
      const answer = yield* approval([
        "Start this run?",
        ...found.summary,
        `budget of the run: ${count(budget, "credit")}`
      ])
      if (answer === false) {
        yield* agents.refuse(id)
        return yield* refuse(`a person refused plan ${id}`)
      }
      if (answer === true) yield* agents.approve(id, `a person at ${asker()}`)
    }
    return yield* Effect.gen(function* () {
      yield* agents.claim(id, budget, free)
      const words = wordsOf(path, request, { budget, hash: found.definitionHash, out })
      const started = yield* Effect.tapError(processes.start(words), () => agents.started(id, undefined))
      yield* agents.started(id, "run" in started ? started.run : undefined)
      if ("run" in started) {
        return { run: started.run, budget, next: "Call `status` with the run until it has ended." }
      }
      return {
        run: null,
        why: `the run did not start (exit code ${started.code})`,
        ...untrusted({ reason: shown(started.reason ?? "", 2_000) })
      }
    }).pipe(
      // Record the run with its plan even if the client has disconnected.
      Effect.uninterruptible
    )
  }).pipe(
    Effect.catchTags({
      DefinitionInvalid: (invalid) => ProjectFiles.refusedBy(invalid),
      PlanRefused: ({ message }) => refuse(message)
    })
  )

export const run = Tool.make({
  name: "run",
  title: "Start a run",
  description:
    "Starts the run of an approved plan, with a budget that it never exceeds. The run continues in the background: `status` shows how far it is.",
  changes: true,
  openWorld: true,
  input: RunInput,
  run: startRun
})
