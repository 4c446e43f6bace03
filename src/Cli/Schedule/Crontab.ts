/** `--print cron`: prints a crontab. */

import * as Arr from "effect/Array"
import * as Duration from "effect/Duration"
import { oneLine } from "../../Values/Text.ts"
import { shellWord } from "../Format.ts"
import { templatesOf } from "../TextTemplate.ts"
import { crontabFields, fiveFields } from "./CronFields.ts"
import { express, fileOf, type Job, leftOut, type PrintContext, type Printer, runArguments } from "./Template.ts"

const commandOf = (job: Job, context: PrintContext): string => {
  const { jitter, overlap } = job.schedule
  const seconds = jitter === undefined ? 0 : Math.floor(Duration.toSeconds(jitter))
  // POSIX shells have no random numbers.
  const wait = `sleep "$(awk 'BEGIN { srand(); print int(rand() * ${seconds + 1}) }')" && `
  const file = shellWord(`${context.data}/${job.name}.cron.lock`)
  const lock = overlap === "skip" ? `flock -n ${file} ` : overlap === "queue" ? `flock ${file} ` : ""
  const sluice = [context.node, context.bin, ...runArguments(job, context)].map(shellWord).join(" ")
  return `cd ${shellWord(context.folder)} && mkdir -p ${shellWord(context.data)} && ${seconds === 0 ? "" : wait}${lock}${sluice}`
}

const notesOf = ({ schedule: { catchUp, overlap } }: Job): ReadonlyArray<string> => [
  ...(overlap === "replace"
    ? ["A crontab cannot express overlap: replace. Two runs may be active at the same time."]
    : []),
  ...(catchUp === "none"
    ? []
    : [`A crontab cannot express catchUp: ${catchUp}. Runs that are missed while the machine is off are skipped.`])
]

export const crontab: Printer = (jobs, context) => {
  const template = templatesOf("schedule-cron.txt")
  const [refused, expressed] = express(jobs, ({ schedule }) => crontabFields(schedule.cron))
  const linesOf = ({ as, job }: (typeof expressed)[number]) =>
    template("job", {
      title: job.description === undefined ? job.name : `${job.name}: ${oneLine(job.description)}`,
      note: notesOf(job),
      fields: fiveFields(as),
      // cron cuts a command off at a percent sign.
      command: commandOf(job, context).replaceAll("%", "\\%")
    })
  const zones = Arr.groupBy(expressed, ({ job }) => job.schedule.timezone)
  const text = template("file", {
    cluster: context.onCluster
      ? "SLUICE_DATABASE_URL must be among them, and --out must be storage that all workers mount at this path."
      : undefined,
    zones: Object.entries(zones).flatMap(([zone, its]) => template("zone", { zone, jobs: its.flatMap(linesOf) })),
    refused: leftOut(refused).flatMap((reason) => template("refused", { reason }))
  })
  return { files: [fileOf("crontab", text)], refused }
}
