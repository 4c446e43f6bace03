/**
 * What a definition may touch of this machine: variables, secrets and files.
 *
 * - One value for a command, made once from its flags and the project (`Permissions/Project.ts`), and read as a service.
 * - The default is that of an embedding program, which trusts its own definitions: every file may be read but those that
 *   are never read.
 * - The system's own folders and the data folder are never read or written for a definition, whatever is allowed.
 * - Links are followed before a path is judged. Hard links cannot be told from other files.
 */
import * as NodePath from "node:path"
import * as Context from "effect/Context"
import { canParse } from "./Api/Url.ts"
import { isBelow, realPath } from "./Permissions/RealPath.ts"

interface Value {
  /** Real path of the project; undefined where a program trusts its own definitions. */
  readonly project: string | undefined
  /** True for a definition of the project. */
  readonly isOwn: boolean
  /** `--allow-env`: variables and secrets that definitions from elsewhere may name. */
  readonly env: ReadonlySet<string>
  /** `--allow-path`: real paths of folders. */
  readonly folders: ReadonlyArray<string>
  /** `--allow-code`: definitions in code may be loaded from elsewhere. */
  readonly code: boolean
  /** Real paths of folders of stores, ledgers and keys. */
  readonly dataFolders: ReadonlyArray<string>
  /** The folder that relative outputs are under, where it is known before the run. */
  readonly out: string | undefined
  /** By secret, the hosts that it may be sent to: names, and `*.example.com` for those below one. */
  readonly hosts: ReadonlyMap<string, ReadonlyArray<string>>
}

export class Permissions extends Context.Reference<Permissions>()("sluice/Permissions", {
  defaultValue: (): Value => ({
    project: undefined,
    isOwn: true,
    env: new Set(),
    folders: [],
    code: true,
    dataFolders: [],
    out: undefined,
    hosts: new Map()
  })
}) {}

export type { Value as Granted }

/** Whether a file belongs to the project; an installed package does not. */
export const isOfProject = ({ project }: Value, file: string): boolean => {
  if (project === undefined) return true
  const real = realPath(file)
  return isBelow(real, project) && !NodePath.relative(project, real).split(NodePath.sep).includes("node_modules")
}

/** The permissions as they are for the definition in a file. */
export const forDefinition = (permissions: Value, file: string): Value => ({
  ...permissions,
  isOwn: isOfProject(permissions, file)
})

/** Folders in which a read has effects, or shows what belongs to processes. */
const systemFolders = ["/proc", "/sys", "/dev"]

/** Whatever it is called, a data folder has this name by default. */
const dataName = ".sluice"

/** The folder for which a path is refused whatever is allowed. */
const protectedBy = (paths: ReadonlyArray<string>, { dataFolders }: Value): string | undefined => {
  for (const path of paths) {
    const found = [...systemFolders, ...dataFolders].find((folder) => isBelow(path, folder))
    if (found !== undefined) return found
    const at = path.split(NodePath.sep).indexOf(dataName)
    if (at !== -1)
      return path
        .split(NodePath.sep)
        .slice(0, at + 1)
        .join(NodePath.sep)
  }
  return undefined
}

const owner = ({ isOwn }: Value): string => (isOwn ? "" : ", and so is the definition")

/** Why a file or folder may not be read, and what would allow it; undefined where it may. */
export const whyNotRead = (permissions: Value, path: string): string | undefined => {
  const asked = NodePath.resolve(path)
  const real = realPath(asked)
  const leads = real === asked ? asked : `${asked} (which is ${real})`
  const never = protectedBy([asked, real], permissions)
  if (never !== undefined) {
    const hint = /^\/dev\/(stdin|fd)\b/.test(asked) ? ': write read: "-" for what is piped in' : ""
    return `${leads} is never read for a definition, because it is in ${never}${hint}`
  }
  const { folders, isOwn, project } = permissions
  if (project === undefined || folders.some((folder) => isBelow(real, folder))) return undefined
  if (isOwn && isBelow(real, project)) return undefined
  const how = `allow it with --allow-path ${NodePath.dirname(real)}`
  return isBelow(real, project)
    ? `${leads} cannot be read by a definition from outside the project ${project}: ${how}`
    : `${leads} is outside the project ${project}${owner(permissions)}: ${how}`
}

/** Why an output may not be written; `out` is the folder that relative outputs are under. */
export const whyNotWritten = (permissions: Value, path: string, out: string): string | undefined => {
  const asked = NodePath.resolve(path)
  const real = realPath(asked)
  const never = protectedBy([asked, real], permissions)
  // A trial's own folder is below the data folder, and --out may name a folder on any device.
  if (never !== undefined && !isBelow(realPath(out), never)) {
    return `${asked} is never written for a definition, because it is in ${never}`
  }
  const { folders, isOwn, project } = permissions
  if (isOwn || project === undefined || isBelow(real, realPath(out))) return undefined
  if (folders.some((folder) => isBelow(real, folder))) return undefined
  return `${asked} is not below the output folder ${out}, and the definition is from outside the project ${project}: allow it with --allow-path ${NodePath.dirname(real)}`
}

/** Why a variable or a secret may not be named; undefined where it may. */
export const whyNotNamed = (permissions: Value, name: string): string | undefined =>
  permissions.isOwn || permissions.env.has(name)
    ? undefined
    : `the definition is from outside the project ${permissions.project}: allow it with --allow-env ${name}`

const maySend = (bound: ReadonlyArray<string>, host: string): boolean =>
  bound.some((each) => (each.startsWith("*.") ? host.endsWith(each.slice(1)) : host === each))

/** Why secrets may not be sent to an address; those that are bound to no host may go everywhere. */
export const whyNotSent = ({ hosts }: Value, secrets: ReadonlyArray<string>, url: string): string | undefined => {
  const host = canParse(url) ? new URL(url).hostname.toLowerCase().replace(/\.$/, "") : ""
  for (const secret of secrets) {
    const bound = hosts.get(secret)
    if (bound === undefined || maySend(bound, host)) continue
    return `the secret ${secret} is bound to ${bound.join(", ")}, and would be sent to ${host === "" ? "another host" : host}: add the host under secrets in config/, or leave the header out`
  }
  return undefined
}
