/** The graph of a definition: names its steps, links them to their inputs, and reports errors in the links. */
import * as Either from "effect/Either"
import { didYouMean } from "../Row/Nearest.ts"
import { crawlPreview } from "../Step/CrawlPreview.ts"
import { commonKeys, ignoredKeys } from "./Definition.ts"
import type { Issue, Path } from "./Issue.ts"
import { dispatch, type Node, type Steps } from "./Node.ts"
import { withPageFormats } from "./PageFormats.ts"
import { strangers } from "./UnknownKeys.ts"

const asList = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string" ? [value] : Array.isArray(value) ? value.filter((each) => typeof each === "string") : []

/** The steps above the one that is being linked. */
interface Before {
  readonly nodes: ReadonlyArray<Node>
  readonly byId: ReadonlyMap<string, Node>
  /** Ids of steps that could not be parsed. */
  readonly brokenIds: ReadonlyArray<string>
  readonly isBroken: boolean
  /** True for the id of a step further below. */
  readonly isLater: (id: string) => boolean
}

/** A step while it is linked, with its references to the steps before it. */
interface Linked extends Node {
  readonly path: Path
  /** The steps in `from`; empty without it. */
  readonly from: ReadonlyArray<string>
  /** True if the step is run for each row. */
  readonly each: boolean
  /** True if the step begins a branch. */
  readonly branch: boolean
  /** The step above this one, whose rows it reads by default. */
  readonly above: string | undefined
}

const structural = ["id", "from", "after", "each"] as const

/** Errors in the step's references to other steps. */
const wrongNames = (
  { after, common, from, id: own, path }: Linked,
  { brokenIds, byId, isLater }: Before
): ReadonlyArray<Issue> => {
  const at = (key: string, message: string): Issue => ({ path: [...path, key], message })
  const isValue = (id: string) => byId.get(id)?.step.behaviour.kind === "value"
  /** An issue at an item of a list, or at the key if it is not a list. */
  const itemAt = (key: string, index: number, message: string): Issue =>
    Array.isArray(common[key]) ? { path: [...path, key, index], message } : at(key, message)
  const unknown = (key: string, ids: ReadonlyArray<string>): ReadonlyArray<Issue> =>
    ids.flatMap((id, index) => {
      if (byId.has(id) || brokenIds.includes(id)) return []
      if (id === own) {
        return [
          itemAt(
            key,
            index,
            `"${id}" is this step: it cannot ${key === "from" ? "read its own rows" : "wait for itself"}`
          )
        ]
      }
      if (isLater(id)) {
        return [
          itemAt(
            key,
            index,
            `"${id}" is below this step: move "${id}" above it, because a step reads only steps above it`
          )
        ]
      }
      const known = [...byId.keys()]
      const hint = didYouMean(id, known) || (known.length > 0 ? `: there are ${some(known)}` : "")
      return [itemAt(key, index, `there is no step "${id}" before this one${hint}`)]
    })
  return [
    ...unknown("from", from),
    ...unknown("after", after),
    ...from.flatMap((id, index) =>
      from.indexOf(id) < index ? [itemAt("from", index, `"${id}" is listed twice in from: remove one`)] : []
    ),
    ...from.flatMap((id, index) =>
      isValue(id) ? [itemAt("from", index, `"${id}" gives a value and no rows: use \${{ steps.${id}.output }}`)] : []
    ),
    ...after.flatMap((id, index) =>
      isValue(id)
        ? [itemAt("after", index, `"${id}" gives a value and no rows, so it has no end to wait for: remove it`)]
        : []
    ),
    ...structural
      .filter((key) => JSON.stringify(common[key] ?? "").includes("${{"))
      .map((key) => at(key, `"${key}" defines how steps are connected: write its value out, without \${{ }}`))
  ]
}

/** Errors in the step's common keys: no effect on this step, or not allowed in this combination. */
const wrongKeys = ({ common, each, path, step }: Linked, { nodes }: Before): ReadonlyArray<Issue> => {
  const { key } = step
  const { kind } = step.behaviour
  const at = (key: string, message: string): Issue => ({ path: [...path, key], message })
  const pinned = typeof common.pin === "string" ? nodes.find((node) => node.common.pin === common.pin) : undefined
  return [
    ...(step.behaviour.kind === "value" && common.pin !== undefined && step !== crawlPreview
      ? [at("pin", "only crawlPreview can be pinned: remove it")]
      : []),
    ...(pinned === undefined ? [] : [at("pin", `is already the lock file of "${pinned.id}": name another file`)]),
    ...ignoredKeys(step.behaviour)
      .filter((idle) => common[idle] !== undefined)
      .map((idle): Issue => {
        const message = why[idle] ?? `"${idle}" has no effect on ${key}: remove it`
        return { path: [...path, idle], atKey: true, message }
      }),
    ...(kind === "source" && each && common.after !== undefined
      ? [
          at(
            "after",
            "a step with `each: true` reads the step before it and cannot start a branch: remove one of the two"
          )
        ]
      : []),
    ...(kind === "source" && !each && common.concurrency !== undefined
      ? [at("concurrency", `"concurrency" has no effect on ${key} without \`each: true\`: remove it`)]
      : [])
  ]
}

/** Errors in the step's inputs: missing, or ignored. */
const wrongRows = ({ above, branch, each, from, path, step }: Linked, { isBroken }: Before): ReadonlyArray<Issue> => {
  const { key } = step
  const { kind } = step.behaviour
  const at = (key: string, message: string): ReadonlyArray<Issue> => [{ path: [...path, key], message }]
  const given = branch ? undefined : (from[0] ?? above)
  if (kind === "source") {
    if (each)
      return given === undefined && !isBroken
        ? at(
            "each",
            "`each: true` runs this step for every row, but no step before it gives rows: remove `each`, or put such a step before it"
          )
        : []
    return given === undefined
      ? []
      : at(
          key,
          `${key} ignores its input: write \`each: true\` to run it for every row, or \`after: ${given}\` to start a branch`
        )
  }
  return kind === "value" || given !== undefined || isBroken
    ? []
    : at(key, `${key} needs rows: begin with a step that gives rows, like search, files, urls or crawl`)
}

/** Names by which other steps may refer to a step: its `id`, or, without one, those keys of its object of which one becomes its id. */
const namesOf = (item: unknown): ReadonlyArray<string> => {
  if (typeof item !== "object" || item === null) return []
  const { id } = item as { readonly id?: unknown }
  return typeof id === "string" ? [id] : Object.keys(item).filter((key) => !commonKeys.includes(key))
}

/** Finds all steps, gives each an id, and links it to the steps whose rows it reads. */
export const link = (
  items: ReadonlyArray<unknown>,
  steps: Steps
): {
  readonly nodes: ReadonlyArray<Node>
  readonly issues: ReadonlyArray<Issue>
  /** Indexes of the steps that could not be parsed. */
  readonly broken: ReadonlyArray<number>
  /** Ids by which other steps may refer to the broken steps. */
  readonly brokenIds: ReadonlyArray<string>
} => {
  const nodes: Array<Node> = []
  const byId = new Map<string, Node>()
  /** Number of times each key was used as an id, to make the next one unique. */
  const named = new Map<string, number>()
  const issues: Array<Issue> = []
  /** The step whose rows the next one reads; undefined after a step that could not be parsed. */
  let last: string | undefined
  let isBroken = false
  const brokenIds: Array<string> = []
  const broken: Array<number> = []
  const lastIndex = new Map(items.flatMap((item, index) => namesOf(item).map((name) => [name, index] as const)))
  for (const [index, item] of items.entries()) {
    const path: Path = ["steps", index]
    const found = dispatch(item, path, steps)
    if (Either.isLeft(found)) {
      issues.push(...found.left)
      isBroken = true
      brokenIds.push(...namesOf(item))
      broken.push(index)
      continue
    }
    const { step, key } = found.right
    const { [key]: config, ...common } = item as Record<string, unknown>
    issues.push(...strangers(item as Record<string, unknown>, key, path, steps))
    const id = typeof common.id === "string" ? common.id : freeId(key, named, byId)
    if (byId.has(id)) {
      issues.push({ path: [...path, "id"], message: `the id "${id}" is taken by an earlier step` })
    }
    const { kind } = step.behaviour
    const from = asList(common.from)
    const after = asList(common.after)
    const each = common.each === true
    const branch = kind === "source" && !each && common.after !== undefined
    const above = last === undefined ? [] : [last]
    const inputs = kind === "value" || branch || (kind === "source" && !each) ? [] : from.length > 0 ? from : above
    const node: Node = { id, index, step, config, common, inputs: [...new Set(inputs)], after: [...new Set(after)] }
    const linked: Linked = { ...node, after, path, from, each, branch, above: last }
    const before: Before = { nodes, byId, brokenIds, isBroken, isLater: (each) => (lastIndex.get(each) ?? -1) > index }
    for (const wrong of [wrongNames, wrongKeys, wrongRows]) issues.push(...wrong(linked, before))
    nodes.push(node)
    if (!byId.has(id)) byId.set(id, node)
    const base = id.replace(/-\d+$/, "")
    named.set(base, (named.get(base) ?? 0) + 1)
    if (kind !== "value") last = id
  }
  const asked = withPageFormats(nodes)
  return { nodes: asked.nodes, issues: [...issues, ...asked.issues], broken, brokenIds }
}

/** Reasons why a common key has no effect on a kind of step, by key. The other keys without effect share one message. */
const why: Readonly<Record<string, string>> = {
  each: "only a step that gives rows of its own can run for each row",
  after: "only a step that starts a branch with rows of its own can wait for others",
  from: "a step that gives a value reads no rows: remove `from`"
}

/** An unused id: the key, or the key with a number. An explicit id may already have the same form. */
const freeId = (key: string, named: ReadonlyMap<string, number>, byId: ReadonlyMap<string, Node>): string => {
  let number = (named.get(key) ?? 0) + 1
  const name = () => (number === 1 ? key : `${key}-${number}`)
  while (byId.has(name())) number++
  return name()
}

/** The last eight of the names, because they are the nearest ones. */
const some = (names: ReadonlyArray<string>): string =>
  names.length > 8 ? `… ${names.slice(-8).join(", ")}` : names.join(", ")

/**
 * The steps that a step's rows have come through, nearest first; includes all branches that merge.
 * Steps read only steps above them: any other link, possible in a definition with issues, is ignored.
 */
export const before = ({ nodes }: { readonly nodes: ReadonlyArray<Node> }, step: string): ReadonlyArray<string> => {
  const places = new Map<string, number>()
  for (const [place, { id }] of nodes.entries()) if (!places.has(id)) places.set(id, place)
  /** Distance of each step from `step`; the longest path counts if branches split and merge again. */
  const far = new Map([[step, 0]])
  for (const [place, { id, inputs }] of [...nodes.entries()].toReversed()) {
    const distance = places.get(id) === place ? far.get(id) : undefined
    if (distance === undefined) continue
    for (const input of inputs) {
      if ((places.get(input) ?? place) < place) far.set(input, Math.max(far.get(input) ?? 0, distance + 1))
    }
  }
  const placeOf = (id: string): number => places.get(id) ?? 0
  return [...far]
    .filter(([id]) => id !== step)
    .sort(([one, near], [other, next]) => near - next || placeOf(one) - placeOf(other))
    .map(([id]) => id)
}
