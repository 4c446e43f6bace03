/**
 * Keeps compiled code between processes, where Node can (from 22.1 on), so that a start compiles nothing again. A module of its own: the
 * executable loads it first, and the code of what is loaded after it is kept.
 */
import nodeModule from "node:module"
import { isAbsolute, join } from "node:path"

/** The parts of `process` and `node:module` that decide. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv
  readonly platform: NodeJS.Platform
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

/** Node's own `NODE_COMPILE_CACHE` and `NODE_DISABLE_COMPILE_CACHE` come first. Keeps nothing where it cannot write. */
export const keepCompiledCode = (surroundings: Surroundings): void => {
  const folder = cacheFolder(surroundings)
  if (folder !== undefined) surroundings.enableCompileCache?.(join(folder, "sluice", "compiled"))
}

export const ofProcess = (): Surroundings => {
  const enable: unknown = Reflect.get(nodeModule, "enableCompileCache")
  return {
    env: process.env,
    platform: process.platform,
    enableCompileCache: typeof enable === "function" ? (folder) => enable(folder) : undefined
  }
}
