/** Syntax tree of an expression, and its static analysis. */

/** Node of JSONata's parser. Its `type` determines which fields exist. */
export interface Node {
  readonly type: string
  readonly position?: number
  value?: unknown
  readonly steps?: ReadonlyArray<Node>
  readonly lhs?: Node | ReadonlyArray<readonly [Node, Node]>
  readonly rhs?: Node
  readonly expression?: Node
  readonly expressions?: ReadonlyArray<Node>
  readonly condition?: Node
  readonly then?: Node
  readonly else?: Node
  readonly procedure?: Node
  readonly arguments?: ReadonlyArray<Node>
  readonly body?: Node
  readonly pattern?: Node
  readonly update?: Node
  readonly delete?: Node
  readonly terms?: ReadonlyArray<{ readonly expression: Node }>
  readonly predicate?: ReadonlyArray<Stage>
  readonly stages?: ReadonlyArray<Stage>
  readonly group?: { readonly lhs: ReadonlyArray<readonly [Node, Node]> }
  /** Name bound by a path with `@$x`. */
  readonly focus?: string
  /** Name bound by a path with `#$i`. */
  readonly index?: string
  readonly keepArray?: boolean
  readonly keepSingletonArray?: boolean
  readonly tuple?: boolean
  readonly consarray?: boolean
}

export interface Stage {
  readonly type: string
  readonly expr?: Node
  readonly value?: string
}

/** Static facts about an expression. */
export interface Facts {
  /** Paths of the row that the expression reads. */
  readonly paths: Set<string>
  /** Paths below `$inputs` that the expression reads, with their offsets in the source. */
  readonly inputs: Map<string, number>
  /** Paths below `$steps` that the expression reads, with their offsets in the source. */
  readonly steps: Map<string, number>
  /** Number of uses of `$steps` without a step name. */
  bareSteps: number
  readonly variables: Map<string, number>
  readonly bound: Set<string>
  readonly regexes: Array<Node>
  /** Calls of named functions at the row itself, not at one of its fields: JSONata would pass the whole row for a missing argument. */
  readonly calls: Array<{ readonly name: string; readonly count: number; readonly position: number }>
  readonly chained: Set<Node>
  /** Levels around the node that is being visited. */
  levels: number
}

/** Location of a value: the keys that lead to it from the row, `$inputs` or `$steps`; undefined for any other value. */
type Location =
  | { readonly root: "row" | "inputs" | "steps"; readonly keys: ReadonlyArray<string>; readonly at: number }
  | undefined

const isPairs = (value: Node["lhs"]): value is ReadonlyArray<readonly [Node, Node]> => Array.isArray(value)

/** Maximum nesting of an expression, in nodes, such as 2,000 operands of `or`. Fewer than the stack has room for. */
const maxLevels = 2000

/** Collects the facts of a node evaluated at `place`; returns the location of its value. Throws a RangeError for too many levels. */
const visit = (node: Node, place: Location, facts: Facts): Location => {
  if (++facts.levels > maxLevels) throw new RangeError("too many levels")
  if (node.focus !== undefined) facts.bound.add(node.focus)
  if (node.index !== undefined) facts.bound.add(node.index)
  const result = visitKind(node, place, facts)
  for (const stage of [...(node.predicate ?? []), ...(node.stages ?? [])]) {
    if (stage.expr !== undefined) visit(stage.expr, result, facts)
    else if (stage.value !== undefined) facts.bound.add(stage.value)
  }
  if (node.group !== undefined) visitPairs(node.group.lhs, result, facts)
  facts.levels--
  return result
}

const visitPairs = (pairs: ReadonlyArray<readonly [Node, Node]>, place: Location, facts: Facts) => {
  for (const [key, value] of pairs) {
    visit(key, place, facts)
    visit(value, place, facts)
  }
}

const addPath = (place: Location, facts: Facts): void => {
  if (place === undefined || place.keys.length === 0) return
  const path = place.keys.join(".")
  if (place.root === "row") facts.paths.add(path)
  else if (!facts[place.root].has(path)) facts[place.root].set(path, place.at)
}

const visitPath = (steps: ReadonlyArray<Node>, place: Location, facts: Facts): Location => {
  let at = place
  for (const step of steps) {
    const next = visit(step, at, facts)
    if (next === undefined && at !== place) addPath(at, facts)
    if (at?.root === "steps" && at.keys.length === 0 && next?.root === "steps" && next.keys.length > 0)
      facts.bareSteps--
    at = next
  }
  addPath(at, facts)
  return at
}

const visitKind = (node: Node, place: Location, facts: Facts): Location => {
  switch (node.type) {
    case "path":
      return visitPath(node.steps ?? [], place, facts)
    case "name":
      return place === undefined
        ? undefined
        : { ...place, keys: [...place.keys, String(node.value)], at: node.position ?? place.at }
    case "variable": {
      if (node.value === "") return place
      if (node.value === "$") return { root: "row", keys: [], at: 0 }
      if (!facts.variables.has(String(node.value))) facts.variables.set(String(node.value), node.position ?? 0)
      if (node.value === "steps") facts.bareSteps++
      return node.value === "inputs" || node.value === "steps"
        ? { root: node.value, keys: [], at: node.position ?? 0 }
        : undefined
    }
    case "sort":
      for (const term of node.terms ?? []) visit(term.expression, place, facts)
      return place
    case "regex":
      facts.regexes.push(node)
      return undefined
    case "bind":
      if (node.lhs !== undefined && !isPairs(node.lhs)) facts.bound.add(String(node.lhs.value))
      if (node.rhs !== undefined) visit(node.rhs, place, facts)
      return undefined
    case "lambda":
      for (const argument of node.arguments ?? []) facts.bound.add(String(argument.value))
      if (node.body !== undefined) visit(node.body, place, facts)
      return undefined
    case "condition":
      if (node.condition !== undefined) visit(node.condition, place, facts)
      if (node.else !== undefined) visit(node.else, place, facts)
      if (node.then !== undefined) visit(node.then, place, facts)
      return undefined
    case "block": {
      const places = (node.expressions ?? []).map((each) => visit(each, place, facts))
      return places.at(-1)
    }
    default: {
      // The left side of `~>` is the first argument.
      if (node.type === "apply" && node.rhs !== undefined) facts.chained.add(node.rhs)
      if (node.procedure?.type === "variable" && place?.keys.length === 0 && !facts.chained.has(node)) {
        const { position = 0 } = node.procedure
        facts.calls.push({ name: String(node.procedure.value), count: node.arguments?.length ?? 0, position })
      }
      if (isPairs(node.lhs)) visitPairs(node.lhs, place, facts)
      else if (node.lhs !== undefined) visit(node.lhs, place, facts)
      const children = [node.rhs, node.expression, node.procedure, node.body, node.pattern, node.update, node.delete]
      for (const child of [...children, ...(node.expressions ?? []), ...(node.arguments ?? [])]) {
        if (child !== undefined) visit(child, place, facts)
      }
      return undefined
    }
  }
}

/** True for a number in brackets, which takes one element. */
const isIndex = ({ expression, type }: Node): boolean =>
  type === "number" || (type === "unary" && expression?.type === "number")

/** True if the result may leave out elements of the last array of its path: a condition in brackets, or `$filter`. */
export const leavesOut = (node: Node | undefined): boolean => {
  if (node === undefined) return false
  const stages = [...(node.predicate ?? []), ...(node.stages ?? [])]
  if (stages.some(({ expr }) => expr !== undefined && !isIndex(expr))) return true
  switch (node.type) {
    case "path":
      return leavesOut(node.steps?.at(-1))
    case "block":
      return leavesOut(node.expressions?.at(-1))
    case "condition":
      return leavesOut(node.then) || leavesOut(node.else)
    case "function":
      return node.procedure?.value === "filter" || leavesOut(node.arguments?.[0])
    case "apply":
      return leavesOut(node.rhs) || (!isPairs(node.lhs) && leavesOut(node.lhs))
    default:
      return false
  }
}

/** Collects the facts of an expression evaluated at the root of a row. */
export const inspect = (node: Node): Facts => {
  const facts: Facts = {
    paths: new Set(),
    inputs: new Map(),
    steps: new Map(),
    bareSteps: 0,
    variables: new Map(),
    bound: new Set(),
    regexes: [],
    calls: [],
    chained: new Set(),
    levels: 0
  }
  visit(node, { root: "row", keys: [], at: 0 }, facts)
  return facts
}
