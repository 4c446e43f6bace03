/** Checks at the end of a soak: nothing lost, nothing doubled, nothing left over. */
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { ask, type Place } from "./Load.ts"

interface ScheduledTime {
  readonly scheduledTime: string
  readonly status: string
  readonly run?: string
}

export interface Scheduled {
  readonly bin: string
  readonly root: string
  readonly env: Readonly<Record<string, string>>
  readonly pipeline: string
  /** Seconds between two scheduled times. */
  readonly every: number
  /** Rows that each run has. */
  readonly rows: ReadonlyArray<string>
}

interface RunLine {
  readonly runId: string
  readonly rows: number
  readonly rejects: number
  readonly credits: number
}

const told = ({ bin, env, root }: Scheduled, words: ReadonlyArray<string>) =>
  JSON.parse(
    execFileSync(process.execPath, [bin, ...words, "--json", "--limit", "10000", "--data", `${root}/data`], {
      cwd: root,
      env,
      encoding: "utf8",
      maxBuffer: 2 ** 28
    })
  )

const linesOf = (file: string): ReadonlyArray<string> =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== "")
    : []

/** Every row of a run is written once, or is a reject with a reason: a service that was away too long is one. */
const faultsOf = ({ root, rows }: Scheduled, { rejects, rows: written, runId }: RunLine): ReadonlyArray<string> => {
  const lines = linesOf(`${root}/out/${runId}.csv`).slice(1)
  const rejected = linesOf(`${root}/data/runs/${runId}/rejects.jsonl`).map((line) => String(JSON.parse(line).key))
  const settled = [...lines, ...rejected.map((key) => key.replace(/^.*\/(\w+)\/(\d+)$/, "$1 $2"))].toSorted()
  return [
    ...(JSON.stringify(settled) === JSON.stringify(rows.toSorted())
      ? []
      : [`${runId} has settled ${settled.join(", ")}`]),
    ...(lines.length === written && rejected.length === rejects
      ? []
      : [`${runId} has ${lines.length} rows of ${written}, and ${rejected.length} rejects of ${rejects}`])
  ]
}

/** Faults in the scheduled times of a pipeline and in the outputs of their runs; the number of those without a fault. */
export const scheduled = (task: Scheduled) => {
  const faults: Array<string> = []
  const scheduledTimes = (told(task, ["schedule", "history", task.pipeline]) as ReadonlyArray<ScheduledTime>).toSorted(
    (a, b) => a.scheduledTime.localeCompare(b.scheduledTime)
  )
  const runs = told(task, ["runs"]) as ReadonlyArray<RunLine>
  const times = scheduledTimes.map(({ scheduledTime }) => Date.parse(scheduledTime))
  for (const [index, time] of times.slice(1).entries()) {
    const seconds = (time - (times[index] ?? 0)) / 1000
    if (seconds !== task.every) {
      faults.push(`${seconds} s between the scheduled times at ${scheduledTimes[index]?.scheduledTime} and the next`)
    }
  }
  const completed = scheduledTimes.filter(({ status }) => status === "completed")
  // Those that the end came before may wait: they are not lost, the next start begins them.
  const waiting = scheduledTimes.slice(scheduledTimes.findLastIndex(({ status }) => status === "completed") + 1)
  for (const one of scheduledTimes) {
    const found = runs.find(({ runId }) => runId === one.run)
    if (one.status === "completed")
      faults.push(...(found === undefined ? [`no run of ${one.scheduledTime}`] : faultsOf(task, found)))
    else if (!waiting.includes(one)) faults.push(`${one.scheduledTime} is ${one.status}`)
  }
  const files = readdirSync(`${task.root}/out`).filter((name) => name.endsWith(".csv"))
  if (files.length !== completed.length) faults.push(`${files.length} outputs of ${completed.length} runs`)
  return {
    faults,
    runs: completed.length,
    waiting: waiting.length,
    rejects: runs.reduce((sum, { rejects }) => sum + rejects, 0),
    credits: runs.reduce((sum, { credits }) => sum + credits, 0)
  }
}

/** Faults in what a service reports about a team that has no more work. */
export const quiet = async (place: Place, key: string, credits: number): Promise<ReadonlyArray<string>> => {
  const { json: queue } = await ask(place, "/v2/team/queue-status", {}, key)
  const { json: active } = await ask(place, "/v2/crawl/active", {}, key)
  const { json: usage } = await ask(place, "/v2/team/credit-usage/historical", {}, key)
  const paid = usage.periods.reduce(
    (sum: number, { totalCredits }: { readonly totalCredits: number }) => sum + totalCredits,
    0
  )
  return [
    ...(queue.jobsInQueue === 0 ? [] : [`${queue.jobsInQueue} pages are still waiting or running`]),
    ...(active.crawls.length === 0 ? [] : [`${active.crawls.length} crawls are still active`]),
    ...(paid === credits ? [] : [`${paid} credits were charged, ${credits} are owed`])
  ]
}
