/** The project: the folder whose definitions are trusted. */
import { existsSync, statSync } from "node:fs"
import { homedir } from "node:os"
import * as NodePath from "node:path"
import { realPath } from "./RealPath.ts"

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

const marksProject = (folder: string): boolean =>
  existsSync(NodePath.join(folder, "package.json")) || isFolder(NodePath.join(folder, "config"))

/** Whether a folder, by its real path, holds the files of more than one purpose: the root of the disk and the home folder. */
export const isShared = (folder: string): boolean =>
  folder === NodePath.dirname(folder) || folder === realPath(homedir())

/** From a folder upwards, by real path, as far as projects are: the root and the home folder only where it starts there. */
const upwards = (start: string): ReadonlyArray<string> => {
  const above = NodePath.dirname(start)
  return above === start || isShared(above) ? [start] : [start, ...upwards(above)]
}

/** The project of a working folder. */
interface Project {
  /** Real path of the nearest folder upwards with a `package.json` or a folder `config`; else the working folder. */
  readonly folder: string
  /** True in the root of the disk or the home folder without either: what lies there is not one project. */
  readonly isNone: boolean
  /** The project, and the projects that it lies in, the nearest first. */
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
