/** `--print github`: prints a GitHub Actions workflow with one job per pipeline. */

import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import { shellWord } from "../Format.ts"
import { templatesOf } from "../TextTemplate.ts"
import { crontabFields, type Fields, inUtc, offsetsOf } from "./CronFields.ts"
import {
  express,
  fileOf,
  flagsOf,
  inputsOf,
  type Job,
  leftOut,
  type PrintContext,
  type Printer,
  relativeTo,
  scalar
} from "./Template.ts"

interface Timed {
  readonly crons: ReadonlyArray<string>
  readonly notes: ReadonlyArray<string>
}

const offset = (minutes: number): string => {
  const size = Math.abs(minutes)
  const rest = size % 60 === 0 ? "" : `:${String(size % 60).padStart(2, "0")}`
  return `UTC${minutes < 0 ? "-" : "+"}${Math.floor(size / 60)}${rest}`
}

const notesOf = (
  { name, schedule }: Job,
  zone: { readonly standard: number; readonly summer: number },
  changesWithClock: boolean
): ReadonlyArray<string> => [
  ...(changesWithClock
    ? [
        `${name}: GitHub knows only UTC. The pipeline starts at the times of its schedule while ${schedule.timezone} is at ${offset(zone.standard)}, and`,
        `${Duration.format(Duration.minutes(zone.summer - zone.standard))} later during daylight saving time (${offset(zone.summer)}).`
      ]
    : []),
  ...(schedule.overlap === "skip"
    ? [`${name}: GitHub cannot express overlap: skip. One run waits until the earlier one has ended.`]
    : []),
  ...(schedule.catchUp === "none"
    ? []
    : [`${name}: GitHub cannot express catchUp: ${schedule.catchUp}. Runs that GitHub skips are not repeated.`])
]

/** Minimum minutes between two starts. */
const shortestInterval = 5

const isTooOften = (minutes: ReadonlyArray<number>): boolean =>
  minutes.some((minute, index) => (minutes[index + 1] ?? Number.POSITIVE_INFINITY) - minute < shortestInterval)

const timed = (job: Job, { now, onCluster }: PrintContext): Either.Either<Timed, string> =>
  Either.gen(function* () {
    if (onCluster) return yield* Either.left("GitHub's machines share no folder with the workers")
    const fields: Fields = yield* crontabFields(job.schedule.cron)
    if (isTooOften(fields.minutes)) {
      return yield* Either.left(`GitHub starts a workflow at most every ${shortestInterval} minutes`)
    }
    const zone = offsetsOf(job.schedule.timezone, now)
    const crons = yield* inUtc(fields, zone.standard)
    const summer = inUtc(fields, zone.summer)
    const changesWithClock = !Either.isRight(summer) || summer.right.join() !== crons.join()
    return { crons, notes: notesOf(job, zone, changesWithClock) }
  })

const commandOf = (job: Job, context: PrintContext): string => {
  const words = [relativeTo(context.folder, job.file), ...inputsOf(job), "--out", "out", ...flagsOf(context)]
  return `npx sluice schedule run ${words.map(shellWord).join(" ")} \${{ github.event_name != 'schedule' && '--again' || '' }}`
}

export const github: Printer = (jobs, context) => {
  const [refused, expressed] = express(jobs, (job) => timed(job, context))
  if (expressed.length === 0) return { files: [], refused }
  const template = templatesOf("schedule-github.txt")
  const jobLines = ({ as, job }: (typeof expressed)[number]) => {
    const { name, schedule, secrets } = job
    const { jitter, overlap } = schedule
    const seconds = jitter === undefined ? 0 : Math.floor(Duration.toSeconds(jitter))
    const variables = job.variables.filter((each) => !secrets.includes(each))
    return template("job", {
      name,
      key: scalar(name),
      crons: JSON.stringify(as.crons),
      concurrency:
        overlap === "allow" ? undefined : template("concurrency", { name, cancel: String(overlap === "replace") }),
      jitter: seconds === 0 ? undefined : template("jitter", { seconds: String(seconds + 1) }),
      run: scalar(commandOf(job, context)),
      env:
        secrets.length + variables.length === 0 ? undefined : template("env", { secret: secrets, variable: variables })
    })
  }
  const text = template("file", {
    note: expressed.flatMap(({ as }) => as.notes),
    refused: leftOut(refused),
    cron: [...new Set(expressed.flatMap(({ as }) => as.crons))].map(scalar),
    jobs: expressed.flatMap(jobLines)
  })
  return { files: [fileOf("sluice.yaml", text)], refused }
}
