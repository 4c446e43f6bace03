/** What a definition names that it may not touch, each at its place, before anything is read or sent. */
import * as NodePath from "node:path"
import * as Redacted from "effect/Redacted"
import { type Granted, whyNotNamed, whyNotRead, whyNotSent, whyNotWritten } from "../Permissions.ts"
import { literalPrefix, placeholdersOf, whyOutside } from "../Sink/Destination.ts"
import { list, mapping } from "../Step/Need.ts"
import type { Input } from "./Definition.ts"
import { namedIn, open } from "./Interpolate.ts"
import type { Mistake, Path } from "./Mistake.ts"
import type { DecodedNode, Node } from "./Node.ts"

/** Variables and secrets that a definition from elsewhere was not allowed. */
export const refusedNames = (permissions: Granted, value: unknown): ReadonlyArray<Mistake> =>
  namedIn(value).flatMap(({ kind, name, path }) => {
    const why = whyNotNamed(permissions, name)
    return why === undefined
      ? []
      : [
          {
            path,
            message: `this definition may not read the ${kind === "secrets" ? "secret" : "variable"} ${name}: ${why}`
          }
        ]
  })

/** Inputs of the type path that lead to where the definition may not read. */
export const refusedInputs = (
  permissions: Granted,
  declared: Readonly<Record<string, Input>>,
  values: Readonly<Record<string, unknown>>,
  { folder, inputs: given }: { readonly inputs: Readonly<Record<string, unknown>>; readonly folder: string }
): ReadonlyArray<Mistake> =>
  Object.entries(declared).flatMap(([name, { type }]): ReadonlyArray<Mistake> => {
    const value = values[name]
    // A default is judged where the definition uses it.
    if (type !== "path" || typeof value !== "string" || !Object.hasOwn(given, name)) return []
    const why = whyNotRead(permissions, NodePath.resolve(folder, value))
    return why === undefined ? [] : [{ path: ["inputs", name], given: true, message: `--input ${name}: ${why}` }]
  })

/** A file that a field names, where that is known and may not be read. */
export const refusedFile = (
  permissions: Granted,
  folder: string,
  path: Path,
  file: unknown,
  kind: "file" | "folder" = "file"
): ReadonlyArray<Mistake> => {
  const why = typeof file === "string" ? whyNotRead(permissions, NodePath.resolve(folder, file), kind) : undefined
  return why === undefined ? [] : [{ path, message: why }]
}

/** Names of the secrets that the headers of a step hold. */
export const secretsIn = ({ config, step }: Pick<Node, "config" | "step">): ReadonlyArray<string> => {
  const headers = step.headers?.reduce<unknown>((at, key) => mapping(at)[key], config)
  return namedIn(headers).flatMap(({ kind, name }) => (kind === "secrets" ? [name] : []))
}

/** Secrets that would go to a host that they are not bound to, as far as the address is known. */
const refusedHosts = (permissions: Granted, node: Node): ReadonlyArray<Mistake> => {
  const { index, step } = node
  const bound = secretsIn(node).filter((name) => permissions.hosts.has(name))
  const headers: Path = ["steps", index, step.key, ...(step.headers ?? [])]
  if (bound.length > 0 && step.sites?.(node.config) === "any") {
    const message = `the secret ${bound[0]} is bound to hosts, and ${step.key} reads whatever hosts it finds: scrape its hits in a step of their own`
    return [{ path: headers, message }]
  }
  const { url } = mapping(node.config)
  if (typeof url !== "string" || url.includes("${{")) return []
  const why = whyNotSent(permissions, bound, url)
  return why === undefined ? [] : [{ path: headers, message: why }]
}

/** Webhooks whose address is a secret that is bound to other hosts. */
export const refusedWebhooks = (permissions: Granted, written: unknown, settled: unknown): ReadonlyArray<Mistake> =>
  list(settled).flatMap((target, index): ReadonlyArray<Mistake> => {
    const names = namedIn(mapping(list(written)[index]).webhook).map(({ name }) => name)
    const { webhook } = mapping(target)
    if (!Redacted.isRedacted(webhook)) return []
    const why = whyNotSent(permissions, names, String(Redacted.value(webhook)))
    return why === undefined ? [] : [{ path: ["notify", index, "webhook"], message: why }]
  })

/** The path of an output as it is written and as it came to be, and the key that it stands under. */
interface Output {
  readonly key: string
  readonly written: string
  readonly path: string
}

const outputOf = ({ config: written, step: { behaviour } }: Node, config: unknown): Output | undefined => {
  if (behaviour.kind !== "sink" || config === open) return undefined
  const [raw, filled] = [behaviour.destination(written), behaviour.destination(config)]
  return raw === undefined || filled === undefined
    ? undefined
    : { key: filled.format, written: raw.path, path: filled.path }
}

/** Stands for the output folder where that is not known yet. */
const someFolder = `${NodePath.sep}output folder`

/** Files that a step would read or write, and may not. */
export const refusedPaths = (
  permissions: Granted,
  folder: string,
  node: Node,
  { common, config }: DecodedNode
): ReadonlyArray<Mistake> => {
  const { index, step } = node
  const at: Path = ["steps", index]
  const read = (config === open ? [] : (step.reads?.(config) ?? [])).flatMap(({ file, isFolder, path }) =>
    refusedFile(permissions, folder, [...at, step.key, ...path], file, isFolder ? "folder" : "file")
  )
  const pin = refusedFile(permissions, folder, [...at, "pin"], common.pin)
  const output = outputOf(node, config)
  const touched = [...read, ...pin, ...refusedHosts(permissions, node)]
  if (output === undefined || output.path === "-") return touched
  const out = permissions.out ?? someFolder
  const isKnown = permissions.out !== undefined || !NodePath.isAbsolute(output.path)
  const place = [...at, step.key, output.key]
  /** Of a path with names that only the run fills, the folder. */
  const target = (): string | undefined =>
    placeholdersOf(output.path).length === 0
      ? whyNotWritten(permissions, NodePath.resolve(out, output.path), out)
      : whyNotWritten(permissions, literalPrefix(output.path, out), out, "folder")
  const why =
    (isKnown ? whyOutside(output.written, output.path, out) : undefined) ??
    (permissions.out === undefined ? undefined : target())
  return [...touched, ...(why === undefined ? [] : [{ path: place, message: why }])]
}
