/**
 * Replaces a process that will run for long by itself with a setting of the C library that can only be made before a process starts.
 *
 * glibc keeps freed memory for its process: after large pages `sluice serve` would hold hundreds of megabytes. With the trim threshold set,
 * large blocks are mapped one by one and go back to the system when they are freed. `process.execve` keeps the process id, the standard streams
 * and the arguments. The variable marks a process that was replaced, so none is replaced twice; a value of your own is left as it is.
 */
import { existsSync, readFileSync } from "node:fs"

const trimThreshold = "MALLOC_TRIM_THRESHOLD_"

/** Verbs that run until they are stopped. */
const longVerbs = new Set(["serve", "worker", "schedule", "ui"])

type Execve = (file: string, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv) => never

/** The parts of `process` that decide. */
export interface Running {
  readonly platform: NodeJS.Platform
  readonly argv: ReadonlyArray<string>
  readonly argv0: string
  readonly execArgv: ReadonlyArray<string>
  readonly execPath: string
  readonly env: NodeJS.ProcessEnv
  /** There from Node 22.15 on. */
  readonly execve?: Execve | undefined
  /** A channel to the parent process, which a replaced process could not open again. */
  readonly channel?: unknown
  /** Set where Node restricts what a process may do. */
  readonly permission?: unknown
}

/** Reads the mapped files: a report of Node says it too, and takes a hundred times as long. */
const usesGlibc = (): boolean => {
  try {
    return /\/libc(?:\.so\.6|-2\.\d+\.so)$/m.test(readFileSync("/proc/self/maps", "utf8"))
  } catch {
    return false
  }
}

/** Returns if there is nothing to gain, or if it would lose a debugger or a channel to the parent. */
export const withTrimThreshold = (running: Running): void => {
  const { argv, argv0, channel, env, execArgv, execPath, execve, permission, platform } = running
  if (execve === undefined || platform !== "linux" || !longVerbs.has(argv[2] ?? "")) return
  if (env[trimThreshold] !== undefined || channel !== undefined || permission !== undefined) return
  if (execArgv.some((word) => word.startsWith("--inspect")) || env.NODE_OPTIONS?.includes("--inspect")) return
  // `execve` aborts this process when the program cannot be started.
  if (!existsSync(execPath) || !usesGlibc()) return
  execve(execPath, [argv0, ...execArgv, ...argv.slice(1)], { ...env, [trimThreshold]: "131072" })
}
