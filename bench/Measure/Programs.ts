/** Programs that benchmarks start, and what they use: the built `sluice`, services beside it, peers. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

/** `npm run bench` builds it; `BENCH_DIST` names the folder of another build. */
export const bin = resolve(process.env.BENCH_DIST ?? fileURLToPath(new URL("../../dist", import.meta.url)), "bin.js")

/** Of an engine that a benchmark asks by HTTP. */
export const key = "fc-0123456789abcdef0123456789abcdef"

/** Resource usage of a whole process. */
export interface Usage {
  /** Milliseconds, user and system. */
  readonly cpu: number
  /** MB, the highest. */
  readonly rss: number
}

/** A folder for the files of a benchmark: in memory where the system offers that, if disks are not what is measured. */
export const folderFor = (where: "disk" | "memory" = "disk"): string =>
  mkdtempSync(join(where === "memory" && existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "sluice-bench-"))

const usageOf = (folder: string) => join(folder, "usage.json")
const measuring = ["--import", fileURLToPath(new URL("usage.mjs", import.meta.url))]

/** Usage of a process of {@link run} or {@link ready} that was given the same `folder` and has ended. */
export const used = (folder: string) => JSON.parse(readFileSync(usageOf(folder), "utf8")) as Usage

interface Surroundings {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly folder?: string
}

/** Runs a script of Node to a good end, within five minutes. Its notes are in `folder`, its modules are those of `cwd`. */
export const run = (
  folder: string,
  words: ReadonlyArray<string>,
  { cwd = folder, env = {} }: Omit<Surroundings, "folder"> = {}
): Usage => {
  const { status, stderr } = spawnSync(process.execPath, [...measuring, ...words], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, BENCH_USAGE: usageOf(folder), ...env },
    timeout: 300_000
  })
  if (status !== 0) throw new Error(`${words.join(" ")} ended with ${status}: ${stderr}`)
  return used(folder)
}

/** Wall milliseconds of a script of Node that must end well. */
export const wall = (...words: ReadonlyArray<string>): number => {
  const begin = performance.now()
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" })
  if (status !== 0) throw new Error(`node ${words.join(" ")} ended with ${status}: ${stderr}`)
  return performance.now() - begin
}

const children = new Set<ChildProcess>()
/** Also where a benchmark has failed: what it left would be measured with the next one. */
process.once("exit", () => {
  for (const child of children) child.kill("SIGKILL")
})

interface Ready {
  readonly child: ChildProcess
  readonly line: string
}

/** A script of Node that goes on, once it has said its first line. With a `folder` it is known what it has {@link used}. */
export const ready = async (
  words: ReadonlyArray<string>,
  { cwd, env = {}, folder }: Surroundings = {}
): Promise<Ready> => {
  const child = spawn(process.execPath, [...(folder === undefined ? [] : measuring), ...words], {
    cwd,
    env: { ...process.env, ...(folder !== undefined && { BENCH_USAGE: usageOf(folder) }), ...env },
    stdio: ["ignore", "pipe", "inherit"]
  })
  children.add(child)
  for await (const line of createInterface({ input: child.stdout })) return { child, line }
  throw new Error(`${words.join(" ")} said nothing`)
}

/** `sluice serve` over a data folder, with a key of its own, for pages on loopback. */
export const engine = async (data: string, folder?: string) => {
  const { child, line } = await ready([bin, "serve", "--port", "0", "--data", data, "--json"], {
    env: { SLUICE_ENGINE_KEYS: `bench:${key}`, SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" },
    ...(folder !== undefined && { folder })
  })
  return { child, baseUrl: (JSON.parse(line) as { readonly baseUrl: string }).baseUrl }
}

/** Milliseconds of processor time that a process has used so far, user and system. */
export const cpuOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1")
    .replace(/^.*\) /, "")
    .split(" ")
  // Counted in hundredths of a second wherever Linux runs.
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** When it has ended. */
export const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((done) => child.once("exit", () => done()))

/** Stops it in order. */
export const stop = (child: ChildProcess): Promise<void> => {
  child.kill("SIGTERM")
  return ended(child)
}

/** A program of sources in one file, as ours ship: loading it weighs what it weighs for users. */
export const bundle = (entry: string, outfile: string) =>
  build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    logLevel: "error",
    define: { "process.env.SLUICE_VERSION": JSON.stringify("bench") },
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' }
  })

/** Installs packages into a folder of their own: they are no dependencies of ours. */
export const install = (folder: string, packages: ReadonlyArray<string>): void => {
  const flags = ["--prefix", folder, "--no-audit", "--no-fund", "--silent", "--ignore-scripts", "--legacy-peer-deps"]
  const { status } = spawnSync("npm", ["install", ...flags, ...packages], { cwd: folder, stdio: "inherit" })
  if (status !== 0) throw new Error(`${packages.join(", ")} could not be installed`)
}

export const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
