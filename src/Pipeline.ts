/** A pipeline as a value: what YAML, JSON and TypeScript all come down to. */
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
 * A pipeline definition with its types checked; the default export of a `.ts` pipeline. The value is plain data, the
 * same that a YAML file gives. `extensions` are steps and sinks of your own (`Step.make`, `Sink.make`), which the definition
 * may use like those of Sluice.
 *
 * The type of the rows follows from the steps, and reaches `Run.rows` and `createPipeline`: `urls`, `read` with typed columns, steps that give
 * pages (`Document`) and `select`, where the steps are one chain. Rows of all other definitions hold anything.
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
  // The branch that is never taken infers the literal; the value is checked against the other one.
  definition: [Given] extends [never] ? Given : Definition<Own[number], OwnSinks[number]>,
  extensions?: Extensions & { readonly steps?: Own; readonly sinks?: OwnSinks }
): TypedDefinition<RowOf<Given>> =>
  // Only the types of the extensions are lost: who reads a definition checks it by its schemas.
  (extensions === undefined ? definition : extend(definition as Definition, extensions)) as TypedDefinition<
    RowOf<Given>
  >
