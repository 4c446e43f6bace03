/** Rules across several steps of a definition: outputs that collide or lose rows, rows lost to a limit, retries that never match. */
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

/** Destination of a `write` step, with the step's id and its position in the definition. */
export interface Written extends Destination {
  readonly id: string
  readonly at: Path
}

/** True while a step's `when` is not known. Such steps may exclude each other; if both run after all, the run refuses the second. */
export const mayBeOff = ({ common: { when } }: Node, settled?: boolean): boolean =>
  when !== undefined && when !== true && settled !== true

/** The destination of a write; taken as written while its fields are not known. */
export const targetOf = ({ config: written, id, index, step }: Node, config: unknown): Written | undefined => {
  if (step.behaviour.kind !== "sink") return undefined
  const output = step.behaviour.destination(config === open ? written : config)
  return output && { ...output, id, at: ["steps", index, step.key, output.format] }
}

/** Writes that can produce the same file as an earlier one: one would overwrite the rows of the other. */
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

/** Issues for steps that cut rows which a step above has already marked as seen: later runs would never return these rows. */
export const cutOff = (nodes: ReadonlyArray<Node>, remembering: ReadonlyArray<string>): ReadonlyArray<Issue> => {
  const remembers = new Set(remembering)
  /** For each step, a step above it that remembers rows. A step's inputs always come before it. */
  const memories = new Map<string, string>()
  return nodes.flatMap(({ id, index, inputs, step }) => {
    const [memory] = inputs.flatMap((input) => (remembers.has(input) ? input : (memories.get(input) ?? [])))
    if (memory === undefined) return []
    memories.set(id, memory)
    if (step.behaviour.kind !== "transform" || step.behaviour.takesFirst !== true) return []
    const message = `rows cut by this ${step.key} would be lost: "${memory}" above it has already marked them as seen. Move the ${step.key} above "${memory}"`
    return [{ path: ["steps", index, step.key], atKey: true as const, message }]
  })
}

/** Warns about steps that keep state under a name which changes when another step of their kind is added or moved. */
export const unnamedState = (
  nodes: ReadonlyArray<Node>,
  remembering: ReadonlyArray<string>,
  written: ReadonlyArray<unknown>
): ReadonlyArray<Issue> =>
  nodes.flatMap(({ id, index, step: { key } }) => {
    const isNamed = mapping(written[index]).id !== undefined
    if (isNamed || !remembering.includes(id) || !nodes.some((other) => other.step.key === key && other.id !== id))
      return []
    const message = `keeps its state across runs under the name "${id}", which another step would get if a ${key} were added or moved: write id: ${id}`
    return [{ path: ["steps", index, key], atKey: true as const, message }]
  })

/** Issues for targets of `notify` on `changed`, if no step of the pipeline keeps changes. */
export const changesWithoutHistory = (nodes: ReadonlyArray<Node>, notify: unknown): ReadonlyArray<Issue> =>
  nodes.some(({ config, step }) => step.key === "dedupe" && mapping(config).history !== undefined)
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

/** Warns about statuses in `retry.on` that never match, because the job itself requests the pages and the step only polls it. */
export const idleRetries = ({ common, index, step }: Node): ReadonlyArray<Issue> => {
  const { on } = (common.retry ?? {}) as { readonly on?: unknown }
  if (!Array.isArray(on)) return []
  return ignoredCauses(step.behaviour, on).map((status) => ({
    path: ["steps", index, "retry", "on", on.indexOf(status)],
    message: `${status} never matches on ${step.key}: retry repeats the calls that read its job, not the pages of the job. Use \`sluice replay\` for failed pages, or scrape them row by row with \`scrape\``
  }))
}

/** Steps that do not change the fields of their rows. */
const passing: ReadonlySet<string> = new Set(["check", "limit", "sample", "sort", "where"])

/** Names of the fields in a step's rows; undefined if they are known only during the run. */
const namesOf = (id: string | undefined, nodes: ReadonlyArray<Node>): ReadonlyArray<string> | undefined => {
  const node = nodes.find((each) => each.id === id)
  if (node === undefined || node.common.when !== undefined || node.common.onError === "keep") return undefined
  const { config, inputs, step } = node
  if (passing.has(step.key)) return inputs.length === 1 ? namesOf(inputs[0], nodes) : undefined
  const { fields, keep, schema } = mapping(config)
  if (step.key === "select") return Object.keys(mapping(config))
  if (step.key !== "extract" || schema !== undefined || typeof fields !== "object") return undefined
  return [...new Set([...Object.keys(mapping(fields)), ...list(keep).map(String), "url"])]
}

/** True for an `extract` with several rows per page, all of which have the page's URL. */
const sharesAddress = (id: string | undefined, nodes: ReadonlyArray<Node>): boolean => {
  const node = nodes.find((each) => each.id === id)
  if (node === undefined || node.inputs.length > 1) return false
  if (passing.has(node.step.key)) return sharesAddress(node.inputs[0], nodes)
  const { fields, rows } = mapping(node.config)
  const hasOwn = Object.hasOwn(mapping(fields), "url") || mapping(rows).list !== undefined
  return node.step.key === "extract" && rows !== undefined && fields !== undefined && !hasOwn
}

/** Warns about a `dedupe` by a URL that all rows of a page share: it would keep only one of them. */
export const sharedAddresses = (
  { config, index, inputs, step }: Node,
  nodes: ReadonlyArray<Node>
): ReadonlyArray<Issue> =>
  step.key === "dedupe" && mapping(config).key === "url" && inputs.length === 1 && sharesAddress(inputs[0], nodes)
    ? [
        {
          path: ["steps", index, "dedupe", "key"],
          message:
            "all rows of a page have its address as url, so one row of each page is kept: add a field like url: { css: a, as: url } to extract, or name another key"
        }
      ]
    : []

/** Warns about fields of a `dedupe` that no row can have: rows would silently be merged or hidden. */
export const unmadeFields = (node: Node, nodes: ReadonlyArray<Node>): ReadonlyArray<Issue> => {
  const names = node.step.key === "dedupe" && node.inputs.length === 1 ? namesOf(node.inputs[0], nodes) : undefined
  if (names === undefined) return []
  const config = mapping(node.config)
  const named = [
    ...["key", "changedWhen", "changedIn"].map((name) => [[name], config[name]] as const),
    ...list(config.previous).map((name, at) => [["previous", at], name] as const)
  ]
  return named.flatMap(([path, written]): ReadonlyArray<Issue> => {
    // Only a plain path shows which field it needs.
    const [name] = /^[\p{L}_][\w\p{L}]*(?=(?:\.[\p{L}_][\w\p{L}]*)*$)/u.exec(String(written ?? "")) ?? []
    if (name === undefined || names.includes(name) || ["true", "false", "null"].includes(name)) return []
    const hint = didYouMean(name, names) || `: there are ${names.join(", ")}`
    return [
      {
        path: ["steps", node.index, "dedupe", ...path],
        message: `the rows that this step reads have no field "${name}"${hint}`
      }
    ]
  })
}

interface Step {
  readonly node: Node
  /** The step's decoded fields; as written if they depend on the run. */
  readonly config: unknown
}

/** True if the step emits only rows that earlier runs have not emitted. */
const givesIncrements = ({ config, node }: Step): boolean => node.step.state?.(config)?.skipsSeen === true

/** Placeholders whose value is different in each run. */
const perRun: ReadonlySet<string> = new Set(["runId", "date"])

/** True if each run replaces the previous run's file. */
const replaces = ({ config, node }: Step): boolean => {
  const { behaviour } = node.step
  const output = behaviour.kind === "sink" ? behaviour.destination(config) : undefined
  if (output === undefined) return false
  const { mode, path } = output
  // Search the fields as written: the path or `partitionBy` may contain a value of the run.
  const written = JSON.stringify([node.config, mapping(config).partitionBy])
  return (
    mode === "replace" &&
    path !== "-" &&
    !placeholdersOf(path).some((name) => perRun.has(name)) &&
    !/\$\{\{[^}]*\brun\.|\$run\b/.test(written)
  )
}

/** Warns once per write that replaces the rows of earlier runs by only the latest ones. `configs` has the steps that are not skipped. */
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
    // Rows pass through skipped steps, so their inputs count.
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

/** Warns about passwords written into a `login`. */
export const literalPasswords = (login: unknown): ReadonlyArray<Issue> =>
  (["fields", "basic"] as const).flatMap((part) =>
    Object.entries(mapping(mapping(login)[part])).flatMap(([name, value]): ReadonlyArray<Issue> => {
      if (!isPassword.test(name) || (typeof value === "string" && (value === "" || value.includes("${{")))) return []
      const path = ["login", part, name]
      return [
        {
          path,
          message: `${name} is written into the definition, where everybody can read it: write \${{ secrets.NAME }}`
        }
      ]
    })
  )

/** Warns about a `login` that no step uses. */
export const idleLogin = (nodes: ReadonlyArray<Node>, login: unknown): ReadonlyArray<Issue> =>
  login === undefined || nodes.some(isSignedIn)
    ? []
    : [{ path: ["login"], message: "no step uses the login: it needs a step crawl, batchScrape, scrape or request" }]

/** True if the definition's `login` signs in the pages or calls of the step. */
export const isSignedIn = ({ config, step }: Pick<Node, "config" | "step">): boolean =>
  ["crawl", "batchScrape", "scrape", "request"].includes(step.key) &&
  mapping(config).login !== false &&
  mapping(config).session === undefined
