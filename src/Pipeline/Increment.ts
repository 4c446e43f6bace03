/** Warns of outputs that keep only the latest increment: rows that are new since the last run, in a file that each run replaces. */
import { placeholdersOf } from "../Sink/Destination.ts"
import { before } from "./Graph.ts"
import { open } from "./Interpolate.ts"
import type { Mistake } from "./Mistake.ts"
import type { Node } from "./Node.ts"

interface Step {
  readonly node: Node
  /** Its fields, decoded or as written where they depend on the run. */
  readonly config: unknown
}

const fieldsOf = (config: unknown): Readonly<Record<string, unknown>> =>
  typeof config === "object" && config !== null ? Object.fromEntries(Object.entries(config)) : {}

/** True when the step gives only rows that earlier runs have not given. */
const givesIncrements = ({ config, node }: Step): boolean => node.step.state?.(config)?.skipsSeen === true

/** Placeholders of a path that differ from run to run. */
const perRun: ReadonlySet<string> = new Set(["runId", "date"])

/** True when each run replaces the file of the run before. */
const replaces = ({ config, node }: Step): boolean => {
  const { behaviour } = node.step
  const output = behaviour.kind === "sink" ? behaviour.destination(config) : undefined
  if (output === undefined) return false
  const { mode, path } = output
  // As written: the path or `partitionBy` may contain a value of the run.
  const written = JSON.stringify([node.config, fieldsOf(config).partitionBy])
  return (
    mode === "replace" &&
    path !== "-" &&
    !placeholdersOf(path).some((name) => perRun.has(name)) &&
    !/\$\{\{[^}]*\brun\.|\$run\b/.test(written)
  )
}

/** One warning for each write that replaces the rows of earlier runs with the latest ones. `configs` has the steps that are not skipped. */
export const lostIncrements = (
  nodes: ReadonlyArray<Node>,
  configs: ReadonlyMap<string, unknown>
): ReadonlyArray<Mistake> => {
  const taking = nodes.flatMap((node): ReadonlyArray<Step> => {
    const config = configs.get(node.id)
    return config === undefined ? [] : [{ node, config: config === open ? node.config : config }]
  })
  return taking.flatMap((step): ReadonlyArray<Mistake> => {
    if (!replaces(step)) return []
    // Rows pass through a skipped step, so its inputs count.
    const above = new Set(before({ nodes }, step.node.id))
    const source = taking.find((each) => above.has(each.node.id) && givesIncrements(each))
    if (source === undefined) return []
    const { id } = source.node
    const otherwise = source.node.step.state?.(source.config)?.otherwise
    const whole = otherwise === undefined ? "" : `, or ${otherwise}`
    return [
      {
        path: ["steps", step.node.index, step.node.step.key],
        message: `this file will hold only the latest run's new rows ("${id}" skips rows of earlier runs): use mode: append or perRun, or put {runId} in the path${whole}`
      }
    ]
  })
}
