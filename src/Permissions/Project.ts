/** The project: the folder whose definitions are trusted. */
import { existsSync, statSync } from "node:fs"
import { homedir } from "node:os"
import * as NodePath from "node:path"
import { realPath } from "./RealPath.ts"

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

const marksProject = (folder: string): boolean =>
  existsSync(NodePath.join(folder, "package.json")) || isFolder(NodePath.join(folder, "config"))

/**
 * The real path of the nearest folder with a `package.json` or a folder `config`, from the working folder up; the working
 * folder where there is none. The home folder and the root of the disk are nobody's project unless they are worked in.
 */
export const projectOf = (workingFolder: string): string => {
  const start = realPath(workingFolder)
  const home = realPath(homedir())
  for (let folder = start; ; folder = NodePath.dirname(folder)) {
    const isNone = folder === NodePath.dirname(folder) || (folder === home && folder !== start)
    if (isNone) return start
    if (marksProject(folder)) return folder
  }
}
