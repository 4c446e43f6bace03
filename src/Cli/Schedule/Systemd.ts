/** `--print systemd`: prints a service and a timer for each pipeline. */
import * as Duration from "effect/Duration"
import { oneLine } from "../../Values/Text.ts"
import { templatesOf } from "../TextTemplate.ts"
import { calendarsOf } from "./CronFields.ts"
import { express, fileOf, type Job, type PrintContext, type Printer, runArguments } from "./Template.ts"

/** Quotes an argument: systemd expands % and $. */
const word = (text: string): string => {
  const plain = text.replaceAll("%", "%%").replaceAll("$", "$$$$")
  return /^[\w@%+=:,./$-]+$/.test(plain) ? plain : `"${plain.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`
}

/** Quotes a path in a setting that takes several: systemd expands %, and splits at spaces. */
const path = (text: string): string => {
  const plain = text.replaceAll("%", "%%")
  return /\s|"/.test(plain) ? `"${plain.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"` : plain
}

const serviceValues = (job: Job, context: PrintContext) => {
  const { overlap } = job.schedule
  const { onCluster, user } = context
  const isRoot = user === undefined || user === "root"
  return {
    root: isRoot ? "It runs as root. Set User= to an account that owns these folders." : undefined,
    cluster: onCluster
      ? "SLUICE_DATABASE_URL must be among the secrets, and --out must be storage that all workers mount at this path."
      : undefined,
    overlap:
      overlap === "skip"
        ? undefined
        : `systemd cannot express overlap: ${overlap}. A run is skipped while an earlier one is active.`,
    description: oneLine(job.description ?? `The pipeline ${job.name}`).replaceAll("%", "%%"),
    user: isRoot ? undefined : user.replaceAll("%", "%%"),
    folder: context.folder.replaceAll("%", "%%"),
    // "-" makes the file optional; on a cluster the file is required, because it names the database.
    environment: `${onCluster ? "" : "-"}/etc/sluice/environment`,
    command: [context.node, context.bin, ...runArguments(job, context)].map(word).join(" "),
    stop: onCluster
      ? "The workers continue the run when the service is stopped."
      : "A run that is stopped keeps its progress.",
    writable: [...new Set([context.folder, context.data, context.out])].map((each) => path(`-${each}`)).join(" ")
  }
}

const timerValues = (job: Job, calendars: ReadonlyArray<string>) => {
  const { catchUp, catchUpWindow, jitter } = job.schedule
  return {
    note: [
      ...(catchUp === "all"
        ? ["systemd cannot express catchUp: all. Of the runs that were missed, only the last one is started later."]
        : []),
      ...(catchUpWindow === undefined
        ? []
        : ["systemd cannot express catchUpWindow. The last run that was missed is started later, however old it is."])
    ],
    pipeline: job.name,
    calendar: calendars,
    delay: jitter === undefined ? undefined : `${Math.round(Duration.toMillis(jitter))}ms`,
    persistent: String(catchUp !== "none")
  }
}

/**
 * The service may read the system, write to its own folders and use the network. Chromium's sandbox also needs user, process and network
 * namespaces, and capset and chroot inside them; JavaScript engines need writable code. Both stay allowed.
 */
export const systemd: Printer = (jobs, context) => {
  const template = templatesOf("schedule-systemd.txt")
  const [refused, expressed] = express(jobs, ({ schedule }) => calendarsOf(schedule.cron, schedule.timezone))
  const files = expressed.flatMap(({ as, job }) => [
    fileOf(`sluice-${job.name}.service`, template("service", serviceValues(job, context))),
    fileOf(`sluice-${job.name}.timer`, template("timer", timerValues(job, as)))
  ])
  return { files, refused }
}
