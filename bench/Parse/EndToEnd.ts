/** Uploads to an engine that is a process: how long an answer takes, the first one too, and what memory the processes need. */
import { readFileSync } from "node:fs"
import { basename } from "node:path"
import { quantile } from "../Measure/Figures.ts"
import { engine, folderFor, key, remove, stop } from "../Measure/Programs.ts"

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
  const data = folderFor()
  const { baseUrl, child } = await engine(data)
  const pid = child.pid ?? 0
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
  await stop(child)
  remove(data)
  return { first, p50: quantile(spent, 0.5), p95: quantile(spent, 0.95), alone, idle, peak }
}
