/** Expressions as plain closures, where a closure does exactly what JSONata would do. */
import type { Bindings } from "./Bindings.ts"
import type { Node } from "./Syntax.ts"

/** The closure of an expression, undefined when only JSONata can evaluate it. */
export const compileClosure = (
  _source: string,
  _node: Node,
  _names: ReadonlyArray<string>
): ((data: unknown, bindings: Bindings) => unknown) | undefined => undefined
