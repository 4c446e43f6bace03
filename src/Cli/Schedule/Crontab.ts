/** `--print cron`: a crontab. */
import * as Duration from "effect/Duration"
import { crontabFields, fiveFields } from "./CronFields.ts"
import {
  express,
  fill,
  type Job,
  lines,
  oneLine,
  type PrintContext,
  type Printer,
  quote,
  runArguments
} from "./Template.ts"

const file = `\
# Install it with: crontab FILE
# cronie (Fedora, RHEL, Arch, Alpine) reads CRON_TZ. Debian's cron ignores it and uses the time zone of the machine:
# use --print systemd or the daemon there.
# It contains no secrets: put them into the environment that cron starts commands with.
# <cluster>
<zones>
<refused>
`

const ofZone = `
CRON_TZ=<zone>
<jobs>`

const ofJob = `\
# <title>
# <note>
<fields> <command>`

const command = "cd <folder> && mkdir -p <data> && <wait><lock><sluice>"

/** A POSIX shell has no random numbers of its own. */
const wait = `sleep "$(awk 'BEGIN { srand(); print int(rand() * <seconds>) }')" && `

const ofRefused = `
# <name> is not in this file: <reason>.`

const commandOf = (job: Job, context: PrintContext): string => {
  const { jitter, overlap } = job.schedule
  const seconds = jitter === undefined ? 0 : Math.floor(Duration.toSeconds(jitter))
  const lock = quote(`${context.data}/${job.name}.cron.lock`)
  return fill(command, {
    folder: quote(context.folder),
    data: quote(context.data),
    wait: seconds === 0 ? "" : fill(wait, { seconds: String(seconds + 1) }),
    lock: overlap === "skip" ? `flock -n ${lock} ` : overlap === "queue" ? `flock ${lock} ` : "",
    sluice: [context.node, context.bin, ...runArguments(job, context)].map(quote).join(" ")
  })
}

const jobLines = (job: Job, fields: string, context: PrintContext): ReadonlyArray<string> => {
  const { catchUp, overlap } = job.schedule
  return lines(
    fill(ofJob, {
      title: job.description === undefined ? job.name : `${job.name}: ${oneLine(job.description)}`,
      note: [
        ...(overlap === "replace"
          ? ["A crontab cannot express overlap: replace. Two runs may be active at the same time."]
          : []),
        ...(catchUp === "none"
          ? []
          : [
              `A crontab cannot express catchUp: ${catchUp}. Runs that are missed while the machine is off are skipped.`
            ])
      ],
      fields,
      // cron ends a command at a percent sign.
      command: commandOf(job, context).replaceAll("%", "\\%")
    })
  )
}

export const crontab: Printer = (jobs, context) => {
  const [refused, expressed] = express(jobs, ({ schedule }) => crontabFields(schedule.cron))
  const zones = [...new Set(expressed.map(({ job }) => job.schedule.timezone))]
  const text = fill(file, {
    cluster: context.onCluster
      ? "SLUICE_DATABASE_URL must be among them, and --out must be storage that all workers mount at this path."
      : undefined,
    zones: zones.flatMap((zone) =>
      lines(
        fill(ofZone, {
          zone,
          jobs: expressed
            .filter(({ job }) => job.schedule.timezone === zone)
            .flatMap(({ as, job }) => jobLines(job, fiveFields(as), context))
        })
      )
    ),
    refused: refused.flatMap((each) => lines(fill(ofRefused, { ...each })))
  })
  return { files: [{ name: "crontab", text }], refused }
}
