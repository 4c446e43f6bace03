/** Rules over several steps of a definition: outputs that collide or lose rows, rows that a limit loses, retries that never match. */
import { actionTypes } from "../Api/ScrapeOptions.ts"
import { didYouMean } from "../Row/Nearest.ts"
import { collide, placeholdersOf } from "../Sink/Destination.ts"
import { isPassword } from "../Step/Login.ts"
import type { Destination } from "../Step/Output.ts"
import { list, mapping } from "../Step/Requirements.ts"
import { ignoredCauses } from "./Definition.ts"
import { before } from "./Graph.ts"
import { open } from "./Interpolate.ts"
import type { Issue, Path } from "./Issue.ts"
import type { Node } from "./Node.ts"
import type { Source } from "./Source.ts"

/** A write whose files are known by their path. */
export interface Written extends Destination {
  readonly id: string
  readonly at: Path
}

/** Steps whose `when` is not known yet may exclude each other: if both take part after all, the run refuses the second. */
export const mayBeOff = ({ common: { when } }: Node, settled?: boolean): boolean =>
  when !== undefined && when !== true && settled !== true

/** The destination of a write; as written while its fields are not known yet. */
export const targetOf = ({ config: written, id, index, step }: Node, config: unknown): Written | undefined => {
  if (step.behaviour.kind !== "sink") return undefined
  const output = step.behaviour.destination(config === open ? written : config)
  return output && { ...output, id, at: ["steps", index, step.key, output.format] }
}

/** Writes that can produce a file of an earlier one: the rows of one would take the place of the other's. */
export const writtenTwice = (targets: ReadonlyArray<Written>, { locate }: Source): ReadonlyArray<Issue> =>
  targets.flatMap((target, index) => {
    const other = targets.slice(0, index).find((each) => collide(each, target))
    if (other === undefined) return []
    const line = locate(other.at)?.line
    const place = line === undefined ? `"${other.id}"` : `"${other.id}" (line ${line})`
    const message =
      other.path === target.path
        ? `${place} writes ${target.path === "-" ? "to stdout" : "this file"} already: choose another path, or merge the branches with from: [a, b] and write once`
        : `${place} can write the same file, with its path ${other.path}: choose another name or folder`
    return [{ path: target.at, message }]
  })

/** Rows that a limit holds back were seen by the steps before it: later runs would never give them. */
export const cutOff = (nodes: ReadonlyArray<Node>, remembering: ReadonlyArray<string>): ReadonlyArray<Issue> => {
  const remembers = new Set(remembering)
  /** By step, a step before it that remembers; the inputs of a step stand before it. */
  const memories = new Map<string, string>()
  return nodes.flatMap(({ id, index, inputs, step }) => {
    const [memory] = inputs.flatMap((input) => (remembers.has(input) ? input : (memories.get(input) ?? [])))
    if (memory === undefined) return []
    memories.set(id, memory)
    if (step.behaviour.kind !== "transform" || step.behaviour.truncates !== true) return []
    const message = `rows cut by this ${step.key} would be lost: "${memory}" above it has already marked them as seen. Move the ${step.key} above "${memory}"`
    return [{ path: ["steps", index, step.key], atKey: true as const, message }]
  })
}

/** Targets of `notify` on changed, in a pipeline without a step that keeps changes. */
export const changesWithoutHistory = (nodes: ReadonlyArray<Node>, notify: unknown): ReadonlyArray<Issue> =>
  nodes.some(({ config, step }) => step.key === "dedupe" && fieldsOf(config).history !== undefined)
    ? []
    : list(notify).flatMap((target, index): ReadonlyArray<Issue> => {
        const at = list(mapping(target).on).indexOf("changed")
        return at === -1
          ? []
          : [
              {
                path: ["notify", index, "on", at],
                message:
                  "no step keeps changes: add history to a dedupe step, like dedupe: { across: runs, changedIn: markdown, history: 200 }"
              }
            ]
      })

/** Warns of statuses in `retry.on` that can never match, as a job asks for its pages itself. */
export const idleRetries = ({ common, index, step }: Node): ReadonlyArray<Issue> => {
  const { on } = (common.retry ?? {}) as { readonly on?: unknown }
  if (!Array.isArray(on)) return []
  return ignoredCauses(step.behaviour, on).map((status) => ({
    path: ["steps", index, "retry", "on", on.indexOf(status)],
    message: `${status} never matches on ${step.key}: retry repeats the calls that read its job, not the pages of the job. Use \`sluice replay\` for failed pages, or scrape them row by row with \`scrape\``
  }))
}

/** Steps that give rows with the fields that they get. */
const passing: ReadonlySet<string> = new Set(["check", "limit", "sample", "sort", "where"])

/** Names of the fields of a step's rows; undefined where only the run knows them. */
const namesOf = (id: string | undefined, nodes: ReadonlyArray<Node>): ReadonlyArray<string> | undefined => {
  const node = nodes.find((each) => each.id === id)
  if (node === undefined || node.common.when !== undefined || node.common.onError === "keep") return undefined
  const { config, inputs, step } = node
  if (passing.has(step.key)) return inputs.length === 1 ? namesOf(inputs[0], nodes) : undefined
  const { fields, keep, schema } = fieldsOf(config)
  if (step.key === "select") return Object.keys(fieldsOf(config))
  if (step.key !== "extract" || schema !== undefined || typeof fields !== "object") return undefined
  return [...new Set([...Object.keys(fieldsOf(fields)), ...list(keep).map(String), "url"])]
}

/** True for an `extract` with several rows for a page, all of which have the address of the page. */
const sharesAddress = (id: string | undefined, nodes: ReadonlyArray<Node>): boolean => {
  const node = nodes.find((each) => each.id === id)
  if (node === undefined || node.inputs.length > 1) return false
  if (passing.has(node.step.key)) return sharesAddress(node.inputs[0], nodes)
  const { fields, rows } = fieldsOf(node.config)
  const hasOwn = Object.hasOwn(fieldsOf(fields), "url") || fieldsOf(rows).list !== undefined
  return node.step.key === "extract" && rows !== undefined && fields !== undefined && !hasOwn
}

/** Warns of a `dedupe` by an address that all rows of a page share: it would keep one of them. */
export const sharedAddresses = (
  { config, index, inputs, step }: Node,
  nodes: ReadonlyArray<Node>
): ReadonlyArray<Issue> =>
  step.key === "dedupe" && fieldsOf(config).key === "url" && inputs.length === 1 && sharesAddress(inputs[0], nodes)
    ? [
        {
          path: ["steps", index, "dedupe", "key"],
          message:
            "all rows of a page have its address as url, so one row of each page is kept: add a field like url: { css: a, as: url } to extract, or name another key"
        }
      ]
    : []

/** Warns of fields of a `dedupe` that no row can have: they would join or hide rows without a word. */
export const unmadeFields = (node: Node, nodes: ReadonlyArray<Node>): ReadonlyArray<Issue> => {
  const names = node.step.key === "dedupe" && node.inputs.length === 1 ? namesOf(node.inputs[0], nodes) : undefined
  if (names === undefined) return []
  const config = fieldsOf(node.config)
  const named = [
    ...["key", "changedWhen", "changedIn"].map((name) => [[name], config[name]] as const),
    ...list(config.previous).map((name, at) => [["previous", at], name] as const)
  ]
  return named.flatMap(([path, written]): ReadonlyArray<Issue> => {
    // Only a path says which field it needs.
    const [name] = /^[\p{L}_][\w\p{L}]*(?=(?:\.[\p{L}_][\w\p{L}]*)*$)/u.exec(String(written ?? "")) ?? []
    if (name === undefined || names.includes(name) || ["true", "false", "null"].includes(name)) return []
    const hint = didYouMean(name, names) || `: there are ${names.join(", ")}`
    return [
      {
        path: ["steps", node.index, "dedupe", ...path],
        message: `no row that comes to it has a field "${name}"${hint}`
      }
    ]
  })
}

/** Warns of actions that the API does not have: the service refuses them when the first page is asked for. */
export const unknownActions = ({ config, index, step }: Node): ReadonlyArray<Issue> => {
  const within = step.formatsAt?.slice(0, -1) ?? []
  const { actions } = fieldsOf(within.reduce<unknown>((value, key) => fieldsOf(value)[key], config))
  return list(actions).flatMap((action, at): ReadonlyArray<Issue> => {
    const { type } = fieldsOf(action)
    if (typeof type !== "string" || type.includes("${{") || actionTypes.some((known) => known === type)) return []
    const hint = didYouMean(type, actionTypes) || `: there are ${actionTypes.join(", ")}`
    const path = ["steps", index, step.key, ...within, "actions", at, "type"]
    return [{ path, message: `there is no action "${type}"${hint}` }]
  })
}

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
): ReadonlyArray<Issue> => {
  const taking = nodes.flatMap((node): ReadonlyArray<Step> => {
    const config = configs.get(node.id)
    return config === undefined ? [] : [{ node, config: config === open ? node.config : config }]
  })
  return taking.flatMap((step): ReadonlyArray<Issue> => {
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

/** Passwords that are written into a `login`. */
export const literalPasswords = (login: unknown): ReadonlyArray<Issue> =>
  (["fields", "basic"] as const).flatMap((part) =>
    Object.entries(mapping(mapping(login)[part])).flatMap(([name, value]): ReadonlyArray<Issue> => {
      if (!isPassword.test(name) || (typeof value === "string" && (value === "" || value.includes("${{")))) return []
      const path = ["login", part, name]
      return [
        { path, message: `${name} is written into the definition, for all who read it: write \${{ secrets.NAME }}` }
      ]
    })
  )

/** A `login` that no step uses. */
export const idleLogin = (nodes: ReadonlyArray<Node>, login: unknown): ReadonlyArray<Issue> =>
  login === undefined || nodes.some(isSignedIn)
    ? []
    : [{ path: ["login"], message: "no step is signed in: it is for crawl, batchScrape, scrape and request" }]

/** True for a step whose pages or calls are signed in by the `login` of the definition. */
export const isSignedIn = ({ config, step }: Pick<Node, "config" | "step">): boolean =>
  ["crawl", "batchScrape", "scrape", "request"].includes(step.key) &&
  mapping(config).login !== false &&
  mapping(config).session === undefined
