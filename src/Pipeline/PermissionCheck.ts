/** Checks a definition against its permissions before anything is read or sent; each violation is an error with its position. */
import * as NodePath from "node:path"
import * as Array from "effect/Array"
import * as Redacted from "effect/Redacted"
import * as Untrusted from "../Permissions/Untrusted.ts"
import {
  type Granted,
  originOf,
  whyNotNamed,
  whyNotRead,
  whyNotSent,
  whyNotWritten,
  whySource
} from "../Permissions.ts"
import { isDataFormat, literalPrefix, placeholdersOf, whyOutside } from "../Sink/Destination.ts"
import type { Context } from "../Step/Context.ts"
import { list, mapping } from "../Step/Requirements.ts"
import type { Input } from "./Definition.ts"
import { builtIn, defaultCodeAdvice } from "./Extensions.ts"
import { namedIn, open } from "./Interpolate.ts"
import { type Issue, inputFlag, type Path } from "./Issue.ts"
import type { DecodedNode, Node } from "./Node.ts"

/** Access that is refused to an untrusted definition and that no flag allows. */
export const refusedReaches = (permissions: Granted, value: unknown): ReturnType<typeof Untrusted.refused> =>
  permissions.isOwn
    ? []
    : Untrusted.refused(value, {
        origin: permissions.isDraft === true ? "draft" : "outside",
        because: permissions.isDraft === true ? "an agent wrote the definition" : originOf(permissions),
        code: permissions.code
      })

/** Variables and secrets that an untrusted definition may not read. */
export const refusedNames = (permissions: Granted, value: unknown): ReadonlyArray<Issue> =>
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

/** Environment variables that the definition uses but may not read. */
export const refusedEnv = (permissions: Granted, value: unknown): ReadonlyArray<string> =>
  namedIn(value).flatMap(({ kind, name }) =>
    kind === "env" && whyNotNamed(permissions, name) !== undefined ? [name] : []
  )

/** Inputs of type `path` outside the folders that the definition may read. */
export const refusedInputs = (
  permissions: Granted,
  declared: Readonly<Record<string, Input>>,
  values: Readonly<Record<string, unknown>>,
  { folder, inputs: given }: { readonly inputs: Readonly<Record<string, unknown>>; readonly folder: string }
): ReadonlyArray<Issue> =>
  Object.entries(declared).flatMap(([name, { type }]): ReadonlyArray<Issue> => {
    const value = values[name]
    // Only given values are checked here: defaults are checked where the definition uses them.
    if (type !== "path" || typeof value !== "string" || !Object.hasOwn(given, name)) return []
    const why = whyNotRead(permissions, NodePath.resolve(folder, value))
    return why === undefined ? [] : [{ path: ["inputs", name], input: name, message: `${inputFlag(name)}${why}` }]
  })

/** Error for a file named in a field that the definition may not read. */
export const refusedFile = (
  permissions: Granted,
  folder: string,
  path: Path,
  file: unknown,
  kind: "file" | "folder" = "file"
): ReadonlyArray<Issue> => {
  const why = typeof file === "string" ? whyNotRead(permissions, NodePath.resolve(folder, file), kind) : undefined
  return why === undefined ? [] : [{ path, message: why }]
}

/** Names of the secrets in a step's headers and credentials, by the URL that they are sent to. */
export const secretsIn = ({ config, step }: Pick<Node, "config" | "step">): Context["secrets"] => {
  const headers = step.headers?.reduce<unknown>((at, key) => mapping(at)[key], config)
  const credentials = step.credentials === undefined ? undefined : mapping(config)[step.credentials]
  const found = namedIn({ headers, credentials }).filter(({ kind }) => kind === "secrets")
  const [token, own] = Array.partition(found, ({ path }) => path[0] !== "credentials" || path[1] !== "oauth")
  return { url: own.map(({ name }) => name), tokenUrl: token.map(({ name }) => name) }
}

/** Secrets that would be sent to a host for which they are not allowed, as far as the URL is known. */
const refusedHosts = (permissions: Granted, node: Node): ReadonlyArray<Issue> => {
  const { index, step } = node
  const secrets = secretsIn(node)
  const bound = secrets.url.filter((name) => permissions.hosts.has(name))
  const fields: Path = ["steps", index, step.key]
  const headers: Path = [...fields, ...(step.headers ?? [])]
  const signsIn = step.credentials === undefined ? undefined : mapping(mapping(node.config)[step.credentials]).oauth
  const { tokenUrl } = mapping(signsIn)
  // A URL that is known only during the run is checked before its request.
  const whyNoToken =
    typeof tokenUrl === "string" && !tokenUrl.includes("${{")
      ? whyNotSent(permissions, secrets.tokenUrl, tokenUrl)
      : undefined
  if (whyNoToken !== undefined)
    return [{ path: [...fields, step.credentials ?? "", "oauth", "tokenUrl"], message: whyNoToken }]
  if (bound.length > 0 && step.sites?.(node.config) === "any") {
    const message = `the secret ${bound[0]} is bound to hosts, and ${step.key} reads any host that it finds: scrape its results in a separate step`
    return [{ path: headers, message }]
  }
  const { url } = mapping(node.config)
  const isKnown = typeof url === "string" && !url.includes("${{")
  if (bound.length > 0 && !isKnown && !builtIn.some(({ key }) => key === step.key)) {
    const message = `the secret ${bound[0]} is bound to hosts, and ${step.key} does not name a fixed host for it: write a fixed address into the step's field \`url\``
    return [{ path: headers, message }]
  }
  if (!isKnown) return []
  const why = whyNotSent(permissions, bound, url)
  return why === undefined ? [] : [{ path: headers, message: why }]
}

/** Setting for the server and account that send e-mails. */
const mailSetting = "SLUICE_SMTP_URL"

/**
 * Targets of `notify` that the definition may not use: URLs to which their secret may not be sent, and the e-mail account of this machine
 * for a definition from outside the project.
 */
export const refusedTargets = (permissions: Granted, written: unknown, settled: unknown): ReadonlyArray<Issue> =>
  list(settled).flatMap((target, index): ReadonlyArray<Issue> => {
    const sent = (["webhook", "slack"] as const).flatMap((channel): ReadonlyArray<Issue> => {
      const names = namedIn(mapping(list(written)[index])[channel]).map(({ name }) => name)
      const address = mapping(target)[channel]
      if (!Redacted.isRedacted(address)) return []
      const why = whyNotSent(permissions, names, String(Redacted.value(address)))
      return why === undefined ? [] : [{ path: ["notify", index, channel], message: why }]
    })
    const { email } = mapping(target)
    const mail: ReadonlyArray<Issue> =
      email === undefined || permissions.isOwn || permissions.env.has(mailSetting)
        ? []
        : [
            {
              path: ["notify", index, "email"],
              message: `this definition is from outside the project, and would send e-mail from your account: --allow-env ${mailSetting} allows it`
            }
          ]
    return [...sent, ...mail]
  })

/** Targets of `notify` that run a program. */
export const commandTargets = (notify: unknown, codeAdvice: string = defaultCodeAdvice): ReadonlyArray<Issue> =>
  list(notify).flatMap((target, index) => {
    const { command } = mapping(target)
    const message = `runs a program (${String(list(command)[0])}): ${codeAdvice}`
    return command === undefined ? [] : [{ path: ["notify", index, "command"], message }]
  })

/** Errors for a `login` that reads a forbidden file, or sends a secret to a host for which it is not allowed. */
export const refusedLogin = (permissions: Granted, folder: string, written: unknown): ReadonlyArray<Issue> => {
  const { cookies, run, url } = mapping(written)
  const module = typeof run === "string" ? run : mapping(run).module
  const why =
    typeof url === "string" && !url.includes("${{")
      ? whyNotSent(
          permissions,
          namedIn(written).flatMap(({ kind, name }) => (kind === "secrets" ? [name] : [])),
          url
        )
      : undefined
  return [
    ...refusedFile(permissions, folder, ["login", "cookies"], cookies),
    ...refusedFile(permissions, folder, ["login", "run"], module),
    ...(why === undefined ? [] : [{ path: ["login"], message: why }])
  ]
}

/** The path of an output, as written and as resolved, and the key of its format. */
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

/** Placeholder for an output folder that is not known yet. */
const someFolder = `${NodePath.sep}output folder`

/** Errors for files that a step may not read or write. */
export const refusedPaths = (
  permissions: Granted,
  folder: string,
  node: Node,
  { common, config }: DecodedNode
): ReadonlyArray<Issue> => {
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
  /** Reason why the output may not be written; if its name contains placeholders, checks the folder. */
  const target = (): string | undefined => {
    const path = NodePath.resolve(out, output.path)
    const isData = isDataFormat(output.key)
    // The extension can be checked even with placeholders, because values of a run or row do not change it.
    return (
      (placeholdersOf(output.path).length === 0
        ? whyNotWritten(permissions, path, out)
        : whyNotWritten(permissions, literalPrefix(output.path, out), out, "folder")) ??
      whySource(permissions, path, { isData })
    )
  }
  const why =
    (isKnown ? whyOutside(output.written, output.path, out) : undefined) ??
    (permissions.out === undefined ? undefined : target())
  return [...touched, ...(why === undefined ? [] : [{ path: place, message: why }])]
}
