/**
 * Replaces a long-running process by itself, with a C library setting that must be made before a process starts.
 *
 * glibc keeps freed memory: after large pages `sluice serve` would hold hundreds of megabytes. With the trim threshold set, large blocks
 * are mapped individually and return to the system when freed. `process.execve` keeps the process id, the standard streams and the
 * arguments. The variable marks a replaced process, so that none is replaced twice; a value that you set yourself is left as it is.
 */
import { existsSync, readFileSync } from "node:fs"

const trimThreshold = "MALLOC_TRIM_THRESHOLD_"

/** Verbs that run until they are stopped. */
const longVerbs = new Set(["serve", "worker", "schedule", "ui"])

type Execve = (file: string, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv) => never

/** The parts of `process` that this module uses. */
export interface Running {
  readonly platform: NodeJS.Platform
  readonly argv: ReadonlyArray<string>
  readonly argv0: string
  readonly execArgv: ReadonlyArray<string>
  readonly execPath: string
  readonly env: NodeJS.ProcessEnv
  /** Exists in Node 22.15 or later. */
  readonly execve?: Execve | undefined
  /** IPC channel to the parent process, which a replaced process could not open again. */
  readonly channel?: unknown
  /** Set if Node's permission model restricts the process. */
  readonly permission?: unknown
}

/** True if the process maps glibc. Node's report would show it too, but takes a hundred times as long. */
const usesGlibc = (): boolean => {
  try {
    return /\/libc(?:\.so\.6|-2\.\d+\.so)$/m.test(readFileSync("/proc/self/maps", "utf8"))
  } catch {
    return false
  }
}

/**
 * Restarts the process with the trim threshold. Returns without effect if that would not help, or if a debugger or the channel to the
 * parent would be lost.
 */
export const withTrimThreshold = (running: Running): void => {
  const { argv, argv0, channel, env, execArgv, execPath, execve, permission, platform } = running
  if (execve === undefined || platform !== "linux" || !longVerbs.has(argv[2] ?? "")) return
  if (env[trimThreshold] !== undefined || channel !== undefined || permission !== undefined) return
  if (execArgv.some((word) => word.startsWith("--inspect")) || env.NODE_OPTIONS?.includes("--inspect")) return
  // `execve` aborts this process when the program cannot be started.
  if (!existsSync(execPath) || !usesGlibc()) return
  execve(execPath, [argv0, ...execArgv, ...argv.slice(1)], { ...env, [trimThreshold]: "131072" })
}
