/** Loads a pipeline from a file or a value, checked and ready to run. */
import * as NodePath from "node:path"
import { fileURLToPath } from "node:url"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Trace from "../Telemetry/Trace.ts"
import { check, type TypedChecked } from "./Check.ts"
import { DefinitionInvalid } from "./Issue.ts"
import type { NamedOr } from "./RowType.ts"
import { ofValue, read } from "./Source.ts"
import type { Definition } from "./TypedDefinition.ts"

/** Values that a program passes to a pipeline. */
export interface Given {
  /** Values of the inputs; required for inputs without a default. */
  readonly inputs?: Readonly<Record<string, unknown>> | undefined
  /** Variables for `${{ env.NAME }}`; default: none. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Secrets for `${{ secrets.NAME }}`. */
  readonly secrets?: Readonly<Record<string, Redacted.Redacted>> | undefined
  /** Allows importing the module of `extensions`; default: false. */
  readonly allowCode?: boolean | undefined
}

/** Returns a function that looks up a secret. */
export const secretsOf =
  ({ secrets }: Given) =>
  (name: string): Redacted.Redacted | undefined =>
    secrets !== undefined && Object.hasOwn(secrets, name) ? secrets[name] : undefined

const optionsOf = (given: Given) => ({
  inputs: given.inputs ?? {},
  env: given.env ?? {},
  secrets: secretsOf(given),
  allowCode: given.allowCode ?? false,
  complete: true
})

/**
 * Reads a definition (.yaml .yml .json .ts .mts .js .mjs) and checks it. Fails with `DefinitionInvalid`, which lists
 * every issue with file, line and column.
 */
export const load = Trace.fn("Pipeline.load")(function* (file: string, given: Given = {}) {
  return yield* check(yield* read(file), optionsOf(given))
})

/** Matches the file, line and column in a line of a stack trace. */
const frame = /\(?((?:file:\/\/|\/|[A-Za-z]:\\)[^()]*):(\d+:\d+)\)?$/

/** Call site of `called`, relative to the current folder: `src/jobs.ts:12:20`. Undefined if the stack contains no file. */
export const callSiteOf = (called: (...parameters: never) => unknown): string | undefined => {
  const holder: { stack?: string } = {}
  Error.captureStackTrace(holder, called)
  const [, file, place] = frame.exec(holder.stack?.split("\n")[1] ?? "") ?? []
  if (file === undefined) return undefined
  return `${NodePath.relative(process.cwd(), file.startsWith("file:") ? fileURLToPath(file) : file)}:${place}`
}

/** Title for a definition without a file, for messages; cannot be mistaken for a file name. */
const titleOf = ({ name }: Definition): string =>
  typeof name === "string" && /^[\w-]+$/.test(name) ? `pipeline "${name}"` : "the definition"

/** Like {@link from}. Errors show `callSite`, where the program passed the definition. */
export const fromAt = Trace.fn("Pipeline.from")(function* (
  definition: Definition,
  given: Given,
  folder: string,
  callSite: string | undefined
) {
  const paths = yield* Path.Path
  return yield* ofValue(titleOf(definition), paths.resolve(folder), definition).pipe(
    Effect.flatMap((source) => check(source, optionsOf(given))),
    Effect.mapError(({ file, issues, warnings }) => {
      const place = callSite === undefined ? file : `${file} (${callSite})`
      return new DefinitionInvalid({ file: place, issues, warnings })
    })
  )
})

/**
 * Checks a definition given as a value. Its relative paths are relative to `folder`, by default the current one. Errors show the line of
 * the program that calls this function.
 */
export const from = <Content extends object = never, const Value = unknown>(
  // The branch that is never taken lets TypeScript infer the literal; the value is checked against the other branch.
  definition: [Value] extends [never] ? Value : Definition,
  given: Given = {},
  folder = "."
): Effect.Effect<
  TypedChecked<NamedOr<Content, Value>>,
  Effect.Effect.Error<ReturnType<typeof fromAt>>,
  Effect.Effect.Context<ReturnType<typeof fromAt>>
> => fromAt(definition as Definition, given, folder, callSiteOf(from))
