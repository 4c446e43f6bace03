/** Building blocks for custom steps: `Step.make`, its types, its kinds of fields, and how a step calls the service. */

export { withData } from "../Row.ts"
export * from "../Step.ts"
export { call } from "./Call.ts"
export { flatMapValues as mapRows } from "./Chunked.ts"
export * as Estimate from "./Estimate.ts"
export { ExpressionText as expression, type PerRow, perRow } from "./Field.ts"
