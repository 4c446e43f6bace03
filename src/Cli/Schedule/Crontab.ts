/** Lines of a crontab. */
import * as Duration from "effect/Duration"
import { beyondCrontab, fieldsOf, fiveFields } from "./CronFields.ts"
import { comment, database, type Job, oneLine, type Printer, quote, type Surroundings, words } from "./Paper.ts"

/** In a crontab, a percent sign ends the command. */
const escape = (command: string): string => command.replaceAll("%", "\\%")

const commandOf = (job: Job, around: Surroundings): string => {
  const call = [around.node, around.bin, ...words(job, around)].map(quote).join(" ")
  const { jitter, overlap } = job.schedule
  const lock = quote(`${around.data}/${job.name}.cron.lock`)
  const seconds = jitter === undefined ? 0 : Math.floor(Duration.toSeconds(jitter))
  return escape(
    [
      `cd ${quote(around.folder)}`,
      `mkdir -p ${quote(around.data)}`,
      // A shell that is only a POSIX one has no random numbers of its own.
      ...(seconds > 0 ? [`sleep "$(awk 'BEGIN { srand(); print int(rand() * ${seconds + 1}) }')"`] : []),
      overlap === "skip" ? `flock -n ${lock} ${call}` : overlap === "queue" ? `flock ${lock} ${call}` : call
    ].join(" && ")
  )
}

const notesOf = ({ schedule: { catchUp, overlap } }: Job): ReadonlyArray<string> => [
  ...(overlap === "replace"
    ? ["overlap: replace cannot be said in a crontab: two runs may go on at the same time"]
    : []),
  ...(catchUp === "none"
    ? []
    : [`catchUp: ${catchUp} cannot be said in a crontab: instants that pass while the machine is off are let go`])
]

export const crontab: Printer = (jobs, around) => {
  const judged = jobs.map((job) => ({ job, fields: fieldsOf(job.schedule.cron) }))
  const reasonOf = ({ fields }: (typeof judged)[number]) => beyondCrontab(fields)
  const refused = judged.flatMap((each) => {
    const reason = reasonOf(each)
    return reason === undefined ? [] : [{ name: each.job.name, reason }]
  })
  const fine = judged.filter((each) => reasonOf(each) === undefined)
  const zones = [...new Set(fine.map(({ job }) => job.schedule.timezone))]
  const head = comment([
    "For `crontab -`. CRON_TZ is known to cronie (Fedora, RHEL, Arch, Alpine's cronie); Debian's cron goes by the zone",
    "of the machine and ignores it: there, take --print systemd, or run the daemon. Secrets are not in here: give them",
    "to cron by the environment that it starts commands with.",
    ...(around.onCluster
      ? [`${database} has to be among them; --out is on storage that all workers share under this path.`]
      : [])
  ])
  const lines = zones.flatMap((zone) => [
    "",
    `CRON_TZ=${zone}`,
    ...fine
      .filter(({ job }) => job.schedule.timezone === zone)
      .flatMap(({ fields, job }) => [
        `# ${job.name}${job.description === undefined ? "" : `: ${oneLine(job.description)}`}`,
        ...comment(notesOf(job)),
        `${fiveFields(fields)} ${commandOf(job, around)}`
      ])
  ])
  const left = refused.flatMap(({ name, reason }) => ["", `# ${name} is not in here: ${reason}.`])
  return { papers: [{ file: "crontab", text: `${[...head, ...lines, ...left].join("\n")}\n` }], refused }
}
