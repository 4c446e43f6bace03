/** A workflow of GitHub Actions with a job for each pipeline. */
import * as Duration from "effect/Duration"
import { stringify } from "yaml"
import { beyondCrontab, fieldsOf, inUtc, offsetsOf } from "./CronFields.ts"
import { comment, flagsOf, inputsOf, type Job, type Printer, quote, type Surroundings, under } from "./Paper.ts"

interface Timed {
  readonly job: Job
  readonly crons: ReadonlyArray<string>
  readonly notes: ReadonlyArray<string>
}

const hours = (minutes: number): string => {
  const size = Math.abs(minutes)
  const rest = size % 60 === 0 ? "" : `:${String(size % 60).padStart(2, "0")}`
  return `UTC${minutes < 0 ? "-" : "+"}${Math.floor(size / 60)}${rest}`
}

const notesOf = (
  { name, schedule }: Job,
  zone: { readonly standard: number; readonly summer: number },
  differs: boolean
): ReadonlyArray<string> => [
  ...(differs
    ? [
        `${name}: ${schedule.timezone} has daylight saving and GitHub knows UTC alone. The times are those of ${hours(zone.standard)}; while`,
        `clocks show ${hours(zone.summer)} it begins ${Duration.format(Duration.minutes(zone.summer - zone.standard))} later by them.`
      ]
    : []),
  ...(schedule.overlap === "skip"
    ? [`${name}: overlap: skip cannot be said here: one instant waits until the earlier run has ended.`]
    : []),
  ...(schedule.catchUp === "none"
    ? []
    : [`${name}: catchUp: ${schedule.catchUp} cannot be said here: what GitHub leaves out is let go.`])
]

const tooOften = (minutes: ReadonlyArray<number>): boolean =>
  minutes.some((minute, index) => {
    const next = minutes[index + 1]
    return next !== undefined && next - minute < 5
  })

const timed = (job: Job, { now, onCluster }: Surroundings): Timed | string => {
  if (onCluster) return "GitHub's machines share no folder with the workers"
  const fields = fieldsOf(job.schedule.cron)
  const beyond = beyondCrontab(fields)
  if (beyond !== undefined) return beyond
  if (tooOften(fields.minutes)) return "GitHub begins nothing more often than every 5 minutes"
  const zone = offsetsOf(job.schedule.timezone, now)
  const crons = inUtc(fields, zone.standard)
  if (typeof crons === "string") return crons
  const differs = JSON.stringify(inUtc(fields, zone.summer)) !== JSON.stringify(crons)
  return { job, crons, notes: notesOf(job, zone, differs) }
}

const contextOf = (name: string, context: "secrets" | "vars") => [name, `\${{ ${context}.${name} }}`] as const

const jobOf = ({ crons, job }: Timed, around: Surroundings) => {
  const { name, schedule } = job
  const seconds = schedule.jitter === undefined ? 0 : Math.floor(Duration.toSeconds(schedule.jitter))
  const env = [
    ...job.secrets.map((secret) => contextOf(secret, "secrets")),
    ...job.variables.filter((each) => !job.secrets.includes(each)).map((each) => contextOf(each, "vars"))
  ]
  const key = `sluice-${name}-\${{ github.run_id }}-\${{ github.run_attempt }}`
  return {
    if: `github.event_name != 'schedule' || contains(fromJSON('${JSON.stringify(crons)}'), github.event.schedule)`,
    "runs-on": "ubuntu-latest",
    ...(schedule.overlap === "allow"
      ? {}
      : { concurrency: { group: `sluice-${name}`, "cancel-in-progress": schedule.overlap === "replace" } }),
    steps: [
      { uses: "actions/checkout@v4" },
      { uses: "actions/setup-node@v4", with: { "node-version": 22, cache: "npm" } },
      { run: "npm ci" },
      {
        name: "What earlier runs have kept",
        uses: "actions/cache/restore@v4",
        with: { path: ".sluice", key, "restore-keys": `sluice-${name}-` }
      },
      ...(seconds > 0
        ? [{ name: "Jitter", if: "github.event_name == 'schedule'", run: `sleep $((RANDOM % ${seconds + 1}))` }]
        : []),
      {
        run: `npx sluice schedule run ${[under(around.folder, job.file), ...inputsOf(job), "--out", "out", ...flagsOf(around)].map(quote).join(" ")} \${{ github.event_name != 'schedule' && '--again' || '' }}`,
        ...(env.length === 0 ? {} : { env: Object.fromEntries(env) })
      },
      { if: "always()", uses: "actions/cache/save@v4", with: { path: ".sluice", key } },
      {
        if: "always()",
        uses: "actions/upload-artifact@v4",
        with: { name, path: "out", "if-no-files-found": "ignore" }
      }
    ]
  }
}

export const github: Printer = (jobs, around) => {
  const judged = jobs.map((job) => ({ job, timed: timed(job, around) }))
  const fine = judged.flatMap(({ timed }) => (typeof timed === "string" ? [] : [timed]))
  const refused = judged.flatMap(({ job, timed }) =>
    typeof timed === "string" ? [{ name: job.name, reason: timed }] : []
  )
  const head = comment([
    "For .github/workflows/sluice.yaml. All times are UTC. GitHub may begin a job minutes late and leaves instants out",
    "when it is busy; a run knows by itself for which instant it is. Private settings go into the secrets of the repository.",
    ...fine.flatMap(({ notes }) => notes),
    ...refused.map(({ name, reason }) => `${name} is not in here: ${reason}.`)
  ])
  if (fine.length === 0) return { papers: [], refused }
  const workflow = {
    name: "sluice",
    on: {
      schedule: [...new Set(fine.flatMap(({ crons }) => crons))].map((cron) => ({ cron })),
      workflow_dispatch: {}
    },
    permissions: { contents: "read" },
    jobs: Object.fromEntries(fine.map((each) => [each.job.name, jobOf(each, around)]))
  }
  const text = `${head.join("\n")}\n${stringify(workflow, { lineWidth: 0 })}`
  return { papers: [{ file: "sluice.yaml", text }], refused }
}
