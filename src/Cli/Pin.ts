/** `sluice pin`: requests the answers that a definition pins, and stores them in lock files. */

import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { CrawlParams } from "../Api/CrawlParams.ts"
import { canParse } from "../Api/Url.ts"
import { CrawlPreview } from "../Client/CrawlPreview.ts"
import { type Checked, check, scopeBefore } from "../Pipeline/Check.ts"
import type { Scope } from "../Pipeline/Interpolate.ts"
import * as Pin from "../Pipeline/Pin.ts"
import { hostOf } from "../Pipeline/Requirements.ts"
import { read } from "../Pipeline/Source.ts"
import * as Trace from "../Telemetry/Trace.ts"
import { ExitCode } from "../TypedError/ExitCode.ts"
import { checkFailed, FileUnusable } from "./CommandErrors.ts"
import { readPlaces } from "./CommandSettings.ts"
import { place } from "./Format.ts"
import { lineDiff } from "./LineDiff.ts"
import * as Parameter from "./Parameter.ts"
import { replace } from "./RunOutputs.ts"
import { requireCapabilities, startService } from "./Service.ts"
import * as SharedFlags from "./SharedFlags.ts"
import { type Paint, paint, type Terminal } from "./Terminal.ts"
import { scopeOf } from "./Trust.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  file: Parameter.one("FILE", "A definition with a step that has `pin: NAME.lock.json`."),
  update: Parameter.toggle("Requests every answer again and shows what has changed.", "u"),
  check: Parameter.toggle("Sends nothing: exits with 6 when a lock file is missing or outdated. For builds."),
  input: SharedFlags.input,
  data: SharedFlags.data("the local engine's store"),
  profile: SharedFlags.profile,
  json: Parameter.toggle("Prints one JSON object about the lock files on stdout."),
  "allow-code": SharedFlags.allowCode,
  ...SharedFlags.trust
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  details:
    "Requests the answers that are missing, or that were made for another request. An existing file is replaced only after its changes have been shown. Commit lock files to version control.",
  parameters,
  examples: [
    {
      line: "sluice pin pipelines/docs-watch.yaml -i site=https://example.com/docs",
      what: "creates the missing lock files"
    },
    { line: "sluice pin pipelines/docs-watch.yaml --update", what: "requests all answers again, with a diff" },
    { line: "sluice pin pipelines/docs-watch.yaml --check", what: "in a build, before a run would fail" }
  ],
  run: (options, terminal) => run(options, terminal)
})

/** Outcome for one lock file. */
interface LockReport {
  readonly step: string
  readonly file: string
  readonly state: "held" | "unchanged" | "made" | "replaced" | "missing" | "stale" | "broken"
  readonly reason?: string | undefined
}

interface Asker {
  /** Host name, or `local`. */
  readonly service: string
  readonly site: string | undefined
  readonly ask: (
    question: Pin.Question
  ) => Effect.Effect<
    { readonly answer: CrawlParams; readonly answeredBy: string | undefined },
    { readonly _tag: string; readonly message: string }
  >
}

const colourLine = (line: string, colours: Paint): string => {
  if (line.startsWith("@@")) return colours.cyan(line)
  return line.startsWith("+") ? colours.green(line) : line.startsWith("-") ? colours.red(line) : line
}

/** True for a URL with a password, which a lock file would disclose. */
const holdsPassword = (url: string): boolean => canParse(url) && new URL(url).password !== ""

/** Requests the answer, shows how it differs, and writes the lock file. The file stays unchanged if the answer is the same. */
const renew = (standing: Pin.Standing, question: Pin.Question, file: string, asker: Asker, terminal: Terminal) =>
  Effect.gen(function* () {
    const date = new Date(yield* Clock.currentTimeMillis).toISOString().slice(0, 10)
    const { prompt, url } = question
    const { answer, answeredBy } = yield* asker.ask(question)
    const who = { service: asker.service, ...(answeredBy === undefined ? {} : { answeredBy }) }
    const lock: Pin.Lock = { version: 1, url, prompt, ...who, date, answer }
    const old = standing.is === "held" || standing.is === "stale" ? standing.lock : undefined
    const fresh = Pin.render(lock)
    // Older lock files do not say which service answered; a file is not rewritten only for that.
    const same = old !== undefined && Pin.render({ ...old, date, ...who }) === fresh
    if (same) return "unchanged" as const
    if (old !== undefined) {
      const colours = paint(terminal.out)
      const name = place(file)
      const lines = [`--- ${name}`, `+++ ${name}`, ...lineDiff(Pin.render(old), fresh)]
      terminal.out.write(`${lines.map((line) => colourLine(line, colours)).join("\n")}\n`)
    }
    yield* replace(file, fresh)
    return standing.is === "missing" ? ("made" as const) : ("replaced" as const)
  })

/** Starts the service from the settings, and returns the functions that ask it. */
const askerOf = Trace.fn("Pin.asker")(function* (options: Options, terminal: Terminal, checked: Checked) {
  const { dataDir, settings } = yield* readPlaces(options, terminal.env)
  yield* requireCapabilities(checked, settings, terminal.env)
  const { client, hosted, site } = yield* startService(checked, settings, dataDir)
  const asker: Asker = {
    service: hosted === undefined ? "local" : hostOf(hosted.baseUrl),
    site,
    ask: (question) =>
      Effect.flatMap(CrawlPreview, (preview) => preview.run({ url: question.url, prompt: question.prompt })).pipe(
        Effect.map(({ answeredBy, data }) => ({ answer: data, answeredBy: answeredBy ?? undefined })),
        Effect.provide(client)
      )
  }
  return asker
})

const perform = Trace.fn("Cli.pin")(function* (options: Options, terminal: Terminal) {
  const source = yield* read(options.file)
  const surroundings = scopeOf(terminal.env)
  const checked = yield* check(source, { ...surroundings, inputs: options.input, complete: !options.check })
  const asking = yield* Effect.cached(askerOf(options, options.json ? mute(terminal) : terminal, checked))
  const told: Array<LockReport> = []
  let scope: Scope = scopeBefore(checked, surroundings)
  if (checked.frame.site !== undefined && !options.check) {
    scope = { ...scope, run: { ...scope.run, site: (yield* asking).site } }
  }
  for (const node of checked.nodes) {
    const pinned = yield* Pin.questionOf(node, scope)
    if (pinned === undefined) continue
    const { pin, question } = pinned
    const file = yield* Pin.fileOf(checked, pin)
    const standing = yield* Pin.inspect(file, question)
    const reason = Pin.objection(standing, pin, source.file)
    if (options.check || (standing.is === "held" && !options.update)) {
      told.push({ step: node.id, file, state: standing.is, reason })
    } else if (standing.is === "broken" && !options.update) {
      return yield* new FileUnusable({ path: pin, reason: `${standing.reason}. --update replaces it.` })
    } else if (question === undefined) {
      return yield* new NotPinnable({ step: node.id, reason: "the request of this step is only known during a run" })
    } else if (holdsPassword(question.url)) {
      return yield* new NotPinnable({
        step: node.id,
        reason:
          "the address of its request contains a password, which the lock file would show. Put it into auth, or remove pin"
      })
    } else {
      const state = yield* renew(standing, question, file, yield* asking, options.json ? mute(terminal) : terminal)
      told.push({ step: node.id, file, state })
    }
    const now = yield* Pin.inspect(file, question)
    // A later step may use the answer for an earlier one in its question.
    if (now.is === "held") scope = { ...scope, steps: { ...scope.steps, [node.id]: { output: now.lock.answer } } }
  }
  return told
})

/** A terminal that prints nothing, because scripts read a single JSON object. */
const mute = (terminal: Terminal): Terminal => ({ ...terminal, out: { ...terminal.out, write: () => {} } })

const run = (options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const told = yield* perform(options, terminal)
    const due = told.filter(({ state }) => state === "missing" || state === "stale" || state === "broken")
    if (options.json) terminal.out.write(`${JSON.stringify({ file: options.file, locks: told })}\n`)
    else if (told.length === 0) terminal.err.write(`${options.file} pins nothing\n`)
    else for (const each of told) terminal.err.write(`${place(each.file)}: ${words[each.state]}\n`)
    if (due.length > 0) return yield* checkFailed(due.map(({ reason }) => reason).join("; "))
  }).pipe(Effect.scoped)

const words: Readonly<Record<LockReport["state"], string>> = {
  held: "fits",
  unchanged: "requested again, nothing has changed",
  made: "made",
  replaced: "replaced",
  missing: "missing",
  stale: "was made for another request",
  broken: "cannot be used"
}

/** The question of a step is not known before the run, or its answer cannot be stored. */
export class NotPinnable extends Data.TaggedError("NotPinnable")<{
  readonly step: string
  readonly reason: string
}> {
  readonly exitCode = ExitCode.invalid
  override get message() {
    return `the answer to ${this.step} cannot be pinned: ${this.reason}`
  }
}
