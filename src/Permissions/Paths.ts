/** Real paths, and the project: the folder with trusted definitions. */
import { existsSync, readlinkSync, realpathSync, statSync } from "node:fs"
import { homedir } from "node:os"
import * as NodePath from "node:path"

/** Maximum links followed, as in Linux. */
const maxLinks = 40

const attempt = (call: (path: string) => string, path: string): string | undefined => {
  try {
    return call(path)
  } catch {
    return undefined
  }
}

/**
 * The real path. If the path does not exist yet: its position below the real path of its nearest existing folder. A dangling link is
 * replaced by its target.
 */
export const realPath = (path: string, links = 0): string => {
  const absolute = NodePath.resolve(path)
  const real = attempt(realpathSync.native, absolute)
  if (real !== undefined) return real
  const above = NodePath.dirname(absolute)
  if (above === absolute) return absolute
  const folder = realPath(above, links)
  const to = links < maxLinks ? attempt(readlinkSync, absolute) : undefined
  return to === undefined
    ? NodePath.join(folder, NodePath.basename(absolute))
    : realPath(NodePath.resolve(folder, to), links + 1)
}

/** True if a path is the folder or inside of it. Both must be absolute. */
export const isBelow = (path: string, folder: string): boolean => {
  const way = NodePath.relative(folder, path)
  return way !== ".." && !way.startsWith(`..${NodePath.sep}`) && !NodePath.isAbsolute(way)
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

const marksProject = (folder: string): boolean =>
  existsSync(NodePath.join(folder, "package.json")) || isFolder(NodePath.join(folder, "config"))

/** Real path of the home folder. Undefined if it is not known: neither `HOME` nor an entry of the user names one. */
export const homeFolder = (): string | undefined => {
  const home = attempt(() => homedir(), "")
  return home === undefined || home === "" ? undefined : realPath(home)
}

/** True for folders with unrelated files: the root of the disk and the home folder. Takes a real path. */
export const isShared = (folder: string): boolean => folder === NodePath.dirname(folder) || folder === homeFolder()

/** A folder and its ancestors, excluding the root and the home folder. */
const upwards = (start: string): ReadonlyArray<string> => {
  const above = NodePath.dirname(start)
  return above === start || isShared(above) ? [start] : [start, ...upwards(above)]
}

/** The project to which a working folder belongs. */
interface Project {
  /** Real path of the nearest ancestor with a `package.json` or a `config` folder; otherwise the working folder. */
  readonly folder: string
  /** True in the root of the disk or the home folder, if nothing marks it as a project. */
  readonly isNone: boolean
  /** The project and the projects around it, nearest first. */
  readonly all: ReadonlyArray<string>
}

export const projectOf = (workingFolder: string): Project => {
  const start = realPath(workingFolder)
  const marked = upwards(start).filter(marksProject)
  const [folder] = marked
  return folder === undefined
    ? { folder: start, isNone: isShared(start), all: [start] }
    : { folder, isNone: false, all: marked }
}
