/** Describes a schema in a short phrase, for config errors, the reference and the JSON Schema for editors. */
import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"
import { boundsOf } from "../Api/Field.ts"

/** Matches Effect's own descriptions of schemas and filters, which are written for programmers. */
const builtIn =
  /^(an array of (at|ex)|a string( |$)|a (boolean|number|object)$|a (non-)?(positive|negative) |a number (between|greater|less|divisible)|an (integer|finite)|a (non empty|single|finite|trimmed) |a Universally)/

/** A description or title that is a phrase: neither the name of a type nor a whole sentence. */
const phraseOf = (ast: AST.AST): string | undefined => {
  const title = Option.getOrUndefined(AST.getTitleAnnotation(ast))
  const description = Option.getOrUndefined(AST.getDescriptionAnnotation(ast))
  if (description !== undefined && !/\.$/.test(description) && !builtIn.test(description)) return description
  return title !== undefined && /^(an?|one|the) /.test(title) && !builtIn.test(title) ? title : undefined
}

const anything = "any value"

const range = (low: unknown, high: unknown): string =>
  low !== undefined && high !== undefined
    ? ` from ${low} to ${high}`
    : low !== undefined
      ? ` of at least ${low}`
      : high !== undefined
        ? ` of at most ${high}`
        : ""

const numberWithin = (bounds: Readonly<Record<string, unknown>>): string => {
  const whole = bounds.type === "integer"
  const { exclusiveMinimum, maximum, minimum = whole && exclusiveMinimum === 0 ? 1 : undefined } = bounds
  const above = minimum === undefined && exclusiveMinimum !== undefined ? ` above ${exclusiveMinimum}` : ""
  return `${whole ? "a whole number" : "a number"}${above}${range(minimum, maximum)}`
}

const textWithin = ({ maxLength, minLength }: Readonly<Record<string, unknown>>): string =>
  minLength === 1 && maxLength === undefined
    ? "a string that is not empty"
    : minLength === undefined && maxLength === undefined
      ? "a string"
      : `a string${range(minLength, maxLength)} characters`

const listWithin = (ast: AST.TupleType, { maxItems, minItems }: Readonly<Record<string, unknown>>): string => {
  const [item] = ast.rest
  const each = item === undefined ? anything : expectation(item.type)
  return `an array${range(minItems, maxItems)}${each === anything ? "" : `, each ${each}`}`
}

/** Joins choices: `a, b or c`. */
const either = (choices: ReadonlyArray<string>): string => {
  const all = [...new Set(choices)]
  const last = all[all.length - 1] ?? "another value"
  if (all.length < 2) return last
  return all.slice(0, -1).some((each) => / or |, /.test(each))
    ? `${all.slice(0, -1).join("; ")}; or ${last}`
    : `${all.slice(0, -1).join(", ")} or ${last}`
}

/** Describes an object by its required keys, or else its first optional key: `an object like { query: … }`. */
const mapping = (ast: AST.TypeLiteral): string => {
  const [index] = ast.indexSignatures
  if (ast.propertySignatures.length === 0 && index !== undefined) {
    const value = expectation(index.type)
    return value === anything ? "an object" : `an object of names, each with ${value}`
  }
  const needed = neededKeys(ast)
  const keys = needed.length > 0 ? needed : knownKeys(ast).slice(0, 1)
  return keys.length === 0 ? "an object" : `an object like { ${keys.map((key) => `${key}: …`).join(", ")} }`
}

/** The phrase that describes a schema. */
export const expectation = (ast: AST.AST): string => {
  const phrase = phraseOf(ast)
  if (phrase !== undefined) return phrase
  switch (ast._tag) {
    case "Literal":
      return ast.literal === null ? "null" : JSON.stringify(ast.literal)
    case "Union":
      return either(ast.types.filter((type) => !AST.isUndefinedKeyword(type)).map(expectation))
    case "TypeLiteral":
      return mapping(ast)
    case "TupleType":
      return listWithin(ast, {})
    case "StringKeyword":
    case "TemplateLiteral":
      return "a string"
    case "NumberKeyword":
      return "a number"
    case "BooleanKeyword":
      return "true or false"
    case "Refinement":
      return refined(ast)
    case "Transformation":
      return expectation(ast.from)
    case "Suspend":
      return expectation(ast.f())
    case "UnknownKeyword":
    case "AnyKeyword":
      return anything
    default:
      return "another value"
  }
}

/** The phrase of the refined schema if it has one; otherwise its kind with all limits. */
const refined = (ast: AST.Refinement): string => {
  const layers: Array<AST.AST> = [ast]
  for (let from = ast.from; ; from = from.from) {
    layers.push(from)
    if (!AST.isRefinement(from)) break
  }
  const base = layers[layers.length - 1] ?? ast
  const phrase = layers.map(phraseOf).find((each) => each !== undefined)
  if (phrase !== undefined) return phrase
  const bounds = boundsOf(ast)
  if (AST.isNumberKeyword(base)) return numberWithin(bounds)
  if (AST.isStringKeyword(base)) return textWithin(bounds)
  return AST.isTupleType(base) ? listWithin(base, bounds) : expectation(base)
}

/** The members of a union and of its inner unions, without `undefined`. */
export const flatten = (ast: AST.AST): ReadonlyArray<AST.AST> =>
  AST.isUnion(ast) ? ast.types.flatMap(flatten) : AST.isUndefinedKeyword(ast) ? [] : [ast]

const propertiesOf = (ast: AST.AST): ReadonlyArray<AST.PropertySignature> =>
  AST.isTypeLiteral(ast)
    ? ast.propertySignatures
    : AST.isTransformation(ast) || AST.isRefinement(ast)
      ? propertiesOf(ast.from)
      : []

/** The named keys of an object; empty for other types. */
export const knownKeys = (ast: AST.AST): ReadonlyArray<string> => propertiesOf(ast).map(({ name }) => String(name))

/** The required keys of an object. */
export const neededKeys = (ast: AST.AST): ReadonlyArray<string> =>
  propertiesOf(ast).flatMap(({ isOptional, name }) => (isOptional ? [] : [String(name)]))

/**
 * The schema with the descriptions of keys on the encoded side as well. If one key of a struct has a default, Effect keeps the descriptions
 * of all its keys only on the decoded side.
 */
export const withKeyDescriptions = (ast: AST.AST): AST.AST => {
  // Share copies, because JSON Schema compares the item types of an array by identity.
  const copies = new Map<AST.AST, AST.AST>()
  const copy = (each: AST.AST): AST.AST => {
    const known = copies.get(each)
    if (known !== undefined) return known
    const made = copied(each, copy)
    copies.set(each, made)
    return made
  }
  return copy(ast)
}

const copied = (ast: AST.AST, copy: (ast: AST.AST) => AST.AST): AST.AST => {
  switch (ast._tag) {
    case "TypeLiteral":
      return new AST.TypeLiteral(
        ast.propertySignatures.map((each) => withType(each, copy(each.type), each.annotations)),
        ast.indexSignatures.map((each) => new AST.IndexSignature(each.parameter, copy(each.type), each.isReadonly)),
        ast.annotations
      )
    case "Union":
      return AST.Union.make(ast.types.map(copy), ast.annotations)
    case "TupleType":
      return new AST.TupleType(
        ast.elements.map((each) => new AST.OptionalType(copy(each.type), each.isOptional, each.annotations)),
        ast.rest.map((each) => new AST.Type(copy(each.type), each.annotations)),
        ast.isReadonly,
        ast.annotations
      )
    case "Refinement":
      return new AST.Refinement(copy(ast.from), ast.filter, ast.annotations)
    case "Transformation":
      return new AST.Transformation(described(copy(ast.from), ast.to), ast.to, ast.transformation, ast.annotations)
    default:
      return ast
  }
}

const withType = (
  { isOptional, isReadonly, name }: AST.PropertySignature,
  type: AST.AST,
  annotations: AST.Annotations
): AST.PropertySignature => new AST.PropertySignature(name, type, isOptional, isReadonly, annotations)

const described = (from: AST.AST, to: AST.AST): AST.AST =>
  AST.isTypeLiteral(from) && AST.isTypeLiteral(to)
    ? new AST.TypeLiteral(
        from.propertySignatures.map((each) =>
          withType(each, each.type, {
            ...to.propertySignatures.find(({ name }) => name === each.name)?.annotations,
            ...each.annotations
          })
        ),
        from.indexSignatures,
        from.annotations
      )
    : from

/** Tells where a walk through a schema stops. */
interface Stops {
  /** True for a node to return as it is. */
  readonly isLeaf?: ((ast: AST.AST) => boolean) | undefined
  /** True for a node to leave out. */
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
