/** Looks at the lock files of a definition, asks for those that are due, and shows what changes. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { CrawlParams } from "../../Api/CrawlParams.ts"
import { canParse } from "../../Api/Url.ts"
import { CrawlPreview } from "../../Client/CrawlPreview.ts"
import { fileErrorReason } from "../../Files/FileErrors.ts"
import * as Files from "../../Files.ts"
import { type Checked, check, scopeBefore } from "../../Pipeline/Check.ts"
import type { Scope } from "../../Pipeline/Interpolate.ts"
import * as Pin from "../../Pipeline/Pin.ts"
import { hostOf } from "../../Pipeline/Requirements.ts"
import { read } from "../../Pipeline/Source.ts"
import { ensure } from "../Abilities.ts"
import { FileUnusable } from "../Errors.ts"
import { lineDiff } from "../LineDiff.ts"
import type { PinParameters } from "../Pin.ts"
import * as Profile from "../Profile.ts"
import * as Service from "../Run/Service.ts"
import { scopeOf } from "../Scope.ts"
import { type Paint, paint, type Terminal } from "../Terminal.ts"
import { place } from "../Words.ts"
import { LocksDue, NotPinnable } from "./Errors.ts"

/** What became of a lock file. */
interface Told {
  readonly step: string
  readonly file: string
  readonly state: "held" | "unchanged" | "made" | "replaced" | "missing" | "stale" | "broken"
  readonly reason?: string | undefined
}

interface Asker {
  /** Host, or `local`. */
  readonly service: string
  readonly site: string | undefined
  readonly ask: (
    question: Pin.Question
  ) => Effect.Effect<
    { readonly answer: CrawlParams; readonly answeredBy: string | undefined },
    { readonly _tag: string; readonly message: string }
  >
}

const dye = (line: string, colours: Paint): string => {
  if (line.startsWith("@@")) return colours.cyan(line)
  return line.startsWith("+") ? colours.green(line) : line.startsWith("-") ? colours.red(line) : line
}

/** Beside its place first, so that nobody reads half a file. */
const replace = (path: string, text: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    yield* Files.makeFolder(files, (yield* Path.Path).dirname(path))
    const partial = `${path}.partial`
    yield* files.writeFileString(partial, text)
    yield* files.rename(partial, path)
  }).pipe(Effect.mapError((cause) => new FileUnusable({ path, reason: fileErrorReason(cause), cause })))

/** The password of an address would stand in the lock file, for everybody to read. */
const holdsPassword = (url: string): boolean => canParse(url) && new URL(url).password !== ""

/** Asks, shows what changes, and writes; a lock that says the same stays as it is. */
const renew = (standing: Pin.Standing, question: Pin.Question, file: string, asker: Asker, terminal: Terminal) =>
  Effect.gen(function* () {
    const date = new Date(yield* Clock.currentTimeMillis).toISOString().slice(0, 10)
    const { prompt, url } = question
    const { answer, answeredBy } = yield* asker.ask(question)
    const who = { service: asker.service, ...(answeredBy === undefined ? {} : { answeredBy }) }
    const lock: Pin.Lock = { version: 1, url, prompt, ...who, date, answer }
    const old = standing.is === "held" || standing.is === "stale" ? standing.lock : undefined
    const fresh = Pin.render(lock)
    // Locks of before do not say who it was, and need not be written anew for that.
    const same = old !== undefined && Pin.render({ ...old, date, ...who }) === fresh
    if (same) return "unchanged" as const
    if (old !== undefined) {
      const colours = paint(terminal.out)
      const name = place(file)
      const lines = [`--- ${name}`, `+++ ${name}`, ...lineDiff(Pin.render(old), fresh)]
      terminal.out.write(`${lines.map((line) => dye(line, colours)).join("\n")}\n`)
    }
    yield* replace(file, fresh)
    return standing.is === "missing" ? ("made" as const) : ("replaced" as const)
  })

/** The service of the settings, started for those who ask. */
const askerOf = Effect.fn("Pin.asker")(function* (options: PinParameters, terminal: Terminal, checked: Checked) {
  const settings = yield* Profile.read(terminal.env, options.profile)
  const dataDir = (yield* Path.Path).resolve(options.data ?? settings.dataDir)
  yield* ensure(checked, settings, terminal.env)
  const { client, hosted, site } = yield* Service.start(checked, settings, dataDir)
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

const perform = Effect.fn("Cli.pin")(function* (options: PinParameters, terminal: Terminal) {
  const source = yield* read(options.file)
  const surroundings = scopeOf(terminal.env)
  const checked = yield* check(source, { ...surroundings, inputs: options.input, complete: !options.check })
  const asking = yield* Effect.cached(askerOf(options, options.json ? mute(terminal) : terminal, checked))
  const told: Array<Told> = []
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
      return yield* new NotPinnable({ step: node.id, reason: "what it asks is only known during a run" })
    } else if (holdsPassword(question.url)) {
      return yield* new NotPinnable({
        step: node.id,
        reason: "its address holds a password, which everybody could read"
      })
    } else {
      const state = yield* renew(standing, question, file, yield* asking, options.json ? mute(terminal) : terminal)
      told.push({ step: node.id, file, state })
    }
    const now = yield* Pin.inspect(file, question)
    // A later step may ask for what an earlier one was answered.
    if (now.is === "held") scope = { ...scope, steps: { ...scope.steps, [node.id]: { output: now.lock.answer } } }
  }
  return told
})

/** For scripts, which read one object. */
const mute = (terminal: Terminal): Terminal => ({ ...terminal, out: { ...terminal.out, write: () => {} } })

export const program = (options: PinParameters, terminal: Terminal) =>
  Effect.gen(function* () {
    const told = yield* perform(options, terminal)
    const due = told.filter(({ state }) => state === "missing" || state === "stale" || state === "broken")
    if (options.json) terminal.out.write(`${JSON.stringify({ file: options.file, locks: told })}\n`)
    else if (told.length === 0) terminal.err.write(`${options.file} pins nothing\n`)
    else for (const each of told) terminal.err.write(`${place(each.file)}: ${words[each.state]}\n`)
    if (due.length > 0) return yield* new LocksDue({ reasons: due.map(({ reason }) => reason ?? "") })
  }).pipe(Effect.scoped)

const words: Readonly<Record<Told["state"], string>> = {
  held: "fits",
  unchanged: "asked again, nothing has changed",
  made: "made",
  replaced: "replaced",
  missing: "missing",
  stale: "was made for another question",
  broken: "cannot be used"
}
