/** `--print github`: a workflow of GitHub Actions with a job for each pipeline. */
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import { crontabFields, type Fields, inUtc, offsetsOf } from "./CronFields.ts"
import {
  express,
  fill,
  flagsOf,
  inputsOf,
  type Job,
  lines,
  type PrintContext,
  type Printer,
  quote,
  relativeTo,
  scalar
} from "./Template.ts"

const workflow = `\
# Save it as .github/workflows/sluice.yaml. All times are UTC. GitHub may start a job minutes late, and skips times when
# it is busy; a run knows its scheduled time. Put the values of secrets into the secrets of the repository.
# <note>
# <refused>
name: sluice
on:
  schedule:
    - cron: <cron>
  workflow_dispatch: {}
permissions:
  contents: read
jobs:
  <jobs>
`

const jobTemplate = `\
<key>:
  if: github.event_name != 'schedule' || contains(fromJSON('<crons>'), github.event.schedule)
  runs-on: ubuntu-latest
  <concurrency>
  steps:
    - uses: actions/checkout@v4
    - uses: actions/setup-node@v4
      with:
        node-version: 22
        cache: npm
    - run: npm ci
    - name: Restore the state of earlier runs
      uses: actions/cache/restore@v4
      with:
        path: .sluice
        key: sluice-<name>-\${{ github.run_id }}-\${{ github.run_attempt }}
        restore-keys: sluice-<name>-
    <jitter>
    - run: <run>
      <env>
    - if: always()
      uses: actions/cache/save@v4
      with:
        path: .sluice
        key: sluice-<name>-\${{ github.run_id }}-\${{ github.run_attempt }}
    - if: always()
      uses: actions/upload-artifact@v4
      with:
        name: <key>
        path: out
        if-no-files-found: ignore
`

const concurrency = `\
concurrency:
  group: sluice-<name>
  cancel-in-progress: <cancel>
`

const jitterStep = `\
- name: Jitter
  if: github.event_name == 'schedule'
  run: sleep $((RANDOM % <seconds>))
`

const run = "npx sluice schedule run <definition> <flags> ${{ github.event_name != 'schedule' && '--again' || '' }}"

const env = `\
env:
  <secret>: \${{ secrets.<secret> }}
  <variable>: \${{ vars.<variable> }}
`

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
        `${name}: GitHub knows only UTC. It starts at the times of its schedule while ${schedule.timezone} is at ${offset(zone.standard)}, and`,
        `${Duration.format(Duration.minutes(zone.summer - zone.standard))} later during daylight saving time (${offset(zone.summer)}).`
      ]
    : []),
  ...(schedule.overlap === "skip"
    ? [`${name}: GitHub cannot express overlap: skip. One run waits until the earlier one has ended.`]
    : []),
  ...(schedule.catchUp === "none"
    ? []
    : [`${name}: GitHub cannot express catchUp: ${schedule.catchUp}. Runs that GitHub skips are not made up for.`])
]

/** Minutes between two starts. */
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

const commandOf = (job: Job, context: PrintContext): string =>
  fill(run, {
    definition: quote(relativeTo(context.folder, job.file)),
    flags: [...inputsOf(job), "--out", "out", ...flagsOf(context)].map(quote).join(" ")
  })

const jobLines = (job: Job, crons: ReadonlyArray<string>, context: PrintContext): ReadonlyArray<string> => {
  const { name, schedule, secrets } = job
  const seconds = schedule.jitter === undefined ? 0 : Math.floor(Duration.toSeconds(schedule.jitter))
  const variables = job.variables.filter((each) => !secrets.includes(each))
  return lines(
    fill(jobTemplate, {
      name,
      key: scalar(name),
      crons: JSON.stringify(crons),
      concurrency:
        schedule.overlap === "allow"
          ? undefined
          : lines(fill(concurrency, { name, cancel: String(schedule.overlap === "replace") })),
      jitter: seconds === 0 ? undefined : lines(fill(jitterStep, { seconds: String(seconds + 1) })),
      run: scalar(commandOf(job, context)),
      env:
        secrets.length + variables.length === 0 ? undefined : lines(fill(env, { secret: secrets, variable: variables }))
    })
  )
}

export const github: Printer = (jobs, context) => {
  const [refused, expressed] = express(jobs, (job) => timed(job, context))
  if (expressed.length === 0) return { files: [], refused }
  const text = fill(workflow, {
    note: expressed.flatMap(({ as }) => as.notes),
    refused: refused.map(({ name, reason }) => `${name} is not in this file: ${reason}.`),
    cron: [...new Set(expressed.flatMap(({ as }) => as.crons))].map(scalar),
    jobs: expressed.flatMap(({ as, job }) => jobLines(job, as.crons, context))
  })
  return { files: [{ name: "sluice.yaml", text }], refused }
}
