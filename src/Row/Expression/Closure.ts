/** Compiles expressions to plain closures that return exactly JSONata's results. This is the hot path. */
import { isRegExp } from "node:util/types"
import { builtins } from "./Builtins.ts"
import { EvaluationFault } from "./ExpressionErrors.ts"
import { beginRow, counter, endRow, limits, push, weigh } from "./Limits.ts"
import { isNumeric, operators, toBoolean } from "./Operators.ts"
import { makeReader, Sequence, type Step } from "./PathReader.ts"
import { LinearRegExp } from "./Regex.ts"
import type { Node } from "./Syntax.ts"

/** Compiled expression. The evaluation context is always the row. */
type Run = (row: unknown, bindings: Bindings) => unknown

interface Scope {
  /** Names of the bindings. */
  readonly names: ReadonlyArray<string>
  /** True if the expression has an array literal: it can repeat a value many times, so the size of the result is checked. */
  makesArrays: boolean
  /** True once a part counts steps. Otherwise the expression needs no deadline. */
  takesSteps: boolean
}

/** Undefined if a part has no closure; JSONata then evaluates the whole expression. */
const compileEach = (nodes: ReadonlyArray<Node>, scope: Scope): ReadonlyArray<Run> | undefined => {
  const runs: Array<Run> = []
  for (const node of nodes) {
    const run = compileNode(node, scope)
    if (run === undefined) return undefined
    runs.push(run)
  }
  return runs
}

const hasModifiers = (node: Node): boolean =>
  node.predicate !== undefined ||
  node.group !== undefined ||
  node.focus !== undefined ||
  node.index !== undefined ||
  node.keepArray === true ||
  node.keepSingletonArray === true ||
  node.tuple === true

const compileNode = (node: Node, scope: Scope): Run | undefined => {
  if (hasModifiers(node) || node.stages !== undefined) return undefined
  switch (node.type) {
    case "string":
    case "number":
    case "value": {
      const { value } = node
      return () => value
    }
    case "path":
      return compilePath(node.steps ?? [], scope)
    case "variable":
      return compileVariable(String(node.value), scope)
    case "binary":
      return compileBinary(node, scope)
    case "unary":
      return compileUnary(node, scope)
    case "condition":
      return compileCondition(node, scope)
    case "block":
      return node.expressions?.length === 1 ? compileEach(node.expressions, scope)?.[0] : undefined
    case "function":
      return compileCall(node, node.arguments ?? [], scope)
    case "apply":
      // `x ~> $f(y)` means `$f(x, y)`.
      return node.rhs?.type === "function" && isNode(node.lhs) && !hasModifiers(node.rhs)
        ? compileCall(node.rhs, [node.lhs, ...(node.rhs.arguments ?? [])], scope)
        : undefined
    case "regex": {
      const { value } = node
      return isRegExp(value) ? () => new LinearRegExp(value) : undefined
    }
    default:
      return undefined
  }
}

const isNode = (value: Node["lhs"]): value is Node => value !== undefined && !Array.isArray(value)

const stepOf = (node: Node): Step | undefined => {
  if (node.type !== "name" || hasModifiers(node)) return undefined
  const picks: Array<number> = []
  for (const { expr } of node.stages ?? []) {
    if (expr?.type !== "number" || hasModifiers(expr)) return undefined
    picks.push(Number(expr.value))
  }
  return { key: String(node.value), picks }
}

const compilePath = (nodes: ReadonlyArray<Node>, scope: Scope): Run | undefined => {
  const [first, ...rest] = nodes
  const start = first?.type === "variable" && first.stages === undefined ? compileNode(first, scope) : undefined
  const steps: Array<Step> = []
  for (const node of start === undefined ? nodes : rest) {
    const step = stepOf(node)
    if (step === undefined) return undefined
    steps.push(step)
  }
  const read = makeReader(steps)
  return start === undefined ? read : (row, bindings) => read(start(row, bindings))
}

const compileVariable = (name: string, { names }: Scope): Run | undefined => {
  if (name === "" || name === "$") return (row) => row
  return names.includes(name) ? (_, bindings) => bindings.names[name] : undefined
}

/** Operators whose cost grows with the size of a value. */
const growingOperators: ReadonlyArray<string> = ["=", "!=", "&"]

const compileBinary = (node: Node, scope: Scope): Run | undefined => {
  const left = isNode(node.lhs) ? compileNode(node.lhs, scope) : undefined
  const right = node.rhs === undefined ? undefined : compileNode(node.rhs, scope)
  if (left === undefined || right === undefined) return undefined
  if (node.value === "and") {
    return (row, bindings) => toBoolean(left(row, bindings)) === true && toBoolean(right(row, bindings)) === true
  }
  if (node.value === "or") {
    return (row, bindings) => toBoolean(left(row, bindings)) === true || toBoolean(right(row, bindings)) === true
  }
  const operator = operators.get(String(node.value))
  if (growingOperators.includes(String(node.value))) scope.takesSteps = true
  return operator === undefined ? undefined : (row, bindings) => operator(left(row, bindings), right(row, bindings))
}

const compileUnary = (node: Node, scope: Scope): Run | undefined => {
  if (node.value === "-" && node.expression !== undefined) {
    const run = compileNode(node.expression, scope)
    return run === undefined ? undefined : (row, bindings) => negate(run(row, bindings))
  }
  return node.value === "[" ? compileList(node.expressions ?? [], scope) : undefined
}

const negate = (value: unknown): number | undefined => {
  if (value === undefined) return undefined
  if (!isNumeric(value)) throw new EvaluationFault("D1002", value)
  return -value
}

const compileList = (nodes: ReadonlyArray<Node>, scope: Scope): Run | undefined => {
  scope.makesArrays = true
  scope.takesSteps = true
  const items = compileEach(nodes, scope)
  // A nested array literal stays an array; any other array is spread.
  const nested = nodes.map((node) => node.value === "[")
  return items === undefined
    ? undefined
    : (row, bindings) => {
        const list: Array<unknown> = []
        for (const [index, item] of items.entries()) {
          const value = item(row, bindings)
          if (Array.isArray(value) && nested[index] !== true) for (const each of value) push(list, each)
          else if (value !== undefined) push(list, value)
        }
        return list
      }
}

const compileCondition = (node: Node, scope: Scope): Run | undefined => {
  if (node.condition === undefined || node.then === undefined) return undefined
  const condition = compileNode(node.condition, scope)
  const then = compileNode(node.then, scope)
  const otherwise = node.else === undefined ? () => undefined : compileNode(node.else, scope)
  if (condition === undefined || then === undefined || otherwise === undefined) return undefined
  return (row, bindings) =>
    toBoolean(condition(row, bindings)) === true ? then(row, bindings) : otherwise(row, bindings)
}

const compileCall = (call: Node, args: ReadonlyArray<Node>, scope: Scope): Run | undefined => {
  scope.takesSteps = true
  const { names } = scope
  const name = call.procedure?.type === "variable" && !hasModifiers(call.procedure) ? String(call.procedure.value) : ""
  const builtin = names.includes(name) ? undefined : builtins.get(name)
  const runs = compileEach(args, scope)
  // `$date` with a picture string or options is left to JSONata.
  if (builtin === undefined || runs === undefined || (name === "date" && args.length > 1)) return undefined
  const { apply, prepare, ofText } = builtin
  const [only] = runs
  if (ofText !== undefined && runs.length === 1 && only !== undefined) {
    return (row, bindings) => {
      const value = only(row, bindings)
      weigh(value)
      return typeof value === "string" ? ofText(value) : apply(prepare([value], row))
    }
  }
  return (row, bindings) => {
    const given = runs.map((run) => {
      const value = run(row, bindings)
      weigh(value)
      return value
    })
    return apply(prepare(given, row))
  }
}

/** Converts a result to plain JSON: sequences exist only inside closures. */
const toPlain = (value: unknown): unknown => {
  if (value instanceof Sequence) return Array.from(value)
  if (value instanceof LinearRegExp) throw new EvaluationFault("D0001", value)
  return value
}

/** Fails if a value is too large to serialize: `[[x], [x]]` nested twenty times contains x a million times. */
const checkSize = (value: unknown): unknown => {
  const count = counter(limits.text)
  const visit = (value: unknown, name?: string): void => {
    count(value, name)
    if (Array.isArray(value)) for (const item of value) visit(item)
    else if (typeof value === "object" && value !== null)
      for (const [name, item] of Object.entries(value)) visit(item, name)
  }
  visit(value)
  return value
}

/** Compiles an expression to a closure over object rows, with a deadline per row. Undefined if only JSONata can evaluate it. */
export const compileClosure = (node: Node, names: ReadonlyArray<string>): Run | undefined => {
  const scope: Scope = { names, makesArrays: false, takesSteps: false }
  const run = compileNode(node, scope)
  if (run === undefined) return undefined
  if (!scope.takesSteps) return (row, bindings) => toPlain(run(row, bindings))
  const { makesArrays } = scope
  return (row, bindings) => {
    beginRow()
    try {
      const value = toPlain(run(row, bindings))
      return makesArrays ? checkSize(value) : value
    } finally {
      endRow()
    }
  }
}

/** Input of an evaluation besides the row. */
export interface Bindings {
  /** Values of the `$names`, without the `$`. Only the names in use are read, so getters may be lazy. */
  readonly names: Readonly<Record<string, unknown>>
  /** Result of `$now()` and `$millis()`: the time of the run. */
  readonly now?: Date | undefined
  /** Random numbers for `$random()` and `$shuffle()`: the run's generator, 0 ≤ n < 1. */
  readonly random?: (() => number) | undefined
}
