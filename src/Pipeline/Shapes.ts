/** The ways to write a value that a schema describes. */
import type * as AST from "effect/SchemaAST"
import { flatten } from "./Expectation.ts"

/** Where the walk through a schema stops. */
interface Stops {
  /** Kept as it is. */
  readonly isLeaf?: ((ast: AST.AST) => boolean) | undefined
  /** Left out. */
  readonly isClosed?: ((ast: AST.AST) => boolean) | undefined
}

/** The members of a schema below unions, filters and transformations. */
export const shapesOf = (ast: AST.AST, stops: Stops): ReadonlyArray<AST.AST> => {
  if (stops.isClosed?.(ast) === true) return []
  if (stops.isLeaf?.(ast) === true) return [ast]
  switch (ast._tag) {
    case "Union":
      return flatten(ast).flatMap((member) => shapesOf(member, stops))
    case "Refinement":
    case "Transformation":
      return shapesOf(ast.from, stops)
    case "Suspend":
      return shapesOf(ast.f(), stops)
    default:
      return [ast]
  }
}
