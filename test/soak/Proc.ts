/** Processes as the system sees them: memory, handles, children, and whose they are. */
import { readdirSync, readFileSync } from "node:fs"

const read = (path: string): string => {
  try {
    return readFileSync(path, "latin1")
  } catch {
    // It ended meanwhile.
    return ""
  }
}

const pids = (): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

/** MB. */
export const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024

export const handlesOf = (pid: number): number => {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return 0
  }
}

/** Everything below a process, however deep. */
export const childrenOf = (pid: number): number => {
  const parents = new Map(
    pids().map((one) => [one, Number(/^\d+ \(.*\) \S (\d+) /s.exec(read(`/proc/${one}/stat`))?.[1])] as const)
  )
  const isBelow = (one: number): boolean => {
    const parent = parents.get(one)
    return parent !== undefined && (parent === pid || (parent > 1 && isBelow(parent)))
  }
  return [...parents.keys()].filter(isBelow).length
}

/** Processes in whose command line a folder is named, and that have not ended. */
export const naming = (folder: string): ReadonlyArray<string> =>
  pids()
    .filter((pid) => pid !== process.pid && !/^State:\s+Z/m.test(read(`/proc/${pid}/status`)))
    .flatMap((pid) => {
      const command = read(`/proc/${pid}/cmdline`).replaceAll("\0", " ")
      return command.includes(folder) ? [`${pid}: ${command.slice(0, 160)}`] : []
    })
