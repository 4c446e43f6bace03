/**
 * Finds issues in an expression that only the surrounding definition reveals: inputs that are not declared, steps without a value, and
 * `${{ }}` inside the expression.
 *
 * Walks the schema of a step together with its value as written, because a decoded step no longer shows which fields are expressions.
 */
import * as Either from "effect/Either"
import * as AST from "effect/SchemaAST"
import { compile, type Expression, ExpressionError } from "../Row/Expression.ts"
import { didYouMean } from "../Row/Nearest.ts"
import { isExpression, rowNames } from "../Step/Field.ts"
import type { Any } from "../Step.ts"
import { shapesOf } from "./Expectation.ts"
import { filled, secretPlaces, soundsSecret } from "./Interpolate.ts"
import { type Issue, isBelow, type Path, type PlacedIssue } from "./Issue.ts"
import type { Source } from "./Source.ts"
import { cutHint } from "./YamlErrors.ts"

const shapes = (ast: AST.AST): ReadonlyArray<AST.AST> => shapesOf(ast, { isLeaf: isExpression })

/** True if the value consists only of expressions: one, or an object or array of them. */
const holdsOnlyExpressions = (ast: AST.AST): boolean => {
  if (isExpression(ast)) return true
  if (AST.isTypeLiteral(ast)) {
    const parts = [...ast.propertySignatures, ...ast.indexSignatures]
    return parts.length > 0 && parts.every(({ type }) => shapes(type).every(holdsOnlyExpressions))
  }
  return AST.isTupleType(ast) && ast.rest.length > 0 && ast.rest.every(({ type }) => shapes(type).every(isExpression))
}

/** A string in a place where the schema expects an expression, or an object or array of expressions. */
interface Field {
  readonly path: Path
  readonly text: string
  readonly isExpression: boolean
}

/** The type of what an object or array has at a key. */
const typeAt = (shape: AST.AST, key: PropertyKey): AST.AST | undefined => {
  if (AST.isTupleType(shape)) return shape.elements[Number(key)]?.type ?? shape.rest[0]?.type
  if (!AST.isTypeLiteral(shape)) return undefined
  return shape.propertySignatures.find(({ name }) => name === key)?.type ?? shape.indexSignatures[0]?.type
}

/** All expressions in a value, as written. */
const fieldsIn = (ast: AST.AST, value: unknown, path: Path): ReadonlyArray<Field> => {
  const all = shapes(ast)
  if (typeof value === "string") {
    if (all.some(isExpression)) return [{ path, text: value, isExpression: true }]
    return all.length > 0 && all.every(holdsOnlyExpressions) ? [{ path, text: value, isExpression: false }] : []
  }
  if (typeof value !== "object" || value === null) return []
  const found = all.flatMap((shape): ReadonlyArray<Field> => {
    if (AST.isTupleType(shape) !== Array.isArray(value)) return []
    const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
    return entries.flatMap(([key, item]) => {
      const type = typeAt(shape, key)
      return type === undefined ? [] : fieldsIn(type, item, [...path, key])
    })
  })
  // Several members of a union may have the same field, which is listed only once.
  return [...new Map(found.map((field) => [JSON.stringify(field.path), field])).values()]
}

/** True if the schema expects an expression at the path. */
export const takesExpression = (ast: AST.AST, [key, ...rest]: Path): boolean =>
  shapes(ast).some((shape) => {
    if (key === undefined) return isExpression(shape)
    const type = typeAt(shape, key)
    return type !== undefined && takesExpression(type, rest)
  })

/** Maximum length of a template that is quoted without its braces, in characters. */
const maxQuoted = 200

const compiles = (source: string): boolean => Either.isRight(compile(source, { names: rowNames }))

/** A string of an expression, in which braces are text, or `{{ … }}`. */
const stringOrFilling = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\{\{\s*([\s\S]*?)\s*\}\}/g

/** Turns `Hello {{ title }}` into `"Hello " & title`. Empty if the text outside of the braces looks like a part of an expression. */
const asJoined = (text: string): string => {
  const parts = text.split(/\{\{\s*([\s\S]*?)\s*\}\}/)
  const isProse = parts.every((part, index) => index % 2 === 1 || !/["'`=<>&|()$]/.test(part))
  const operands = parts.map((part, index) => (index % 2 === 1 ? instead(part) : part && JSON.stringify(part)))
  return isProse ? operands.filter((each) => each !== "").join(" & ") : ""
}

/**
 * Advice on `{{ … }}` where the schema takes an expression, or a value for each row: there are no templates, and `${{ … }}` would be
 * refused as well. Undefined elsewhere, and for an expression that compiles.
 */
export const withoutBraces = (ast: AST.AST, path: Path, text: string): string | undefined => {
  if (text.length > maxQuoted || text.includes("${{")) return undefined
  const bare = text
    .replace(stringOrFilling, (all, inner?: string) => (inner === undefined ? all : instead(inner)))
    .trim()
  if (takesExpression(ast, path)) {
    const advice = compiles(text) ? undefined : [bare, asJoined(text)].find(compiles)
    return advice && `an expression has no {{ … }}: write ${advice}`
  }
  const isRowValue = /^\{\{[^{}]*\}\}$/.test(text.trim()) && !/^[$]/.test(bare) && compiles(bare)
  return isRowValue && takesExpression(ast, [...path, "expr"])
    ? `{{ … }} is not filled in: write { expr: ${bare} } for a value of each row`
    : undefined
}

/** Expressions cut off by a YAML comment. The steps' schemas tell which fields are expressions. */
export const cutExpressions = (
  { cuts = [] }: Pick<Source, "cuts">,
  steps: ReadonlyArray<Any>
): ReadonlyArray<PlacedIssue> =>
  cuts.flatMap(({ path: [root, , key, ...below], ...place }) =>
    root === "steps" && steps.some((step) => step.key === key && takesExpression(step.config.ast, below))
      ? [{ path: [], message: cutHint, ...place }]
      : []
  )

/** Spells a name for an expression: `my-input` needs backquotes. */
const spell = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : `\`${name}\``)

/** Replacement to suggest for one `${{ … }}`: a field as it is, and a general form like `$inputs.NAME` for a computation with inputs. */
const instead = (inner: string): string => {
  const [, root = "", rest = ""] = /^\s*(inputs|run|env|steps)\s*\.\s*`?([\w.`-]+?)`?\s*$/.exec(inner) ?? []
  if (root === "run") return `$run.${rest}`
  if (root === "inputs") return `$inputs.${spell(rest)}`
  if (root === "steps") return `$steps.${rest.replaceAll("`", "").split(".").map(spell).join(".")}`
  if (root === "env") return "an input that is given the variable, and read it as $inputs.NAME"
  return ofDefinition.test(inner) || inner.trim() === "" ? placeholder(inner) : inner.trim()
}

/** General form of what to write instead of a `${{ … }}` that contains a computation. */
const placeholder = (inner: string): string => (/\bsteps\b/.test(inner) ? "$steps.ID.output" : "$inputs.NAME")

/** Matches names of values that only `${{ }}` knows. */
const ofDefinition = /\b(?:inputs|run|env|steps|secrets)\b/

const isSecret = (inner: string): boolean =>
  /\bsecrets\b/.test(inner) ||
  Array.from(inner.matchAll(/\benv\s*\.\s*(\w+)/g)).some(([, name = ""]) => soundsSecret(name))

/** Reason why `${{ … }}` in an expression is refused, with what to write instead. */
const refusal = ({ isExpression, text }: Field): string | undefined => {
  const inner = Array.from(text.matchAll(filled), ([, each = ""]) => each)
  if (inner.length === 0) return undefined
  if (inner.some(isSecret)) {
    return `an expression cannot contain a secret: ${secretPlaces}`
  }
  const why = `an expression cannot contain \${{ … }}: its text would run as code. Write`
  if (!isExpression) return `${why} every expression out, with ${placeholder(inner.join(" "))} for a value`
  const values = [...new Set(inner.map(instead))]
  const isQuoted = /(["'])\$\{\{[\s\S]*?\}\}\1/.test(text)
  return `${why} ${values.join(" and ")}${isQuoted ? ", without quotes around it" : ""}`
}

/** Types of inputs in the words of messages. */
const nouns: Readonly<Record<string, string>> = {
  integer: "a number",
  number: "a number",
  boolean: "true or false"
}

/** Errors about the inputs that an expression uses. */
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

/** Steps above an expression, by whether their output is a value or rows; and steps below it. */
export interface KnownSteps {
  readonly values: ReadonlyArray<string>
  readonly others: ReadonlyArray<string>
  readonly below: ReadonlyArray<string>
}

/** Errors about the steps that an expression refers to. */
const wrongSteps = (
  { source, steps }: Pick<Expression, "source" | "steps">,
  { below, others, values }: KnownSteps
): ReadonlyArray<string> =>
  Array.from(steps, ([path, end]) => {
    const start = source.lastIndexOf("$steps", end)
    const at = (reason: string) => new ExpressionError({ source, position: Math.max(0, start), reason }).message
    const [id = "", output] = path.split(".")
    if (id === "") return at("$steps cannot be used as a whole: write $steps.ID.output")
    if (values.includes(id)) {
      return output === "output" ? undefined : at(`a step has only its output: write $steps.${spell(id)}.output`)
    }
    if (others.includes(id)) return at(`"${id}" gives rows and no value: read its rows with from: ${id}`)
    if (below.includes(id)) return at(`"${id}" is below this step: move "${id}" above it`)
    const cut = values.find((each) => each.startsWith(`${id}-`))
    if (cut !== undefined) return at(`there is no step "${id}": write $steps.${spell(cut)}.output`)
    const hint =
      values.length === 0
        ? ": no step above this one gives a value"
        : didYouMean(id, values) || `: there are ${values.join(", ")}`
    return at(`there is no step "${id}"${hint}`)
  }).filter((message) => message !== undefined)

/** The expressions of a value, as written, that compile and, if names are given, use one of them. */
const compiledIn = (fields: ReadonlyArray<Field>, names?: ReadonlyArray<string>) =>
  fields.flatMap(({ isExpression, path, text }) => {
    if (!isExpression || names?.some((name) => text.includes(name)) === false) return []
    const compiled = compile(text, { names: rowNames })
    // An expression that does not compile is reported elsewhere.
    return Either.isLeft(compiled) ? [] : [{ path, expression: compiled.right }]
  })

/** Ids of the steps whose output the expressions of a value use. */
export const stepsInExpressions = (ast: AST.AST, value: unknown): ReadonlySet<string> =>
  new Set(
    compiledIn(fieldsIn(ast, value, []), ["$steps"]).flatMap(({ expression }) =>
      Array.from(expression.steps.keys(), (path) => path.split(".", 1)[0] ?? "")
    )
  )

/** All config errors in the expressions of a value, as written. */
export const expressionIssues = (
  ast: AST.AST,
  value: unknown,
  path: Path,
  declared: Readonly<Record<string, { readonly type: string }>>,
  steps: () => KnownSteps
): ReadonlyArray<Issue> =>
  fieldsIn(ast, value, path).flatMap((field): ReadonlyArray<Issue> => {
    const refused = refusal(field)
    if (refused !== undefined) return [{ path: field.path, message: refused }]
    return compiledIn([field], ["$inputs", "$steps"]).flatMap(({ expression }) =>
      [
        ...wrongInputs(expression, declared),
        ...(expression.steps.size === 0 ? [] : wrongSteps(expression, steps()))
      ].map((message) => ({
        path: field.path,
        message
      }))
    )
  })

/** Maximum characters of an expression that is looked through for doubts. */
const maxDoubted = 10_000

/** Warnings about parts of expressions that most likely mean something else. */
export const doubtfulExpressions = (ast: AST.AST, value: unknown, path: Path): ReadonlyArray<Issue> =>
  compiledIn(fieldsIn(ast, value, path).filter(({ text }) => text.length <= maxDoubted)).flatMap(
    ({ expression, path }) => expression.doubts().map((message) => ({ path, message }))
  )

const broughtInMessage =
  "an expression must be written in the definition; it cannot come from an input or a step's output"

/** Config errors for expressions that come from a value, a step's output or an input, instead of from the definition. */
export const broughtIn = (
  ast: AST.AST,
  value: unknown,
  path: Path,
  filledPaths: ReadonlyArray<Path>
): ReadonlyArray<Issue> => {
  if (filledPaths.length === 0) return []
  const sourceOf = (below: Path) => filledPaths.find((each) => each.length < below.length && isBelow(below, each))
  return fieldsIn(ast, value, path).flatMap(({ path: at }) => {
    const source = sourceOf(at)
    return source === undefined ? [] : [{ path: source, message: broughtInMessage }]
  })
}
