/**
 * The tool `draft`: writes a definition into the project's folder of definitions, from a goal or as text.
 *
 * - Creates new files. Replaces a file only if an agent wrote it and nobody has changed it since. If it changes while a person is
 *   asked, writes nothing. A file is written completely or not at all.
 * - The text is checked first, with the permissions of a definition from outside the project, and without anything that
 *   the policy refuses for drafts (`Permissions/Untrusted.ts`). Its outputs must be its own (`DraftOutputs.ts`).
 * - Every draft has a budget. A person must approve a schedule, because it runs without a plan.
 */

import { randomUUID } from "node:crypto"
import * as NodePath from "node:path"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { canParse } from "../Api/Url.ts"
import { fileErrorReason } from "../Files/FileErrors.ts"
import { Ledger } from "../Ledger.ts"
import { realPath } from "../Permissions/Paths.ts"
import * as Untrusted from "../Permissions/Untrusted.ts"
import { yaml } from "../Pipeline/Format.ts"
import { parseText } from "../Pipeline/Source.ts"
import * as Templates from "../Pipeline/Templates.ts"
import { shown } from "./Answer.ts"
import { ensureOwn, foreignOutput } from "./DraftOutputs.ts"
import * as ProjectFiles from "./ProjectFiles.ts"
import { approval, McpSetup, Session } from "./Session.ts"
import * as Tool from "./Tool.ts"
import { refuse, type ToolRefused } from "./Tool.ts"

const Line = Schema.String.pipe(Schema.pattern(/^[^\n\r]{1,200}$/))

const WebAddress = Schema.String.pipe(
  Schema.maxLength(2_000),
  Schema.filter((text) => {
    // The pattern excludes user names and passwords, and `${{ }}`.
    const isWeb = /^https?:\/\/[^\s/?#@{}]+([/?#][^\s{}]*)?$/i.test(text) && canParse(text)
    return isWeb || "expected an http(s) address"
  })
)

const Name = Schema.String.pipe(Schema.pattern(/^[a-z][a-z0-9-]{0,50}$/)).annotations({
  description: "Name of the pipeline, and of its file: lower-case letters, digits and -."
})

const Input = Schema.Struct({
  name: Name,
  job: Tool.optional(
    Schema.Literal(...Templates.jobs),
    "crawl: all pages of a site. pages: a list of pages. search: results of a search. watch: changes of pages, from run to run. Omit it if you give `text`."
  ),
  urls: Tool.optional(
    Schema.Array(WebAddress).pipe(Schema.minItems(1), Schema.maxItems(200)),
    "Where a crawl begins, the pages to read, or the pages to watch."
  ),
  query: Tool.optional(Line, "The words of a search."),
  section: Tool.optional(Schema.Boolean, "For watch: all pages below each address."),
  limit: Tool.optional(
    Schema.Int.pipe(Schema.between(1, 10_000)),
    "Maximum number of pages of a crawl, or of results of a search."
  ),
  columns: Tool.optional(
    Schema.Record({ key: Schema.String.pipe(Schema.pattern(/^[A-Za-z_]\w{0,60}$/)), value: Line }),
    'Columns of the output with their JSONata expressions, such as {"title": "metadata.title"}; at most 40. Omit it for the usual ones.'
  ),
  format: Tool.optional(Schema.Literal(...Templates.formats), "Format of the output; default: jsonl."),
  description: Tool.optional(Line, "One line for people."),
  credits: Tool.optional(
    Schema.Number.pipe(Schema.between(1, 1_000_000)),
    "Credits that a run may spend; default: two for each page of the limit."
  ),
  schedule: Tool.optional(
    Schema.Struct({
      cron: Schema.String.pipe(Schema.pattern(/^[\d*/,\-A-Za-z# ]{5,100}$/)),
      timezone: Schema.String.pipe(Schema.pattern(/^[\w/+-]{1,60}$/))
    }),
    "Times at which `sluice schedule` runs the pipeline. A person has to approve the schedule."
  ),
  text: Tool.optional(
    Schema.String.pipe(Schema.maxLength(ProjectFiles.maxDefinition)),
    "The whole definition in YAML, in place of a job. `explain` describes the language."
  ),
  replace: Tool.optional(Schema.Boolean, "Replaces a definition that `draft` wrote and that is unchanged since.")
})

type Input = typeof Input.Type

/** Paths allowed for outputs, for messages. */
const outputs = (name: string): string => Templates.formats.map((format) => `out/${name}.${format}`).join(" or ")

/** Reason why an agent may not write this definition; undefined if it may. */
export const whyRefused = (value: unknown, name: string): string | undefined => {
  if (!Predicate.isReadonlyRecord(value))
    return "a definition is an object with `version`, `name`, `budget` and `steps`"
  if (value.name !== name) return `the definition's name must be ${name}, like the name of its file`
  if (!Predicate.isReadonlyRecord(value.budget) || typeof value.budget.credits !== "number") {
    return "the definition needs a budget: budget: { credits: 100 }"
  }
  // Only looks for keys that the policy refuses; `check` reports unknown keys, with the nearest known one.
  const refused = Untrusted.reachesOf(value).find(
    ({ isUnknown, reach }) => reach !== "unknown" && isUnknown !== true && Untrusted.refusedFor.draft.has(reach)
  )
  if (refused !== undefined) {
    return `\`${shown(refused.name, 60)}\` ${Untrusted.reaches[refused.reach]}: only definitions that a person writes may do that`
  }
  const output = foreignOutput(value, name)
  if (output !== undefined) {
    return `its outputs, and a manifest, must be ${outputs(name)}, out/${name}-{runId}.jsonl or files in out/${name}/: ${shown(output, 100)} is none of them`
  }
  return undefined
}

/** The definition's text, generated from the job or as given. */
const textOf = (input: Input): Effect.Effect<string, ToolRefused> => {
  const { columns, credits, job, limit, query, text, urls = [] } = input
  if (text !== undefined) {
    const other = (["job", "urls", "query", "columns", "schedule"] as const).find((key) => input[key] !== undefined)
    return other === undefined
      ? Effect.succeed(text.endsWith("\n") ? text : `${text}\n`)
      : Effect.fail(refuse(`\`text\` is the whole definition: omit \`${other}\``))
  }
  if (job === undefined) return Effect.fail(refuse("name a `job`, or give the definition as `text`"))
  if (job === "search" && query === undefined) return Effect.fail(refuse("a search needs a `query`"))
  if (job !== "search" && urls.length === 0 && !(job === "watch" && query !== undefined)) {
    return Effect.fail(refuse(`the job ${job} needs \`urls\``))
  }
  if (urls.length > 0 && query !== undefined) return Effect.fail(refuse("give either `urls` or a `query`"))
  if (columns !== undefined && Object.keys(columns).length > 40) return Effect.fail(refuse("at most 40 columns"))
  const pages = limit ?? (job === "crawl" || input.section === true ? Templates.usualLimit : Math.max(urls.length, 20))
  const { description, format = "jsonl", name, schedule, section } = input
  const order = { job, name, description, urls, query, section, limit, columns, format, schedule }
  return Effect.succeed(yaml(Templates.definitionOf({ ...order, credits: credits ?? 2 * pages })))
}

/** Text of the file at a path, undefined for a new file, and the hash of the text that an agent last wrote there. */
interface Found {
  readonly text: string | undefined
  readonly drafted: string | undefined
}

/** Fails unless the file may be written: it is new, or an agent wrote it and it has not changed since. */
const ensureWritable = (path: string, replace: boolean) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const { agents } = yield* Ledger
    const name = NodePath.basename(path)
    const link = yield* Effect.option(files.readLink(path))
    if (Option.isSome(link)) return yield* refuse(`${name} is a link: choose another name`)
    const text = yield* Effect.option(files.readFileString(path))
    const drafted = yield* agents.draftOf(path)
    if (Option.isNone(text)) {
      const exists = yield* Effect.orElseSucceed(files.exists(path), () => true)
      if (exists) return yield* refuse(`${name} cannot be read: choose another name`)
      return { text: undefined, drafted } satisfies Found
    }
    if (drafted === undefined || drafted !== ProjectFiles.hashOf(text.value)) {
      const why = drafted === undefined ? "was written by a person" : "was changed by a person"
      return yield* refuse(`${name} ${why}: choose another name`)
    }
    if (!replace) return yield* refuse(`${name} exists: choose another name, or set \`replace\``)
    return { text: text.value, drafted } satisfies Found
  })

/** Writes the whole file, or nothing if the file has changed since it was found. */
const write = (path: string, text: string, found: Found) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const { agents } = yield* Ledger
    const { asker } = yield* Session
    const name = NodePath.basename(path)
    const changed = refuse(
      `${name} has changed meanwhile, so nothing was written: read it again, or choose another name`
    )
    const partial = `${path}.${randomUUID()}.part`
    const failed = (cause: PlatformError) =>
      cause._tag === "SystemError" && cause.reason === "AlreadyExists"
        ? changed
        : refuse(`${name} could not be written: ${fileErrorReason(cause)}`)
    // Record the hash first: otherwise a file written by an agent could count as one of a person.
    const hash = ProjectFiles.hashOf(text)
    if (!(yield* agents.drafted(path, hash, asker(), found.drafted))) return yield* changed
    yield* Effect.gen(function* () {
      yield* Effect.mapError(files.writeFileString(partial, text, { flag: "wx" }), failed)
      if (found.text === undefined) {
        // Unlike a rename, a hard link never replaces a file. Some file systems do not support them.
        yield* files.link(partial, path).pipe(
          Effect.catchIf(
            (cause) => failed(cause) !== changed,
            () => files.writeFileString(path, text, { flag: "wx" })
          ),
          Effect.mapError(failed)
        )
        return
      }
      const now = yield* Effect.option(files.readFileString(path))
      if (Option.getOrUndefined(now) !== found.text) return yield* changed
      yield* Effect.mapError(files.rename(partial, path), failed)
    }).pipe(
      Effect.ensuring(Effect.ignore(files.remove(partial))),
      Effect.tapError(() =>
        found.drafted === undefined ? Effect.void : agents.drafted(path, found.drafted, asker(), hash)
      ),
      Effect.uninterruptible
    )
  })

const run = (input: Input) =>
  Effect.gen(function* () {
    const { definitions: folder } = yield* McpSetup
    const paths = yield* Path.Path
    const files = yield* FileSystem.FileSystem
    const { name } = input
    const file = `${name}.yaml`
    const text = yield* textOf(input)
    const source = yield* parseText(file, folder, text)
    const refused = whyRefused(source.value, name)
    if (refused !== undefined) return yield* refuse(refused)
    const { warnings } = yield* ProjectFiles.checkSource(source, true, {
      inputs: {},
      complete: false,
      unsetSecrets: "issue"
    })
    yield* Effect.mapError(files.makeDirectory(folder, { recursive: true }), (cause) =>
      refuse(`the folder of definitions cannot be created: ${fileErrorReason(cause)}`)
    )
    yield* ProjectFiles.ensureInside(folder)
    const path = paths.join(realPath(folder), file)
    const found = yield* ensureWritable(path, input.replace === true)
    const before = found.text === undefined ? undefined : (yield* parseText(file, folder, found.text)).value
    yield* ensureOwn(name, path, source.value, before)
    const { schedule } = source.value as { readonly schedule?: unknown }
    if (schedule !== undefined) {
      const question = [
        `Write the pipeline ${name} with a schedule? While \`sluice schedule\` runs, the pipeline starts by itself.`,
        shown(`schedule: ${JSON.stringify(schedule)}`, 300),
        shown(`budget of a run: ${JSON.stringify((source.value as { readonly budget?: unknown }).budget)}`, 300)
      ]
      const answer = yield* approval(question)
      if (answer !== true) {
        return yield* refuse(
          answer === false
            ? "a person refused the schedule"
            : `a schedule needs a person: draft it without \`schedule\`, and ask the person to add ${shown(`schedule: ${JSON.stringify(schedule)}`, 300)} to ${file}`
        )
      }
    }
    yield* write(path, text, found)
    return {
      file,
      written: found.text === undefined ? "new" : "replaced",
      definition: text.length > 4_000 ? undefined : text,
      warnings: warnings.slice(0, 10).map(ProjectFiles.mistake),
      next: "Show it to the person, then call `plan`."
    }
  }).pipe(Effect.catchTag("DefinitionInvalid", (invalid) => ProjectFiles.refusedBy(invalid)))

export const draft = Tool.make({
  name: "draft",
  title: "Write a definition",
  description: `Writes a pipeline's definition into the project, from a job (crawl, pages, search, watch) or as YAML text, after checking it. It runs nothing and costs nothing. The file is NAME.yaml; outputs go to ${outputs("NAME")}. Definitions that people wrote stay as they are.`,
  changes: true,
  destructive: true,
  input: Input,
  run
})
