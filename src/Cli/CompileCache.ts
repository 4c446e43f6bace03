/**
 * Keeps compiled code between processes, where Node can (from 22.1 on), so that a start compiles nothing again. A module of its own: the
 * executable loads it first, and the code of what is loaded after it is kept.
 */
import { statSync } from "node:fs"
import nodeModule from "node:module"
import { dirname, isAbsolute, join } from "node:path"

/** The parts of `process` and `node:module` that decide. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv
  readonly platform: NodeJS.Platform
  /** True if only the user of the process can write to the folder; false for one that does not exist. */
  readonly isOwn: (folder: string) => boolean
  readonly exists: (folder: string) => boolean
  /** There from Node 22.1 on. */
  readonly enableCompileCache?: ((folder: string) => unknown) | undefined
}

/** Folder for caches of the user: in one that users share, others could put code. Undefined for a user without a home. */
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

/** True if only this user can write to the folder and its parents: `sudo` may keep the home of another user. */
const isSafe = (folder: string, { exists, isOwn }: Surroundings): boolean => {
  let nearest = folder
  while (!exists(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest)
  return isOwn(nearest)
}

/** Node's own `NODE_COMPILE_CACHE` and `NODE_DISABLE_COMPILE_CACHE` come first. Keeps nothing where it cannot write. */
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
  // Windows has no such numbers, and a folder of the user's own for local data.
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
