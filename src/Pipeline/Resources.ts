/** Hosts, files, variables and the like that a definition accesses: shown by the plan, and compared with the last run. */
import * as NodePath from "node:path"
import * as Effect from "effect/Effect"
import { type Reach, reaches, reachesOf } from "../Permissions/Untrusted.ts"
import { ofFile } from "../Step/Access.ts"
import { mapping } from "../Step/Requirements.ts"
import { type Checked, type CheckOptions, scopeBefore } from "./Check.ts"
import { filled } from "./Display.ts"
import { namedIn } from "./Interpolate.ts"

/** Resources of a definition, as plain JSON. Each list is sorted and has no duplicates. */
export type Resources = {
  readonly env: ReadonlyArray<string>
  readonly secrets: ReadonlyArray<string>
  /** Host names; `*` if rows contain the URLs. */
  readonly hosts: ReadonlyArray<string>
  /** Absolute paths; for a pattern, the folder where it starts. */
  readonly reads: ReadonlyArray<string>
  /** Paths as written; relative ones are below the output folder. */
  readonly writes: ReadonlyArray<string>
  /** Other kinds of access, like `uses a browser profile`. */
  readonly uses: ReadonlyArray<string>
}

const kinds = ["env", "secrets", "hosts", "reads", "writes", "uses"] as const

/** True for kinds of access that are listed under `uses`; the other lists cover the rest. */
const isListed = (reach: Reach): boolean => !["files", "output", "unknown"].includes(reach)

const sorted = (values: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(values)].sort()

const hostsIn = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") {
    const [, host] = /^https?:\/\/(?:[^/?#@\s]*@)?(\$\{\{.*?\}\}[^/?#\s]*|[^/?#\s]+)/i.exec(value) ?? []
    return host === undefined ? [] : [host.toLowerCase().startsWith("${{") ? host : host.toLowerCase()]
  }
  if (typeof value !== "object" || value === null) return []
  return Object.values(value).flatMap(hostsIn)
}

/** All resources known before the run. Without options, takes the definition as written, for any inputs. */
export const resourcesOf = (
  checked: Checked,
  options: Pick<CheckOptions, "env" | "secrets"> | undefined
): Effect.Effect<Resources> =>
  Effect.gen(function* () {
    const { all, frame, nodes, source } = checked
    // With an empty `env`, references such as ${{ env.NAME }} stay as written: values of the environment are never shown.
    const scope = options && scopeBefore(checked, { ...options, env: {} })
    const names = namedIn(source.value)
    const hosts: Array<string> = []
    const reads: Array<string> = frame.site === undefined ? [] : [frame.site]
    const writes: Array<string> = []
    for (const { common, config: written, step } of all ?? nodes) {
      const config = scope === undefined ? written : yield* filled(scope, written)
      hosts.push(...hostsIn(config))
      if (step.sites?.(config) !== undefined) hosts.push("*")
      reads.push(
        ...(step.reads?.(config) ?? []).map(({ file }) => file),
        ...ofFile("pin")(common).map(({ file }) => file)
      )
      const output = step.behaviour.kind === "sink" ? step.behaviour.destination(config) : undefined
      if (output !== undefined) writes.push(output.path)
    }
    const { extensions, login, notify } = mapping(source.value)
    if (typeof extensions === "string") reads.push(extensions)
    const { cookies, run, url } = mapping(login)
    for (const file of [cookies, run, mapping(run).module]) if (typeof file === "string") reads.push(file)
    return {
      env: sorted(names.flatMap(({ kind, name }) => (kind === "env" ? [name] : []))),
      secrets: sorted(names.flatMap(({ kind, name }) => (kind === "secrets" ? [name] : []))),
      hosts: sorted([...hosts, ...hostsIn(notify), ...hostsIn(url)]),
      reads: sorted(reads.map((file) => (file.includes("${{") ? file : NodePath.resolve(source.folder, file)))),
      writes: sorted(writes),
      uses: sorted(reachesOf(source.value).flatMap(({ reach }) => (isListed(reach) ? [reaches[reach]] : [])))
    }
  })

const listOf = (touches: unknown, kind: string): ReadonlyArray<unknown> | undefined => {
  const list = mapping(touches)[kind]
  return Array.isArray(list) ? list : undefined
}

const words = { env: "env", secrets: "secret", hosts: "host", reads: "reads", writes: "writes", uses: "it" } as const

/** Resources added since an earlier run, as one line; undefined if there are none, or if that run recorded no resources. */
export const addedResources = (touches: Resources, before: unknown): string | undefined => {
  const grown = kinds.flatMap((kind) => {
    const known = listOf(before, kind)
    const added = known === undefined ? [] : touches[kind].filter((each) => !known.includes(each))
    return added.length === 0 ? [] : [`${words[kind]} ${added.join(", ")}`]
  })
  return grown.length === 0 ? undefined : grown.join("; ")
}
