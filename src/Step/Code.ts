/** A function of the project that a definition names: for each row with `use`, once with `browser: { run }`. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { didYouMean } from "../Row/Nearest.ts"
import { type Context, StepError } from "../Step.ts"
import { readable } from "./Access.ts"
import { describeThrown, importModule } from "./Module.ts"

/** Fields that name a function of the project, and its arguments. */
export const fields = {
  module: Schema.String.pipe(
    Schema.pattern(/\.[cm]?[jt]s$/, { message: () => "name a .ts, .mts, .js or .mjs file" })
  ).annotations({ description: "a TypeScript or JavaScript file, relative to the definition's folder" }),
  export: Schema.optionalWith(
    Schema.NonEmptyString.annotations({ description: "the name of the function; its default export unless said" }),
    { default: () => "default" }
  ),
  with: Schema.optional(Schema.Unknown.annotations({ description: "What the function is given beside the rest." }))
}

interface Place {
  readonly module: string
  readonly export: string
}

const refuse = (reason: string, message: string) => new StepError({ reason, message })

/** Code that has thrown, or that gave what it must not, as the step's failure. */
export const functionFailed = (file: string, thrown: unknown): StepError =>
  new StepError({ reason: "FunctionFailed", message: `${file}: ${describeThrown(thrown)}`, cause: thrown })

/** Loads the function; fails with `CodeNotAllowed` or `ModuleInvalid`. */
export const load = (
  key: string,
  { export: name, module: file }: Place,
  context: Context
): Effect.Effect<(...args: ReadonlyArray<unknown>) => unknown, StepError> =>
  Effect.gen(function* () {
    if (!context.allowCode) {
      return yield* refuse(
        "CodeNotAllowed",
        `${key} runs code of the project (${file}): read it, and allow it with --allow-code`
      )
    }
    const exported = yield* importModule(yield* readable(file, context.folder)).pipe(
      Effect.mapError((error) => refuse("ModuleInvalid", `${file} ${error.message}`))
    )
    const found = exported[name]
    if (typeof found === "function") return found as (...args: ReadonlyArray<unknown>) => unknown
    const what = name in exported ? "no function" : `not there${didYouMean(name, Object.keys(exported))}`
    return yield* refuse("ModuleInvalid", `${file}: its export ${name} is ${what}`)
  })
