/** Uploads to an engine that is a process: how long an answer takes, the first one too, and what memory the processes need. */
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

/** Another build than the one in `dist` may be measured. */
const bin = resolve(process.env.BENCH_DIST ?? fileURLToPath(new URL("../../dist", import.meta.url)), "bin.js")
const key = "fc-0123456789abcdef0123456789abcdef"
const rounds = 30
const pageBytes = 4096

const read = (path: string): string => {
  try {
    return readFileSync(path, "latin1")
  } catch {
    return ""
  }
}

/** A process and what it has started. */
const family = (pid: number): ReadonlyArray<number> => [
  pid,
  ...read(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number).flatMap(family)
]

/** MB that all of them have in memory. */
const resident = (pid: number): number =>
  family(pid).reduce((sum, each) => sum + Number(read(`/proc/${each}/statm`).split(" ")[1] ?? 0) * pageBytes, 0) /
  1_000_000

const share = (values: ReadonlyArray<number>, part: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * part)] ?? 0

interface Figures {
  /** Milliseconds of the first answer, for which a child has to be started. */
  readonly first: number
  readonly p50: number
  readonly p95: number
  /** MB at rest without a child and with one. */
  readonly alone: number
  readonly idle: number
  /** MB at most, while two children read large files at the same time. */
  readonly peak: number
}

/** Small files are sent one after the other, large ones two at a time. */
export const endToEnd = async (small: ReadonlyArray<string>, large: ReadonlyArray<string>): Promise<Figures> => {
  const data = mkdtempSync(join(tmpdir(), "sluice-bench-"))
  const engine = spawn(process.execPath, [bin, "serve", "--port", "0", "--data", data, "--json"], {
    env: { ...process.env, SLUICE_ENGINE_KEYS: `bench:${key}` },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const pid = engine.pid ?? 0
  let baseUrl = ""
  for await (const line of createInterface({ input: engine.stdout })) {
    baseUrl = (JSON.parse(line) as { readonly baseUrl: string }).baseUrl
    break
  }
  const send = async (path: string): Promise<number> => {
    const form = new FormData()
    form.append("file", new Blob([readFileSync(path)]), basename(path))
    const begin = performance.now()
    const answer = await fetch(`${baseUrl}/v2/parse`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: form
    })
    await answer.text()
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`)
    return performance.now() - begin
  }
  const alone = resident(pid)
  const first = await send(small[0] ?? "")
  const idle = resident(pid)
  for (const path of small) await send(path)
  const spent: Array<number> = []
  for (let round = 0; round < rounds; round += 1) for (const path of small) spent.push(await send(path))
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, resident(pid))
  }, 50)
  for (let round = 0; round < 2; round += 1) await Promise.all([...large, ...large].map(send))
  clearInterval(watch)
  const ended = new Promise((done) => engine.once("exit", done))
  engine.kill("SIGTERM")
  await ended
  rmSync(data, { recursive: true })
  return { first, p50: share(spent, 0.5), p95: share(spent, 0.95), alone, idle, peak }
}
