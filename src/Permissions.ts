/**
 * What a definition may touch of this machine: variables, secrets and files.
 *
 * - One value for a command, made once from its flags and the project (`Permissions/Paths.ts`), and read as a service.
 * - The default is that of an embedding program, which trusts its own definitions: every file may be read but those that
 *   are never read.
 * - The system's own folders (but for `/dev/shm`, a disk in memory) and the data folder are never read or written for a definition, whatever
 *   is allowed.
 * - Links are followed before a path is judged. Hard links cannot be told from other files.
 */
import { statSync } from "node:fs"
import { homedir } from "node:os"
import * as NodePath from "node:path"
import { fileURLToPath } from "node:url"
import * as Context from "effect/Context"
import { canParse } from "./Api/Url.ts"
import { isBelow, isShared, realPath } from "./Permissions/Paths.ts"

interface Value {
  /** Real path of the project; undefined where a program trusts its own definitions. */
  readonly project: string | undefined
  /** True where the working folder is the home folder or `/`, and no project: every definition is from elsewhere. */
  readonly isNone?: boolean | undefined
  /** True for a definition of the project. */
  readonly isOwn: boolean
  /** `--allow-env`: variables and secrets that definitions from elsewhere may name. */
  readonly env: ReadonlySet<string>
  /** `--allow-path`: real paths of folders. */
  readonly folders: ReadonlyArray<string>
  /** `--allow-code`: modules of `extensions` may be imported, and definitions in code loaded from elsewhere. */
  readonly code: boolean
  /** Real paths of data folders, or of what is kept in them. */
  readonly dataFolders: ReadonlyArray<string>
  /** The folder that relative outputs are under, where it is known before the run. */
  readonly out: string | undefined
  /** Real path of the folder below which the definition may read where there is no project. */
  readonly ownFolder?: string | undefined
  /** True at a worker of a cluster: who reads its messages has handed the run in, and cannot give it flags. */
  readonly isWorker?: boolean | undefined
  /** By secret, its bindings; a host has to be in each of them. */
  readonly hosts: ReadonlyMap<string, ReadonlyArray<Binding>>
}

/** The hosts that the files of one project allow a secret. */
export interface Binding {
  /** Names, and `*.example.com` for those below one. */
  readonly hosts: ReadonlyArray<string>
  /** The first file with a binding, as messages name it. */
  readonly file: string
}

export class Permissions extends Context.Reference<Permissions>()("sluice/Permissions", {
  defaultValue: (): Value => ({
    project: undefined,
    isOwn: true,
    env: new Set(),
    folders: [],
    code: false,
    dataFolders: [],
    out: undefined,
    hosts: new Map()
  })
}) {}

export type { Value as Granted }

let packaged: string | undefined

/** Whether a real path is below the pipelines that come with this package, which are trusted wherever it is installed. */
const isPackaged = (real: string): boolean => {
  packaged ??= realPath(fileURLToPath(new URL("../pipelines", import.meta.url)))
  return isBelow(real, packaged)
}

/** Whether a file belongs to the project; an installed package does not, but for this one. */
export const isOfProject = ({ isNone, project }: Value, file: string): boolean => {
  if (project === undefined) return true
  const real = realPath(file)
  if (isPackaged(real)) return true
  if (isNone) return false
  return isBelow(real, project) && !NodePath.relative(project, real).split(NodePath.sep).includes("node_modules")
}

/** The permissions as they are for the definition in a file. A test file from elsewhere makes its pipeline one, too. */
export const forDefinition = (permissions: Value, file: string): Value => {
  const folder = NodePath.dirname(realPath(file))
  // The pipeline that a test names has the folder of the test.
  const ownFolder = permissions.ownFolder ?? (permissions.isNone && !isShared(folder) ? folder : undefined)
  return {
    ...permissions,
    isOwn: permissions.isOwn && isOfProject(permissions, file),
    ownFolder
  }
}

const allowWith = ({ isWorker }: Value, flag: string): string =>
  isWorker === true ? `start the worker with ${flag}, or in the project` : `allow it with ${flag}`

/** Where a definition comes from that is not the project's. */
export const originOf = ({ isNone, project }: Value): string =>
  isNone
    ? `the definition belongs to no project, because ${project} is not one`
    : `the definition is from outside the project ${project}`

/** Folders in which a read has effects, or shows what belongs to processes. */
const systemFolders = ["/proc", "/sys", "/dev"]

/** A disk in memory: files below it are ordinary files, and projects may lie there. */
const memoryDisk = "/dev/shm"

/** Whatever it is called, a data folder has this name by default. */
const dataName = ".sluice"

/** The folder in which shards of a run on many machines keep rows for its last part. */
export const shardRows = ".rows"

/** What Sluice keeps in a data folder. */
const kept =
  "engine.db engine.db-shm engine.db-wal ledger.db ledger.db-shm ledger.db-wal keys.json seal.key runs trial copies browser-profiles".split(
    " "
  )

/** What is never read of a data folder: all of it, or what Sluice keeps there where a definition lies in it, too. */
export const protectedIn = (dataDir: string, folder: string): ReadonlyArray<string> => {
  const real = realPath(dataDir)
  return isBelow(realPath(folder), real) ? kept.map((name) => NodePath.join(real, name)) : [real]
}

/** The folder for which a path is refused whatever is allowed. */
const protectedBy = (paths: ReadonlyArray<string>, { dataFolders }: Value): string | undefined => {
  for (const path of paths) {
    const system = isBelow(path, memoryDisk) ? [] : systemFolders
    const found = [...system, ...dataFolders].find((folder) => isBelow(path, folder))
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

/** Whether a path that need not be there is that of a file or of a folder. */
type Kind = "file" | "folder"

const isDirectory = (real: string): boolean => {
  try {
    return statSync(real).isDirectory()
  } catch {
    return false
  }
}

/** The narrowest flag that allows a real path; a folder that the home folder lies in is never suggested. */
const howAllowed = (permissions: Value, real: string, kind: Kind): string => {
  const isFolder = kind === "folder" || isDirectory(real)
  const folder = isFolder ? real : NodePath.dirname(real)
  if (!isBelow(realPath(homedir()), folder)) return allowWith(permissions, `--allow-path ${folder}`)
  return isFolder
    ? `use a folder of its own, and ${allowWith(permissions, "--allow-path DIR")}`
    : allowWith(permissions, `--allow-path ${real}`)
}

/** Why a file or folder may not be read, and what would allow it; undefined where it may. */
export const whyNotRead = (permissions: Value, path: string, kind: Kind = "file"): string | undefined => {
  const asked = NodePath.resolve(path)
  const real = realPath(asked)
  const leads = real === asked ? asked : `${asked} (which is ${real})`
  const never = protectedBy([asked, real], permissions)
  if (never !== undefined) {
    const hint = /^\/dev\/(stdin|fd)\b/.test(asked) ? ': write read: "-" for what is piped in' : ""
    return `${leads} is never read for a definition, because it is in ${never}${hint}`
  }
  const { folders, isNone, isOwn, ownFolder, project } = permissions
  if (project === undefined || folders.some((folder) => isBelow(real, folder))) return undefined
  if (ownFolder !== undefined && isBelow(real, ownFolder)) return undefined
  if (isOwn && (isBelow(real, project) || isPackaged(real))) return undefined
  const how = howAllowed(permissions, real, kind)
  if (isNone) {
    return `${leads} cannot be read: ${originOf(permissions)}. Put the definition and its files into a folder of their own, or ${how}`
  }
  if (!isOwn && !isBelow(real, project))
    return `neither ${leads} nor the definition is in the project ${project}: ${how}`
  return isBelow(real, project)
    ? `${leads} cannot be read by a definition from outside the project ${project}: ${how}`
    : `${leads} is outside the project ${project}: ${how}`
}

/** Why an output may not be written; `out` is the folder that relative outputs are under. */
export const whyNotWritten = (
  permissions: Value,
  path: string,
  out: string,
  kind: Kind = "file"
): string | undefined => {
  const asked = NodePath.resolve(path)
  const real = realPath(asked)
  const never = protectedBy([asked, real], permissions)
  // A trial's own folder is below the data folder, and --out may name a folder on any device.
  if (never !== undefined && !isBelow(realPath(out), never)) {
    return `${asked} is never written for a definition, because it is in ${never}`
  }
  const { folders, isOwn, project } = permissions
  if (isOwn || project === undefined || folders.some((folder) => isBelow(real, folder))) return undefined
  if (isBelow(real, realPath(out))) {
    const hidden = NodePath.relative(realPath(out), real)
      .split(NodePath.sep)
      .find((name) => name.startsWith(".") && name !== shardRows)
    return hidden === undefined
      ? undefined
      : `${asked} is hidden (${hidden}), and ${originOf(permissions)}: ${howAllowed(permissions, real, kind)}`
  }
  return `${asked} is not below the output folder ${out}, and ${originOf(permissions)}: ${howAllowed(permissions, real, kind)}`
}

/** Why a variable or a secret may not be named; undefined where it may. */
export const whyNotNamed = (permissions: Value, name: string): string | undefined =>
  permissions.isOwn || permissions.env.has(name)
    ? undefined
    : `${originOf(permissions)}: ${allowWith(permissions, `--allow-env ${name}`)}`

const maySend = (bound: ReadonlyArray<string>, host: string): boolean =>
  bound.some((each) => (each.startsWith("*.") ? host.endsWith(each.slice(1)) : host === each))

const loopback = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/

/** Why secrets may not be sent to an address; those that are bound to no host may go everywhere. */
export const whyNotSent = ({ hosts }: Value, secrets: ReadonlyArray<string>, url: string): string | undefined => {
  const { hostname, protocol } = canParse(url) ? new URL(url) : { hostname: "", protocol: "" }
  const host = hostname.toLowerCase().replace(/\.$/, "")
  for (const secret of secrets) {
    const bindings = hosts.get(secret)
    if (bindings === undefined) continue
    const binding = bindings.find((each) => !maySend(each.hosts, host))
    if (binding !== undefined) {
      const to = host === "" ? "another host" : host
      return `the secret ${secret} is bound to ${binding.hosts.join(", ")}, and would be sent to ${to}: add it to \`hosts\` of ${secret} in ${binding.file}, or remove the header`
    }
    if (protocol !== "https:" && !loopback.test(host)) {
      return `the secret ${secret} is bound to hosts, and would be sent to ${host} without encryption: use https://`
    }
  }
  return undefined
}
