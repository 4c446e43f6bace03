/**
 * The tool `draft`: writes a definition into the project's folder of definitions, from a goal or as text.
 *
 * - It makes new files. It replaces only a file that an agent wrote and no person has changed since.
 * - What it writes has been checked with the permissions of a definition from outside the project, and holds nothing that runs code, sends
 *   rows or messages to an address, reads files, or writes other outputs than its own: `out/NAME…`.
 * - It always has a budget. A schedule would run it without a plan, so a person approves one.
 */
import * as NodePath from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { canParse } from "../Api/Url.ts"
import * as Definitions from "../Dashboard/Definitions.ts"
import { fileErrorReason } from "../Files/FileErrors.ts"
import { Ledger } from "../Ledger.ts"
import { realPath } from "../Permissions/Paths.ts"
import { yaml } from "../Pipeline/Format.ts"
import { parseText } from "../Pipeline/Source.ts"
import * as Templates from "../Pipeline/Templates.ts"
import { shown } from "./Answer.ts"
import * as ProjectFiles from "./ProjectFiles.ts"
import { approval, McpSetup, Session } from "./Session.ts"
import * as Tool from "./Tool.ts"
import { ToolRefused } from "./Tool.ts"

const refuse = (reason: string) => new ToolRefused({ reason })

const Line = Schema.String.pipe(Schema.pattern(/^[^\n\r]{1,200}$/))

const WebAddress = Schema.String.pipe(
  Schema.maxLength(2_000),
  Schema.filter((text) => {
    // Without a name and password, and without ${{ }}.
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
    "Pages of a crawl, or results of a search, at most."
  ),
  columns: Tool.optional(
    Schema.Record({ key: Schema.String.pipe(Schema.pattern(/^[A-Za-z_]\w{0,60}$/)), value: Line }),
    'Columns of the output with their JSONata expressions, such as {"title": "metadata.title"}; at most 40. Omit it for the usual ones.'
  ),
  format: Tool.optional(Schema.Literal("jsonl", "csv"), "Format of the output; default: jsonl."),
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
    "When `sluice schedule` runs it. A person has to approve it."
  ),
  text: Tool.optional(
    Schema.String.pipe(Schema.maxLength(ProjectFiles.maxDefinition)),
    "The whole definition in YAML, in place of a job. `explain` has the language."
  ),
  replace: Tool.optional(Schema.Boolean, "Replaces a definition that `draft` wrote and that nobody has changed since.")
})

type Input = typeof Input.Type

/** Keys of a definition that an agent may write. */
const allowedKeys = ["version", "name", "description", "inputs", "schedule", "state", "budget", "health", "steps"]

/** Fields of steps, anywhere in them, that run code, call an address, or read files. */
const refusedFields: Readonly<Record<string, string>> = {
  use: "runs code",
  extensions: "runs code",
  run: "runs code",
  module: "runs code",
  executeJavascript: "runs code",
  webhook: "sends rows to an address",
  command: "runs code",
  pin: "reads a file",
  files: "reads files",
  read: "reads a file",
  parse: "reads files",
  session: "uses a browser profile",
  profile: "uses a browser profile",
  browser: "uses a browser profile"
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Why steps may not hold this, with the field; undefined when they may. */
const refusedIn = (value: unknown): string | undefined => {
  if (Array.isArray(value)) return value.map(refusedIn).find((each) => each !== undefined)
  if (!isObject(value)) {
    return value === "executeJavascript" ? "executeJavascript runs code" : undefined
  }
  for (const [name, each] of Object.entries(value)) {
    const why = Object.hasOwn(refusedFields, name) ? refusedFields[name] : undefined
    // `select` and `columns` name fields of rows, not of steps.
    if (why !== undefined) return `\`${name}\` ${why}`
    if (["select", "columns", "metadata"].includes(name)) continue
    const inside = refusedIn(each)
    if (inside !== undefined) return inside
  }
  return undefined
}

/** The first output that is not one of the pipeline's own. */
const foreignOutput = (steps: unknown, name: string): string | undefined => {
  const own = new RegExp(`^out/${name}(\\.[\\w.]+|-\\{\\w+\\}[\\w{}.-]*|/[\\w{}./-]+)$`)
  const paths = (Array.isArray(steps) ? steps : []).flatMap((step) => {
    if (!isObject(step) || step.write === undefined) return []
    const { csv, jsonl } = isObject(step.write) ? step.write : { csv: undefined, jsonl: undefined }
    const path = csv ?? jsonl
    return [typeof path === "string" ? path : "one of another format"]
  })
  return paths.find((path) => !own.test(path) || path.split("/").includes(".."))
}

/** Why an agent may not write this definition; undefined if it may. */
export const whyRefused = (value: unknown, name: string): string | undefined => {
  if (!isObject(value)) return "a definition is an object with `version`, `name`, `budget` and `steps`"
  const unknown = Object.keys(value).find((key) => !allowedKeys.includes(key))
  if (unknown !== undefined) {
    return `\`${shown(unknown, 60)}\` is for definitions that a person writes. An agent's have ${allowedKeys.join(", ")}`
  }
  if (value.name !== name) return `the definition's name has to be ${name}, as its file`
  if (isObject(value.state) && value.state.key !== undefined)
    return "`state.key` is for definitions that a person writes"
  if (!isObject(value.budget) || typeof value.budget.credits !== "number") {
    return "it needs a budget: budget: { credits: 100 }"
  }
  const refused = refusedIn(value.steps)
  if (refused !== undefined) return `${refused}: that is for definitions that a person writes`
  const output = foreignOutput(value.steps, name)
  if (output !== undefined) {
    return `its outputs have to be out/${name}.jsonl, out/${name}.csv, out/${name}-{runId}.jsonl or files in out/${name}/: ${shown(output, 100)} is none of them`
  }
  return undefined
}

/** The text of the definition, from the job or as it was given. */
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

/** Fails when another definition has the name: pipelines of one name share their state and their budget. */
const ensureOwnName = (name: string, file: string) =>
  Effect.gen(function* () {
    const { definitions } = yield* Definitions.list
    const other = definitions.find((each) => each.file !== file && each.name === name)
    if (other !== undefined) return yield* refuse(`${other.file} has the name ${name}: choose another`)
  })

/** Fails unless the file may be written: it is new, or an agent wrote it and nobody has changed it since. */
const ensureWritable = (path: string, replace: boolean) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const { agents } = yield* Ledger
    const name = NodePath.basename(path)
    const link = yield* Effect.option(files.readLink(path))
    if (Option.isSome(link)) return yield* refuse(`${name} is a link: choose another name`)
    const text = yield* Effect.option(files.readFileString(path))
    if (Option.isNone(text)) {
      const exists = yield* Effect.orElseSucceed(files.exists(path), () => true)
      return exists ? yield* refuse(`${name} cannot be read: choose another name`) : undefined
    }
    const known = yield* agents.draftOf(path)
    if (known === undefined || known !== ProjectFiles.hashOf(text.value)) {
      const why = known === undefined ? "was written by a person" : "was changed by a person"
      return yield* refuse(`${name} ${why}: choose another name`)
    }
    if (!replace) return yield* refuse(`${name} exists: choose another name, or set \`replace\``)
    return text.value
  })

/** Fails when a file of another pipeline has the name of an output. */
const ensureNoOutputs = (name: string) =>
  Effect.gen(function* () {
    const { out } = yield* McpSetup
    const files = yield* FileSystem.FileSystem
    for (const output of [`out/${name}`, `out/${name}.jsonl`, `out/${name}.csv`]) {
      if (yield* Effect.orElseSucceed(files.exists(NodePath.join(out, output)), () => true)) {
        return yield* refuse(`${output} exists, and the pipeline would replace it: choose another name`)
      }
    }
  })

/** Writes the whole file or nothing. */
const write = (path: string, text: string, isNew: boolean) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    if (isNew) return yield* files.writeFileString(path, text, { flag: "wx" })
    const partial = `${path}.${process.pid}.part`
    yield* Effect.ensuring(
      Effect.zipRight(files.writeFileString(partial, text, { flag: "wx" }), files.rename(partial, path)),
      Effect.ignore(files.remove(partial))
    )
  }).pipe(
    Effect.mapError((cause) => refuse(`${NodePath.basename(path)} could not be written: ${fileErrorReason(cause)}`))
  )

const run = (input: Input) =>
  Effect.gen(function* () {
    const { definitions: folder } = yield* McpSetup
    const { asker } = yield* Session
    const { agents } = yield* Ledger
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
    yield* ensureOwnName(name, file)
    yield* Effect.mapError(files.makeDirectory(folder, { recursive: true }), (cause) =>
      refuse(`the folder of definitions cannot be made: ${fileErrorReason(cause)}`)
    )
    yield* ProjectFiles.ensureInside(folder)
    const path = paths.join(realPath(folder), file)
    const before = yield* ensureWritable(path, input.replace === true)
    if (before === undefined) yield* ensureNoOutputs(name)
    const { schedule } = source.value as { readonly schedule?: unknown }
    if (schedule !== undefined) {
      const question = [
        `Write the pipeline ${name} with a schedule? While \`sluice schedule\` runs, it starts by itself.`,
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
    // Recorded first: a file that an agent wrote never counts as one of a person.
    yield* agents.drafted(path, ProjectFiles.hashOf(text), asker())
    yield* write(path, text, before === undefined)
    return {
      file,
      written: before === undefined ? "new" : "replaced",
      definition: text.length > 4_000 ? undefined : text,
      warnings: warnings.slice(0, 10).map(ProjectFiles.mistake),
      next: "Show it to the person, then call `plan`."
    }
  }).pipe(Effect.catchTag("DefinitionInvalid", (invalid) => ProjectFiles.refusedBy(invalid)))

export const draft = Tool.make({
  name: "draft",
  title: "Write a definition",
  description:
    "Writes a pipeline's definition into the project, from a job (crawl, pages, search, watch) or as YAML text, after checking it. It runs nothing and costs nothing. The file is NAME.yaml; outputs go to out/NAME.jsonl or out/NAME.csv. Definitions that people wrote stay as they are.",
  changes: true,
  destructive: true,
  input: Input,
  run
})
