/**
 * Caches compiled code between processes, if Node can (22.1 or later), so that a later start compiles nothing again. A separate module: the
 * executable loads it first, so that the code of all later modules is cached.
 */
import { statSync } from "node:fs"
import nodeModule from "node:module"
import { dirname, isAbsolute, join } from "node:path"

/** The parts of `process` and `node:module` that this module uses. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv
  readonly platform: NodeJS.Platform
  /** True if only the user of the process can write to the folder; false if the folder does not exist. */
  readonly isOwn: (folder: string) => boolean
  readonly exists: (folder: string) => boolean
  /** Exists in Node 22.1 or later. */
  readonly enableCompileCache?: ((folder: string) => unknown) | undefined
}

/** The user's cache folder: in a shared folder, other users could plant code. Undefined if the user has no home folder. */
const cacheFolder = ({ env, platform }: Surroundings): string | undefined => {
  const [given, folders] =
    platform === "win32"
      ? [env.LOCALAPPDATA, ["AppData", "Local"]]
      : platform === "darwin"
        ? [undefined, ["Library", "Caches"]]
        : [env.XDG_CACHE_HOME, [".cache"]]
  const home = platform === "win32" ? env.USERPROFILE : env.HOME
  const folder = given !== undefined && isAbsolute(given) ? given : home && join(home, ...folders)
  return folder !== undefined && isAbsolute(folder) ? folder : undefined
}

/** True if only this user can write to the folder, or to its nearest existing parent. Under `sudo`, HOME may be that of another user. */
const isSafe = (folder: string, { exists, isOwn }: Surroundings): boolean => {
  let nearest = folder
  while (!exists(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest)
  return isOwn(nearest)
}

/**
 * Turns on Node's compile cache. `NODE_COMPILE_CACHE` and `NODE_DISABLE_COMPILE_CACHE` take precedence. Does nothing if the folder is not
 * safe.
 */
export const keepCompiledCode = (surroundings: Surroundings): void => {
  const caches = cacheFolder(surroundings)
  if (caches === undefined) return
  const folder = join(caches, "sluice", "compiled")
  if (isSafe(folder, surroundings)) surroundings.enableCompileCache?.(folder)
}

const stat = (folder: string) => statSync(folder, { throwIfNoEntry: false })

const groupOrOthersWrite = 0o022

const isOwn = (folder: string): boolean => {
  const found = stat(folder)
  const user = process.getuid?.()
  // On Windows there are no user ids, and folders for local data belong to one user.
  return user === undefined || (found !== undefined && found.uid === user && (found.mode & groupOrOthersWrite) === 0)
}

export const ofProcess = (): Surroundings => {
  const enable: unknown = Reflect.get(nodeModule, "enableCompileCache")
  return {
    env: process.env,
    platform: process.platform,
    isOwn,
    exists: (folder) => stat(folder) !== undefined,
    enableCompileCache: typeof enable === "function" ? (folder) => enable(folder) : undefined
  }
}
