/** A pipeline, out of a file or a value, checked and ready to be run by a program. */
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { Definition } from "../Pipeline.ts"
import { check } from "./Check.ts"
import { ofValue, read } from "./Source.ts"

/** What a pipeline is given. */
export interface Given {
  /** Values of its inputs; those without a default must be there. */
  readonly inputs?: Readonly<Record<string, unknown>> | undefined
  /** What `${{ env.NAME }}` may read; nothing where nothing is said. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** What `${{ secrets.NAME }}` may read. */
  readonly secrets?: Readonly<Record<string, Redacted.Redacted>> | undefined
  /** Whether the module of its `extensions` may be imported; default: no. */
  readonly allowCode?: boolean | undefined
}

/** How definitions and runs look secrets up. */
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
 * every mistake with file, line and column.
 */
export const load = Effect.fn("Pipeline.load")(function* (file: string, given: Given = {}) {
  return yield* check(yield* read(file), optionsOf(given))
})

/** Stands where a definition in a file has its path: never the name of a file, which may be there and be another one. */
const titleOf = ({ name }: Definition): string =>
  typeof name === "string" && /^[\w-]+$/.test(name) ? `pipeline "${name}"` : "the definition"

/** Checks a definition that is there as a value; its relative files are under `folder`, by default the current one. */
export const from = Effect.fn("Pipeline.from")(function* (definition: Definition, given: Given = {}, folder = ".") {
  const paths = yield* Path.Path
  return yield* check(yield* ofValue(titleOf(definition), paths.resolve(folder), definition), optionsOf(given))
})
