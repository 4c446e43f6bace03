/**
 * Mistakes that only the definition around an expression reveals: inputs that are not declared, and `${{ }}` inside it.
 *
 * Fields are found by walking the schema of a step beside its value as written, because a decoded step hides them.
 */
import * as Either from "effect/Either"
import * as AST from "effect/SchemaAST"
import { compile, type Expression, ExpressionError } from "../Row/Expression.ts"
import { didYouMean } from "../Row/Nearest.ts"
import { ExpressionText, rowNames } from "../Step/Field.ts"
import { flatten } from "./Expectation.ts"
import { soundsSecret } from "./Interpolate.ts"
import type { Mistake, Path } from "./Mistake.ts"

/** True for the schema of an expression over a row. */
export const isExpression = (ast: AST.AST): boolean =>
  AST.isTransformation(ast) && ast.to === AST.typeAST(ExpressionText.ast)

/** The ways to write a value, below filters and transformations; expressions stay as they are. */
const shapes = (ast: AST.AST): ReadonlyArray<AST.AST> => {
  if (isExpression(ast)) return [ast]
  switch (ast._tag) {
    case "Union":
      return flatten(ast).flatMap(shapes)
    case "Refinement":
    case "Transformation":
      return shapes(ast.from)
    case "Suspend":
      return shapes(ast.f())
    default:
      return [ast]
  }
}

/** True when every part of the value is an expression: an object or a list of them. */
const holdsOnlyExpressions = (ast: AST.AST): boolean => {
  if (isExpression(ast)) return true
  if (AST.isTypeLiteral(ast)) {
    const parts = [...ast.propertySignatures, ...ast.indexSignatures]
    return parts.length > 0 && parts.every(({ type }) => shapes(type).every(holdsOnlyExpressions))
  }
  return AST.isTupleType(ast) && ast.rest.length > 0 && ast.rest.every(({ type }) => shapes(type).every(isExpression))
}

/** A string that stands where the schema wants an expression, or an object or list of expressions. */
interface Field {
  readonly path: Path
  readonly text: string
  readonly isExpression: boolean
}

/** Every expression in a value as written. */
const fieldsIn = (ast: AST.AST, value: unknown, path: Path): ReadonlyArray<Field> => {
  const all = shapes(ast)
  if (typeof value === "string") {
    if (all.some(isExpression)) return [{ path, text: value, isExpression: true }]
    return all.length > 0 && all.every(holdsOnlyExpressions) ? [{ path, text: value, isExpression: false }] : []
  }
  if (typeof value !== "object" || value === null) return []
  const found = all.flatMap((shape): ReadonlyArray<Field> => {
    if (AST.isTupleType(shape) && Array.isArray(value)) {
      return value.flatMap((item, index) => {
        const type = shape.elements[index]?.type ?? shape.rest[0]?.type
        return type === undefined ? [] : fieldsIn(type, item, [...path, index])
      })
    }
    if (!AST.isTypeLiteral(shape) || Array.isArray(value)) return []
    return Object.entries(value).flatMap(([key, item]) => {
      const known = shape.propertySignatures.find(({ name }) => name === key)?.type
      const type = known ?? shape.indexSignatures[0]?.type
      return type === undefined ? [] : fieldsIn(type, item, [...path, key])
    })
  })
  // Several members of a union may know the same field.
  return [...new Map(found.map((field) => [JSON.stringify(field.path), field])).values()]
}

const filled = /\$\{\{([\s\S]*?)\}\}/g

/** The name as an expression spells it: `my-input` needs backquotes. */
const spell = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : `\`${name}\``)

/** What to write in place of one `${{ … }}`; undefined where there is no such value. */
const instead = (inner: string): string | undefined => {
  const [, root = "", rest = ""] = /^\s*(inputs|run|env)\s*\.\s*`?([\w.-]+?)`?\s*$/.exec(inner) ?? []
  if (root === "run") return `$run.${rest}`
  if (root === "inputs") return `$inputs.${spell(rest)}`
  return root === "env" ? "an input that is given the variable, and read it as $inputs.NAME" : undefined
}

const isSecret = (inner: string): boolean =>
  /\bsecrets\b/.test(inner) ||
  Array.from(inner.matchAll(/\benv\s*\.\s*(\w+)/g)).some(([, name = ""]) => soundsSecret(name))

/** Why `${{ … }}` in an expression is refused, with what to write instead. */
const refusal = ({ isExpression, text }: Field): string | undefined => {
  const inner = Array.from(text.matchAll(filled), ([, each = ""]) => each)
  if (inner.length === 0) return undefined
  if (inner.some(isSecret)) {
    return "an expression cannot contain a secret: a secret may only stand in headers and in the webhook of notify"
  }
  const why = `an expression cannot contain \${{ … }}: its text would run as code. Write`
  if (!isExpression) return `${why} every expression out, with $inputs.NAME for a value`
  const values = [...new Set(inner.map((each) => instead(each) ?? "$inputs.NAME"))]
  const isQuoted = /(["'])\$\{\{[\s\S]*?\}\}\1/.test(text)
  return `${why} ${values.join(" and ")}${isQuoted ? ", without quotes around it" : ""}`
}

/** The types of inputs as messages name them. */
const nouns: Readonly<Record<string, string>> = {
  integer: "a number",
  number: "a number",
  boolean: "true or false"
}

/** What is wrong with the inputs that an expression names. */
export const wrongInputs = (
  { inputs, source }: Pick<Expression, "inputs" | "source">,
  declared: Readonly<Record<string, { readonly type: string }>>
): ReadonlyArray<string> => {
  const known = Object.keys(declared)
  return Array.from(inputs, ([path, end]) => {
    const name = known.find((each) => path === each || path.startsWith(`${each}.`)) ?? path.split(".", 1)[0] ?? path
    const start = source.lastIndexOf("$inputs", end)
    const at = (reason: string) => new ExpressionError({ source, position: Math.max(0, start), reason }).message
    const input = Object.hasOwn(declared, name) ? declared[name] : undefined
    if (input !== undefined) {
      if (path === name) return undefined
      const noun = nouns[input.type] ?? "a string"
      return at(`the input "${name}" is ${noun} and has no fields: write $inputs.${spell(name)}`)
    }
    const hint =
      known.length === 0
        ? ": this pipeline declares none"
        : didYouMean(name, known) || `: there are ${known.join(", ")}`
    return at(`there is no input "${name}"${hint}`)
  }).filter((message) => message !== undefined)
}

/** Every mistake in the expressions of a value as written. */
export const expressionMistakes = (
  ast: AST.AST,
  value: unknown,
  path: Path,
  declared: Readonly<Record<string, { readonly type: string }>>
): ReadonlyArray<Mistake> =>
  fieldsIn(ast, value, path).flatMap((field): ReadonlyArray<Mistake> => {
    const refused = refusal(field)
    if (refused !== undefined) return [{ path: field.path, message: refused }]
    if (!field.isExpression || !field.text.includes("$inputs")) return []
    const compiled = compile(field.text, { names: rowNames })
    // An expression that cannot be compiled is a mistake of its own.
    if (Either.isLeft(compiled)) return []
    return wrongInputs(compiled.right, declared).map((message) => ({ path: field.path, message }))
  })

/** Expressions that a value brought in instead of the definition: the output of a step, or a value given from outside. */
export const broughtIn = (
  ast: AST.AST,
  value: unknown,
  path: Path,
  filledPaths: ReadonlyArray<Path>
): ReadonlyArray<Mistake> => {
  if (filledPaths.length === 0) return []
  const sourceOf = (below: Path) =>
    filledPaths.find((each) => each.length < below.length && each.every((part, index) => below[index] === part))
  return fieldsIn(ast, value, path).flatMap(({ path: at }) => {
    const source = sourceOf(at)
    return source === undefined
      ? []
      : [{ path: source, message: "its value holds an expression, and only the definition itself may write one" }]
  })
}
