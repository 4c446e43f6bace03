/** How the steps of a definition hang together, and what is wrong with that. */
import * as Either from "effect/Either"
import { didYouMean } from "../Row/Nearest.ts"
import { idleOn } from "./Idle.ts"
import type { Mistake, Path } from "./Mistake.ts"
import { dispatch, type Node, strangers } from "./Node.ts"

const asList = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string" ? [value] : Array.isArray(value) ? value.filter((each) => typeof each === "string") : []

/** Finds every step, gives it an id, and links it to the step whose rows it reads. */
export const link = (
  items: ReadonlyArray<unknown>
): { readonly nodes: ReadonlyArray<Node>; readonly mistakes: ReadonlyArray<Mistake> } => {
  const nodes: Array<Node> = []
  const byId = new Map<string, Node>()
  /** How often a key has given its name, so that the next id is free. */
  const named = new Map<string, number>()
  const mistakes: Array<Mistake> = []
  /** The step whose rows the next one reads; undefined after a step that could not be read. */
  let last: string | undefined
  let broken = false
  const brokenIds: Array<string> = []
  for (const [index, item] of items.entries()) {
    const path: Path = ["steps", index]
    const found = dispatch(item, path)
    if (Either.isLeft(found)) {
      mistakes.push(found.left)
      broken = true
      brokenIds.push(...asList((item as { readonly id?: unknown } | null)?.id))
      continue
    }
    const { step, key } = found.right
    const { [key]: config, ...common } = item as Record<string, unknown>
    mistakes.push(...strangers(item as Record<string, unknown>, key, path))
    const given = typeof common.id === "string" ? common.id : undefined
    const id = given ?? freeId(key, named)
    if (byId.has(id)) {
      mistakes.push({ path: [...path, "id"], message: `the id "${id}" is taken by an earlier step` })
    }
    const { kind } = step.behaviour
    const from = typeof common.from === "string" ? common.from : undefined
    const after = asList(common.after)
    const wrong = (key: string, message: string) => mistakes.push({ path: [...path, key], message })
    for (const each of [...(from === undefined ? [] : [from]), ...after]) {
      if (byId.has(each) || brokenIds.includes(each)) continue
      const ids = [...byId.keys()]
      wrong(
        each === from ? "from" : "after",
        `there is no step "${each}" before this one${didYouMean(each, ids) || (ids.length > 0 ? `: there are ${some(ids)}` : "")}`
      )
    }
    if (from !== undefined && byId.get(from)?.step.behaviour.kind === "value") {
      wrong("from", `"${from}" gives a value and no rows: use \${{ steps.${from}.output }}`)
    }
    const each = common.each === true
    for (const value of nodes.filter(({ id, step }) => after.includes(id) && step.behaviour.kind === "value")) {
      wrong("after", `"${value.id}" gives a value and no rows, so it has no end to wait for: remove it`)
    }
    const branch = kind === "source" && !each && common.after !== undefined
    for (const name of ["id", "from", "after", "each"] as const) {
      if (JSON.stringify(common[name] ?? "").includes("${{")) {
        wrong(name, `"${name}" says how the steps hang together: write it out, without \${{ }}`)
      }
    }
    if (kind === "value" && common.pin !== undefined && key !== "crawlPreview") {
      wrong("pin", `only crawlPreview can be pinned: remove it`)
    }
    const pinned = typeof common.pin === "string" ? nodes.find((node) => node.common.pin === common.pin) : undefined
    if (pinned !== undefined) wrong("pin", `is the lock file of "${pinned.id}" already: name another`)
    for (const idle of idleOn(step.behaviour)) {
      if (common[idle] !== undefined) {
        mistakes.push({
          path: [...path, idle],
          atKey: true,
          message: why[idle] ?? `"${idle}" has no effect on ${key}: remove it`
        })
      }
    }
    if (kind === "source" && each && common.after !== undefined) {
      wrong("after", "a step with `each: true` reads the step before it and begins no branch: remove one of the two")
    }
    if (kind === "source" && !each && common.concurrency !== undefined) {
      wrong("concurrency", `"concurrency" has no effect on ${key} without \`each: true\`: remove it`)
    }
    const input = kind === "value" || branch ? undefined : (from ?? last)
    if (kind === "source" && !each && !branch && input !== undefined) {
      wrong(
        key,
        `${key} ignores its input: say \`each: true\` to run it for every row, or \`after: ${last}\` to begin a branch`
      )
    }
    if (kind !== "source" && kind !== "value" && input === undefined && !broken) {
      wrong(key, `${key} needs rows: begin with a step that makes some, like search, files, urls or crawl`)
    }
    if (kind === "source" && each && input === undefined) wrong("each", "there are no rows before this step")
    const node: Node = { id, index, step, config, common, input: kind === "source" && !each ? undefined : input, after }
    nodes.push(node)
    if (!byId.has(id)) byId.set(id, node)
    const base = id.replace(/-\d+$/, "")
    named.set(base, (named.get(base) ?? 0) + 1)
    if (kind !== "value") last = id
  }
  return { nodes, mistakes }
}

/** Where it takes more to see that a key does nothing. */
const why: Readonly<Record<string, string>> = {
  each: "only a step that makes rows of its own can run for each row",
  after: "only a step that makes rows of its own, and begins a branch with them, can wait for others",
  from: "a step that gives a value reads no rows: remove `from`"
}

const freeId = (key: string, named: ReadonlyMap<string, number>): string => {
  const taken = named.get(key) ?? 0
  return taken === 0 ? key : `${key}-${taken + 1}`
}

/** The last of many names, as they stand nearest. */
const some = (names: ReadonlyArray<string>): string =>
  names.length > 8 ? `… ${names.slice(-8).join(", ")}` : names.join(", ")
