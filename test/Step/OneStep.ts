/** One step between a file of rows and the end of a run. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { keyOf } from "../../src/Row.ts"
import { jsonLines, type Options, type Project, project, type Setup, stepLine } from "../Project.ts"

/** Steps that read these rows and give them to the step `step`. */
export const stepsOver = (step: string, fields: unknown, more = ""): string =>
  `  - read: in.jsonl\n  - id: step\n    ${stepLine(step, fields).slice(4)}${more}`

/** Runs a step over rows in a project; gives what it emits, what it rejects, and why the run failed. */
export const runStep = (
  here: Project,
  step: string,
  fields: unknown,
  data: ReadonlyArray<unknown>,
  options: Options & { readonly more?: string } = {}
) =>
  Effect.gen(function* () {
    const { more, ...rest } = options
    here.write("in.jsonl", jsonLines(data))
    const ended = yield* here.run(stepsOver(step, fields, more), rest)
    const rows = ended.emitted("step")
    return {
      ...ended,
      data: rows.map((row) => row.data),
      keys: rows.map(keyOf),
      reasons: ended.rejects.map(({ error }) => error),
      messages: ended.rejects.map(({ message }) => message),
      failure: Either.isLeft(ended.outcome) ? ended.outcome.left.reason : undefined
    }
  })

/** The same in a project of its own. */
export const runStepOnce = (
  step: string,
  fields: unknown,
  data: ReadonlyArray<unknown>,
  options: Options = {},
  setup: Setup = {}
) =>
  Effect.flatMap(project({ sharesLedger: options.id === undefined, ...setup }), (here) =>
    runStep(here, step, fields, data, options)
  )

/** The config errors of a step. */
export const errorsOf = (step: string, fields: unknown) =>
  Effect.flatMap(project({ sharesLedger: true }), ({ errorsIn }) => errorsIn(stepsOver(step, fields)))
