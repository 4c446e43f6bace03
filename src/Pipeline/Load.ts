/** Loads a pipeline from a file or a value, checked and ready to run. */
import * as NodePath from "node:path"
import { fileURLToPath } from "node:url"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { check, type TypedChecked } from "./Check.ts"
import { DefinitionInvalid } from "./Issue.ts"
import type { NamedOr } from "./RowType.ts"
import { ofValue, read } from "./Source.ts"
import type { Definition } from "./TypedDefinition.ts"

/** Values that a program passes to a pipeline. */
export interface Given {
  /** Values of its inputs; those without a default must be there. */
  readonly inputs?: Readonly<Record<string, unknown>> | undefined
  /** Variables for `${{ env.NAME }}`; default: none. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Secrets for `${{ secrets.NAME }}`. */
  readonly secrets?: Readonly<Record<string, Redacted.Redacted>> | undefined
  /** True when the module of its `extensions` may be imported; default: false. */
  readonly allowCode?: boolean | undefined
}

/** Looks up a secret. */
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
export const load = Effect.fn("Pipeline.load")(function* (file: string, given: Given = {}) {
  return yield* check(yield* read(file), optionsOf(given))
})

/** Line of a stack: its file, and the line and column. */
const frame = /\(?((?:file:\/\/|\/|[A-Za-z]:\\)[^()]*):(\d+:\d+)\)?$/

/** `src/jobs.ts:12:20`, relative to the current folder: where `called` was called. Undefined where the stack names no file. */
export const callSiteOf = (called: (...parameters: never) => unknown): string | undefined => {
  const holder: { stack?: string } = {}
  Error.captureStackTrace(holder, called)
  const [, file, place] = frame.exec(holder.stack?.split("\n")[1] ?? "") ?? []
  if (file === undefined) return undefined
  return `${NodePath.relative(process.cwd(), file.startsWith("file:") ? fileURLToPath(file) : file)}:${place}`
}

/** The name of a definition without a file, for messages; it cannot be mistaken for the name of a file. */
const titleOf = ({ name }: Definition): string =>
  typeof name === "string" && /^[\w-]+$/.test(name) ? `pipeline "${name}"` : "the definition"

/** Like {@link from}. Mistakes name `callSite`, where the program has handed the definition over. */
export const fromAt = Effect.fn("Pipeline.from")(function* (
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
 * Checks a definition given as a value. Its relative paths are relative to `folder`, by default the current one. Mistakes name the line of
 * the program that calls this.
 */
export const from = <Content extends object = never, const Value = unknown>(
  // Typed as the argument of `createPipeline`.
  definition: [Value] extends [never] ? Value : Definition,
  given: Given = {},
  folder = "."
): Effect.Effect<
  TypedChecked<NamedOr<Content, Value>>,
  Effect.Effect.Error<ReturnType<typeof fromAt>>,
  Effect.Effect.Context<ReturnType<typeof fromAt>>
> => fromAt(definition as Definition, given, folder, callSiteOf(from))
