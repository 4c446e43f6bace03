/** Keys that no schema knows, also where the service itself would leave them out: in a definition they are mistakes. */
import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"
import { shapesOf } from "./Expectation.ts"
import { type Mistake, type Path, unknownKey } from "./Mistake.ts"

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** An answer of the service keeps what is unknown: what was read from one may be handed on. */
const keepsUnknown = (ast: AST.AST): boolean =>
  Option.match(AST.getAnnotation<AST.ParseOptions>(AST.ParseOptionsAnnotationId)(ast), {
    onNone: () => false,
    onSome: ({ onExcessProperty }) => onExcessProperty === "preserve"
  })

/** The ways to write a value; none where unknown keys are kept. */
const shapes = (ast: AST.AST): ReadonlyArray<AST.AST> => shapesOf(ast, { isClosed: keepsUnknown })

const inMapping = (
  ast: AST.TypeLiteral,
  value: Readonly<Record<string, unknown>>,
  path: Path
): ReadonlyArray<Mistake> => {
  const known = ast.propertySignatures.map(({ name }) => String(name))
  const [index] = ast.indexSignatures
  return Object.entries(value).flatMap(([key, each]): ReadonlyArray<Mistake> => {
    const signature = ast.propertySignatures.find(({ name }) => name === key)
    const type = signature?.type ?? index?.type
    return type === undefined ? [unknownKey([...path, key], known)] : strangersIn(type, each, [...path, key])
  })
}

/** The unknown keys in a value; of a union's members the one that knows most of them speaks. */
export const strangersIn = (ast: AST.AST, value: unknown, path: Path): ReadonlyArray<Mistake> => {
  const found = shapes(ast).flatMap((shape): ReadonlyArray<ReadonlyArray<Mistake>> => {
    if (AST.isTypeLiteral(shape) && isMapping(value)) return [inMapping(shape, value, path)]
    if (AST.isTupleType(shape) && Array.isArray(value)) {
      const [item] = shape.rest
      return [item === undefined ? [] : value.flatMap((each, index) => strangersIn(item.type, each, [...path, index]))]
    }
    return []
  })
  return found.reduce((best, each) => (each.length < best.length ? each : best), found[0] ?? [])
}
