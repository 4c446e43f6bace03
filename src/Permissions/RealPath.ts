/** Where a path leads when every link in it is followed. */
import { readlinkSync, realpathSync } from "node:fs"
import * as NodePath from "node:path"

/** As many as Linux follows. */
const maxLinks = 40

const attempt = (call: (path: string) => string, path: string): string | undefined => {
  try {
    return call(path)
  } catch {
    return undefined
  }
}

/**
 * The real path; of what is not there yet, below the real path of the nearest folder that is. A link that leads nowhere
 * counts as the place that it names.
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

/** Whether a path is a folder or lies in it; both are absolute. */
export const isBelow = (path: string, folder: string): boolean => {
  const way = NodePath.relative(folder, path)
  return way !== ".." && !way.startsWith(`..${NodePath.sep}`) && !NodePath.isAbsolute(way)
}
