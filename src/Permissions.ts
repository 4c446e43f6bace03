/**
 * Permissions of a definition on this machine: variables, secrets and files.
 *
 * - One value per command, made once from its flags and the project (`Permissions/Paths.ts`), and read as a service.
 * - The default is for a program that embeds Sluice and trusts its own definitions: it may read every file that is not protected.
 * - System folders (except the memory disk `/dev/shm`) and the data folder are protected: a definition never reads or writes them, whatever
 *   is allowed.
 * - Symbolic links are resolved before a path is checked. Hard links cannot be told from other files.
 */
import { closeSync, constants, openSync, readSync, statSync } from "node:fs"
import * as NodePath from "node:path"
import { fileURLToPath } from "node:url"
import * as Context from "effect/Context"
import { canParse } from "./Api/Url.ts"
import { homeFolder, isBelow, isShared, realPath } from "./Permissions/Paths.ts"
import { isOwnOutput, ownFolder } from "./Permissions/Untrusted.ts"

interface Value {
  /** Real path of the project; undefined in a program that trusts its own definitions. */
  readonly project: string | undefined
  /** True if the working folder is the home folder or `/` and not a project: then no definition belongs to a project. */
  readonly isNone?: boolean | undefined
  /** True for a definition of the project. */
  readonly isOwn: boolean
  /** `--allow-env`: variables and secrets that definitions from outside the project may use. */
  readonly env: ReadonlySet<string>
  /** `--allow-path`: real paths of folders. */
  readonly folders: ReadonlyArray<string>
  /** `--allow-code`: definitions may import the modules of `extensions`, and definitions in code may come from outside the project. */
  readonly code: boolean
  /** Real paths of data folders, or of the files and folders in them. */
  readonly dataFolders: ReadonlyArray<string>
  /** Folder of relative outputs, if it is known before the run. */
  readonly out: string | undefined
  /** True for an agent's draft, which has fewer permissions than other definitions from outside the project. */
  readonly isDraft?: boolean | undefined
  /** Name of the pipeline. An untrusted pipeline may only write to the output folder of this name. */
  readonly pipeline?: string | undefined
  /** Real path of the folder that a definition may read when there is no project. */
  readonly ownFolder?: string | undefined
  /** True in a worker of a cluster: its messages go to the person who submitted the run, who cannot set the worker's flags. */
  readonly isWorker?: boolean | undefined
  /** Bindings of each secret. A secret is only sent to a host that all its bindings contain. */
  readonly hosts: ReadonlyMap<string, ReadonlyArray<Binding>>
}

/** Hosts that a secret may be sent to. */
export interface Binding {
  /** Host names; `*.example.com` stands for all hosts below `example.com`. */
  readonly hosts: ReadonlyArray<string>
  /** File that contains the binding, for messages. */
  readonly file: string
}

/**
 * Permissions of the running code. The default suits a program that runs its own definitions; code that reads other people's provides less.
 */
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

/** True for files below the pipelines of this package, which are trusted wherever the package is installed. */
const isPackaged = (real: string): boolean => {
  packaged ??= realPath(fileURLToPath(new URL("../pipelines", import.meta.url)))
  return isBelow(real, packaged)
}

/** True for a file of the project. Files of installed packages do not count, except those of this package. */
export const isOfProject = ({ isNone, project }: Value, file: string): boolean => {
  if (project === undefined) return true
  const real = realPath(file)
  if (isPackaged(real)) return true
  if (isNone) return false
  return isBelow(real, project) && !NodePath.relative(project, real).split(NodePath.sep).includes("node_modules")
}

/** Permissions for the definition in a file. A pipeline whose test file is outside the project is treated as outside, too. */
export const forDefinition = (permissions: Value, file: string): Value => {
  const folder = NodePath.dirname(realPath(file))
  // The pipeline of a test may read the folder of the test.
  const ownFolder = permissions.ownFolder ?? (permissions.isNone && !isShared(folder) ? folder : undefined)
  return {
    ...permissions,
    isOwn: permissions.isOwn && isOfProject(permissions, file),
    ownFolder
  }
}

const allowWith = ({ isWorker }: Value, flag: string): string =>
  isWorker === true ? `start the worker with ${flag}, or in the project` : `allow it with ${flag}`

/** Describes where a definition from outside the project comes from, for messages. */
export const originOf = ({ isNone, project }: Value): string =>
  isNone
    ? `the definition does not belong to a project, because ${project} is not one`
    : `the definition is from outside the project ${project}`

/** Folders in which a read has side effects, or exposes data of processes. */
const systemFolders = ["/proc", "/sys", "/dev"]

/** Memory disk, with ordinary files. */
const memoryDisk = "/dev/shm"

/** Default name of a data folder. */
const dataName = ".sluice"

/** Folder in which the shards of a cluster run store rows for the run's final part. */
export const shardRows = ".rows"

/** Files and folders in a data folder. */
const dataFiles =
  "engine.db engine.db-shm engine.db-wal ledger.db ledger.db-shm ledger.db-wal keys.json seal.key runs trial copies browser-profiles".split(
    " "
  )

/** Protected paths of a data folder: the whole folder, or only Sluice's files in it if the definition itself is in the data folder. */
export const protectedIn = (dataDir: string, folder: string): ReadonlyArray<string> => {
  const real = realPath(dataDir)
  return isBelow(realPath(folder), real) ? dataFiles.map((name) => NodePath.join(real, name)) : [real]
}

/** The protected folder that contains one of the paths. */
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

/** Kind of a path that may not exist yet. */
type Kind = "file" | "folder"

const isDirectory = (real: string): boolean => {
  try {
    return statSync(real).isDirectory()
  } catch {
    return false
  }
}

/** Suggests the narrowest flag that allows a path, but never a folder that contains the home folder. */
const howAllowed = (permissions: Value, real: string, kind: Kind): string => {
  const isFolder = kind === "folder" || isDirectory(real)
  const folder = isFolder ? real : NodePath.dirname(real)
  const home = homeFolder()
  if (home === undefined || !isBelow(home, folder)) return allowWith(permissions, `--allow-path ${folder}`)
  return isFolder
    ? `put it into a separate folder, and ${allowWith(permissions, "--allow-path DIR")}`
    : allowWith(permissions, `--allow-path ${real}`)
}

/** The reason why a file or folder may not be read, and how to allow it; undefined when it may. */
export const whyNotRead = (permissions: Value, path: string, kind: Kind = "file"): string | undefined => {
  const asked = NodePath.resolve(path)
  const real = realPath(asked)
  const leads = real === asked ? asked : `${asked} (which is ${real})`
  const never = protectedBy([asked, real], permissions)
  if (never !== undefined) {
    const hint = /^\/dev\/(stdin|fd)\b/.test(asked) ? ': to read standard input, write read: "-"' : ""
    return `${leads} cannot be read by any definition, because it is in ${never}${hint}`
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

/**
 * Reason why an untrusted definition may not write to a path below the output folder. Inside a project, the output folder also holds files
 * of people and of other pipelines, so the definition is limited to its own subfolder.
 */
const whyNotOwn = (
  permissions: Value,
  to: {
    readonly asked: string
    readonly real: string
    readonly names: ReadonlyArray<string>
    readonly out: string
    readonly kind: Kind
  }
): string | undefined => {
  // A pipeline without a name has no path of its own.
  const { pipeline = "\0", project = "" } = permissions
  const out = realPath(to.out)
  const isOfTrial = protectedBy([out], permissions) !== undefined
  if (isOfTrial || !(isBelow(out, project) || isBelow(project, out)) || to.names[0] === shardRows) return undefined
  const path = to.names.join("/")
  // The name of a file in a folder is not known yet: the name is checked when the file is opened.
  const isOwn =
    to.kind === "folder"
      ? path === "out" || isBelow(to.real, NodePath.join(out, ownFolder(pipeline)))
      : isOwnOutput(path, pipeline)
  if (isOwn) return undefined
  const place = NodePath.join(to.out, ownFolder(pipeline))
  return `${to.asked} is not in ${place}, and ${originOf(permissions)}: write there, choose a folder outside the project with --out, or ${howAllowed(permissions, to.real, to.kind)}`
}

const sourceEnding = /\.([cm]?[jt]sx?|ya?ml|toml|sh|py)$/i

/** Files by which tools recognize a project, and files that accompany a definition. */
const projectFile =
  /^(package(-lock)?|npm-shrinkwrap|[jt]sconfig([.-][\w-]+)?|deno|biome|turbo|vercel)\.jsonc?$|\.lock\.json$|^(dockerfile|makefile|license|readme(\.\w+)?)$/i

/** Folders and files of tools that execute their contents. */
const toolFile =
  /^(\.(git|github|gitlab|husky|vscode|idea|env.*|npmrc|gitignore|gitattributes|yarnrc.*)|node_modules)$/i

const dataEnding = /\.(jsonl|ndjson|json|csv|tsv)(\.gz)?$/i

/** Bytes at the start of a JSON file that are searched for `steps`. */
const headBytes = 64 * 1024

/** The first bytes of a file as text; empty if the file cannot be read. */
const headOf = (path: string): string => {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const buffer = Buffer.alloc(headBytes)
      return buffer.toString("utf8", 0, readSync(file, buffer))
    } finally {
      closeSync(file)
    }
  } catch {
    return ""
  }
}

const isJsonDefinition = (path: string): boolean => /\.json$/i.test(path) && /"steps"\s*:\s*\[/.test(headOf(path))

/**
 * The reason why rows must not overwrite a file that belongs to the project: code, definitions and files beside them, settings, files of
 * tools. `isData`: rows are written as JSON lines or CSV, which no source file contains; other formats are made by code.
 */
export const whySource = (
  { isOwn, project }: Value,
  path: string,
  { isData }: { readonly isData: boolean }
): string | undefined => {
  if (project === undefined) return undefined
  const real = realPath(path)
  if (!isBelow(real, project)) return undefined
  const names = NodePath.relative(project, real).split(NodePath.sep)
  const name = names.at(-1) ?? ""
  const refused = (what: string) =>
    `${NodePath.resolve(path)} is ${what}: outputs never replace such files, so choose another path`
  if (names.some((each) => toolFile.test(each))) return refused("a file that development tools use")
  if (projectFile.test(name)) return refused("a file of the project")
  if (isData && sourceEnding.test(name)) return refused("a source file, by its ending")
  if (isData && !isOwn && /\.json$/i.test(name)) return refused("a definition, by its ending")
  if (isJsonDefinition(real)) return refused("a definition")
  const isSource = names.length > 1 && ["config", "pipelines"].includes(names[0] ?? "") && !dataEnding.test(name)
  return isSource && statSync(real, { throwIfNoEntry: false }) !== undefined
    ? refused("a file of the project")
    : undefined
}

/** The reason why an output may not be written; undefined when it may. `out` is the folder of relative outputs. */
export const whyNotWritten = (
  permissions: Value,
  path: string,
  out: string,
  kind: Kind = "file"
): string | undefined => {
  const asked = NodePath.resolve(path)
  const real = realPath(asked)
  const never = protectedBy([asked, real], permissions)
  // The output folder of a trial is below the data folder, and --out may be a folder on any device.
  if (never !== undefined && !isBelow(realPath(out), never)) {
    return `${asked} cannot be written by any definition, because it is in ${never}`
  }
  const { folders, isOwn, project } = permissions
  if (isOwn || project === undefined || folders.some((folder) => isBelow(real, folder))) return undefined
  if (isBelow(real, realPath(out))) {
    const names = NodePath.relative(realPath(out), real).split(NodePath.sep)
    const hidden = names.find((name) => name.startsWith(".") && name !== shardRows)
    if (hidden !== undefined) {
      return `${asked} is hidden (${hidden}), and ${originOf(permissions)}: ${howAllowed(permissions, real, kind)}`
    }
    return whyNotOwn(permissions, { asked, real, names, out, kind })
  }
  return `${asked} is not below the output folder ${out}, and ${originOf(permissions)}: ${howAllowed(permissions, real, kind)}`
}

/** The reason why a variable or secret may not be used; undefined when it may. */
export const whyNotNamed = (permissions: Value, name: string): string | undefined =>
  permissions.isOwn || permissions.env.has(name)
    ? undefined
    : `${originOf(permissions)}: ${allowWith(permissions, `--allow-env ${name}`)}`

const maySend = (bound: ReadonlyArray<string>, host: string): boolean =>
  bound.some((each) => (each.startsWith("*.") ? host.endsWith(each.slice(1)) : host === each))

const loopback = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/

/** The reason why secrets may not be sent to an address; undefined when they may. A secret without hosts may be sent anywhere. */
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
