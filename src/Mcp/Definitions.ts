/** The tools `list`, `explain` and `check`: the project's definitions, and the language in which they are written. */
import * as NodePath from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Dashboard from "../Dashboard/Definitions.ts"
import { Ledger } from "../Ledger.ts"
import { parseText } from "../Pipeline/Source.ts"
import { didYouMean } from "../Row/Nearest.ts"
import type { DefinitionLine } from "../Web/Dashboard/Protocol.ts"
import { fitIn, part, shown } from "./Answer.ts"
import * as ProjectFiles from "./ProjectFiles.ts"
import { McpSetup } from "./Session.ts"
import * as Tool from "./Tool.ts"
import { refuse } from "./Tool.ts"

export const list = Tool.make({
  name: "list",
  title: "List the pipelines",
  description: "Lists the definitions of the project, with their inputs, mistakes, and last runs.",
  changes: false,
  input: Schema.Struct({ after: Tool.after }),
  run: ({ after = 0 }) =>
    Effect.gen(function* () {
      const { history } = yield* Ledger
      const { definitions: folder } = yield* McpSetup
      const { definitions } = yield* Dashboard.list
      const some: ReadonlyArray<DefinitionLine> = definitions.slice(after, after + 100)
      const lines = yield* Effect.forEach(some, (each) =>
        Effect.gen(function* () {
          const [last] = yield* history.runs({ pipeline: each.name, limit: 1 })
          return {
            file: each.file,
            name: each.name,
            description: each.description,
            byAgent: yield* ProjectFiles.isDraft(NodePath.join(folder, each.file)),
            inputs: each.inputs.map(({ default: usual, description, name, type }) => ({
              name,
              type,
              description,
              default: usual
            })),
            mistakes: each.mistakes.length,
            lastRun: last && { id: last.id, status: last.status, startedAt: new Date(last.startedAt).toISOString() }
          }
        })
      )
      const { shown } = fitIn(lines, {})
      const end = after + shown.length
      return { definitions: shown, total: definitions.length, next: end < definitions.length ? end : null }
    })
})

export const explain = Tool.make({
  name: "explain",
  title: "Explain the language of definitions",
  description:
    "Explains a step, a sink, or a topic of the language in which definitions are written. Without a name, lists what can be explained.",
  changes: false,
  input: Schema.Struct({
    name: Tool.optional(
      Schema.String.pipe(Schema.pattern(/^[\w-]{1,60}$/)),
      "A step such as crawl, or a topic such as frame, keys or expressions."
    ),
    after: Tool.after
  }),
  run: ({ after = 0, name }) =>
    Effect.gen(function* () {
      const { chapters, explain } = yield* McpSetup
      const text = explain(name)
      return text === undefined
        ? yield* refuse(
            `there is no step or topic ${name}${didYouMean(name ?? "", chapters)}: there are ${chapters.join(", ")}`
          )
        : part(text, after)
    })
})

export const check = Tool.make({
  name: "check",
  title: "Check a definition",
  description:
    "Finds every mistake in a definition of the project, or in YAML text, with line and column. Sends nothing and runs nothing.",
  changes: false,
  input: Schema.Struct({
    file: Tool.optional(Schema.String.pipe(Schema.maxLength(500)), "A definition, as `list` names it."),
    text: Tool.optional(Schema.String.pipe(Schema.maxLength(ProjectFiles.maxDefinition)), "A definition as YAML.")
  }),
  run: ({ file, text }) =>
    Effect.gen(function* () {
      const { definitions: folder } = yield* McpSetup
      if ((file === undefined) === (text === undefined)) {
        return yield* refuse("give either `file` or `text`")
      }
      const options = { inputs: {}, complete: false, unsetSecrets: "warning" } as const
      const checked =
        text === undefined
          ? Effect.map(ProjectFiles.load(file ?? "", options), (loaded) => loaded.checked)
          : Effect.flatMap(parseText("definition.yaml", folder, text), (source) =>
              ProjectFiles.checkSource(source, true, options)
            )
      return yield* checked.pipe(
        Effect.map(({ frame, warnings }) => ({
          valid: true,
          name: shown(frame.name),
          warnings: warnings.slice(0, 20).map(ProjectFiles.mistake)
        })),
        Effect.catchTag("DefinitionInvalid", (invalid) => {
          const warnings = (invalid.warnings ?? []).slice(0, 10).map(ProjectFiles.mistake)
          const rest = { valid: false, total: invalid.issues.length, warnings }
          return Effect.succeed({ ...rest, mistakes: fitIn(ProjectFiles.mistakes(invalid), rest).shown })
        })
      )
    })
})
