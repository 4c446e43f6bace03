/** Pipelines as values: YAML, JSON and TypeScript definitions all become this. */
import { type Extensions, extend } from "./Pipeline/Extensions.ts"
import type { RowOf } from "./Pipeline/RowType.ts"
import type { Definition, TypedDefinition } from "./Pipeline/TypedDefinition.ts"
import type * as Sink from "./Sink.ts"
import type * as Step from "./Step.ts"

export type { Checked, TypedChecked } from "./Pipeline/Check.ts"
export type { Extensions } from "./Pipeline/Extensions.ts"
export { DefinitionInvalid, type PlacedIssue } from "./Pipeline/Issue.ts"
export { from, type Given, load } from "./Pipeline/Load.ts"
export type { ReadRow, RowOf, SelectedRow, UrlRow } from "./Pipeline/RowType.ts"
export type { Definition, Settled, StepDefinition, TypedDefinition } from "./Pipeline/TypedDefinition.ts"

/**
 * Pipeline definition with checked types; the default export of a `.ts` pipeline. The value is plain data, the same that a YAML file gives.
 * `extensions` are your own steps and sinks (`Step.make`, `Sink.make`), which the definition may use like Sluice's.
 *
 * If the steps form one chain of `urls`, `read` with typed columns, steps that give pages (`Document`) and `select`, the type of the rows
 * is inferred, and reaches `Run.rows` and `createPipeline`. In all other definitions rows can hold anything.
 *
 * @example
 * ```ts
 * import { Pipeline } from "sluice"
 *
 * export default Pipeline.make({
 *   version: 1,
 *   name: "two-pages",
 *   steps: [
 *     { urls: ["https://example.com/a", "https://example.com/b"] },
 *     { scrape: { formats: ["markdown"] } },
 *     { write: { jsonl: "pages.jsonl" } }
 *   ]
 * })
 * ```
 */
export const make = <
  const Given,
  const Own extends ReadonlyArray<Step.Any> = readonly [],
  const OwnSinks extends ReadonlyArray<Sink.Any> = readonly []
>(
  // The branch that is never taken infers the literal type; the other branch checks the value.
  definition: [Given] extends [never] ? Given : Definition<Own[number], OwnSinks[number]>,
  extensions?: Extensions & { readonly steps?: Own; readonly sinks?: OwnSinks }
): TypedDefinition<RowOf<Given>> =>
  // The cast loses only the types of the extensions; a definition is checked by their schemas when it is read.
  (extensions === undefined ? definition : extend(definition as Definition, extensions)) as TypedDefinition<
    RowOf<Given>
  >
