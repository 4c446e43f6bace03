/** What a process and its descendants use, by samples of Linux's `/proc`. */
import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { cpuOf, type Usage } from "./Programs.ts"

const interval = 50
const pageBytes = 4096

/** Ids of a process and its descendants that exist now. */
const tree = (pid: number): ReadonlyArray<number> => {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").split(" ").filter(Boolean)
    return [pid, ...children.flatMap((child) => tree(Number(child)))]
  } catch {
    return []
  }
}

const rssOf = (pid: number): number =>
  (Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]) * pageBytes) / 1024 / 1024

export interface TreeUsage extends Usage {
  /** MB of all processes together, in the order of time, at equal intervals. */
  readonly memory: ReadonlyArray<number>
}

/** Samples until it is called: then it returns the CPU of all processes together, and the highest sum of their memory. */
export const sample = (pid: number): (() => TreeUsage) => {
  const cpu = new Map<number, number>()
  const memory: Array<number> = []
  const look = () => {
    let rss = 0
    for (const each of tree(pid)) {
      try {
        cpu.set(each, cpuOf(each))
        rss += rssOf(each)
      } catch {
        // It ended between two reads.
      }
    }
    memory.push(rss)
  }
  const timer = setInterval(look, interval)
  return () => {
    look()
    clearInterval(timer)
    const sum = [...cpu.values()].reduce((total, millis) => total + millis, 0)
    return { cpu: sum, memory, rss: memory.reduce((peak, rss) => Math.max(peak, rss), 0) }
  }
}

export interface Measured extends TreeUsage {
  /** Seconds. */
  readonly wall: number
  readonly status: number | null
  readonly output: string
}

const outputOf = async ({ stdout }: ChildProcess): Promise<string> => {
  let text = ""
  for await (const chunk of stdout ?? []) text += chunk
  return text
}

/** Runs a program to its end. */
export const measure = async (
  program: string,
  words: ReadonlyArray<string>,
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> }
): Promise<Measured> => {
  const begin = performance.now()
  const child = spawn(program, words, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", 2] })
  const failed = new Promise<never>((_, reject) => child.once("error", reject))
  const usage = sample(child.pid ?? 0)
  const [output, status] = await Promise.race([
    Promise.all([outputOf(child), new Promise<number | null>((done) => child.once("close", done))]),
    failed
  ])
  return { ...usage(), wall: (performance.now() - begin) / 1000, status, output }
}
