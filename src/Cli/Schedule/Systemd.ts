/** `--print systemd`: a service and a timer for each pipeline. */
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import { type Fields, fieldsOf, ranges, stepOf } from "./CronFields.ts"
import {
  express,
  fill,
  type Job,
  lines,
  oneLine,
  type PrintContext,
  type PrintedFile,
  type Printer,
  runArguments
} from "./Template.ts"

/**
 * Restrictions of the service: it may read the system, write to its own folders and use the network. What Chromium's own sandbox needs stays
 * allowed (user, process and network namespaces; capset and chroot inside them), and so does writable code, which JavaScript engines compile to.
 */
export const sandbox = lines(`\
UMask=0077
NoNewPrivileges=true
CapabilityBoundingSet=
AmbientCapabilities=
PrivateUsers=true
PrivateTmp=true
PrivateDevices=true
PrivateIPC=true
PrivateMounts=true
ProtectSystem=strict
ProtectHome=read-only
ProtectProc=invisible
ProtectClock=true
ProtectHostname=true
ProtectKernelLogs=true
ProtectKernelModules=true
ProtectKernelTunables=true
ProtectControlGroups=true
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=user pid net
RestrictRealtime=true
RestrictSUIDSGID=true
RemoveIPC=true
LockPersonality=true
KeyringMode=private
DevicePolicy=closed
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallFilter=capset chroot
SystemCallErrorNumber=EPERM
`)

/** MALLOC_TRIM_THRESHOLD_ makes the C library return freed memory to the system. */
const serviceUnit = `\
# Put secrets into /etc/sluice/environment (mode 600), one NAME=VALUE per line.
# The service can write only to the folders of ReadWritePaths and to its own /tmp: add others that the pipeline writes to.
# <root>
# <cluster>
# <overlap>
[Unit]
Description=<description>
Wants=network-online.target
After=network-online.target

[Service]
Type=oneshot
User=<user>
WorkingDirectory=<folder>
Environment=MALLOC_TRIM_THRESHOLD_=131072
EnvironmentFile=<environment>
ExecStart=<command>
# <stop>
SuccessExitStatus=143
TimeoutStopSec=30
<sandbox>
ReadWritePaths=<writable>
`

const timerUnit = `\
# <note>
[Unit]
Description=Runs the pipeline <pipeline> on schedule

[Timer]
OnCalendar=<calendar>
AccuracySec=1s
RandomizedDelaySec=<delay>
Persistent=<persistent>

[Install]
WantedBy=timers.target
`

const names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

const two = (value: number): string => String(value).padStart(2, "0")

const field = (values: ReadonlyArray<number>, first: number, last: number): string => {
  if (values.length === last - first + 1) return "*"
  const step = stepOf(values, first, last)
  if (step !== undefined) return `${two(first)}/${step}`
  return ranges(values)
    .map(([from, to]) => (from === to ? two(from) : `${two(from)}..${two(to)}`))
    .join(",")
}

/** `Mon..Fri`; systemd's week starts on Monday. */
const weekdayNames = (weekdays: ReadonlyArray<number>): string => {
  const fromMonday = weekdays.map((day) => (day + 6) % 7).sort((a, b) => a - b)
  const name = (day: number) => names[(day + 1) % 7]
  return ranges(fromMonday)
    .map(([from, to]) => (from === to ? name(from) : `${name(from)}..${name(to)}`))
    .join(",")
}

/** Pairs of weekday and day of the month, as OnCalendar writes them; several where cron accepts either. */
const daysOf = ({ both, days, lastDay, nths, weekdays }: Fields): ReadonlyArray<readonly [string, string]> => {
  const numbered = days === undefined ? undefined : days.length > 0 ? `-${field(days, 1, 31)}` : undefined
  const months: ReadonlyArray<string> = [...(numbered === undefined ? [] : [numbered]), ...(lastDay ? ["~01"] : [])]
  const plain = weekdays === undefined || weekdays.length === 0 ? [] : [weekdayNames(weekdays)]
  const placed = nths.map(({ nth, weekday }): readonly [string, string] => [
    names[weekday] ?? "",
    nth === "last" ? "~07/1" : `-${two(nth * 7 - 6)}..${two(Math.min(31, nth * 7))}`
  ])
  const anyMonthDay = days === undefined && !lastDay
  const anyWeekday = weekdays === undefined
  if (anyMonthDay && anyWeekday) return [["", "-*"]]
  if (anyWeekday) return months.map((day) => ["", day] as const)
  if (anyMonthDay) return [...plain.map((week) => [week, "-*"] as const), ...placed]
  if (both) return plain.flatMap((week) => months.map((day) => [week, day] as const))
  return [...months.map((day) => ["", day] as const), ...plain.map((week) => [week, "-*"] as const), ...placed]
}

/** The `OnCalendar=` expressions of a cron expression; otherwise the reason why there are none. */
export const calendarsOf = (cron: string, timezone: string): Either.Either<ReadonlyArray<string>, string> => {
  const fields = fieldsOf(cron)
  if (fields.nearest) return Either.left("systemd cannot express W, the nearest weekday")
  if (fields.both && fields.nths.length > 0 && (fields.days !== undefined || fields.lastDay)) {
    return Either.left("systemd cannot express a day that must also be a certain weekday of its month")
  }
  const month = field(fields.months, 1, 12)
  const time = [field(fields.hours, 0, 23), field(fields.minutes, 0, 59), field(fields.seconds, 0, 59)].join(":")
  return Either.right(
    daysOf(fields).map(([week, day]) => [week, `*-${month}${day}`, time, timezone].filter(Boolean).join(" "))
  )
}

/** Quotes an argument: systemd expands % and $. */
const word = (text: string): string => {
  const plain = text.replaceAll("%", "%%").replaceAll("$", "$$$$")
  return /^[\w@%+=:,./$-]+$/.test(plain) ? plain : `"${plain.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`
}

/** A path in a setting that takes several: systemd expands %, and splits at spaces. */
const path = (text: string): string => {
  const plain = text.replaceAll("%", "%%")
  return /\s|"/.test(plain) ? `"${plain.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"` : plain
}

const serviceOf = (job: Job, context: PrintContext): string => {
  const { overlap } = job.schedule
  const { onCluster, user } = context
  const isRoot = user === undefined || user === "root"
  return fill(serviceUnit, {
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
    // "-" makes the file optional; on a cluster it has to name the database.
    environment: `${onCluster ? "" : "-"}/etc/sluice/environment`,
    command: [context.node, context.bin, ...runArguments(job, context)].map(word).join(" "),
    stop: onCluster
      ? "The workers continue the run when the service is stopped."
      : "A run that is stopped keeps its progress.",
    sandbox,
    writable: [...new Set([context.folder, context.data, context.out])].map((each) => path(`-${each}`)).join(" ")
  })
}

const timerOf = (job: Job, calendars: ReadonlyArray<string>): string => {
  const { catchUp, catchUpWindow, jitter } = job.schedule
  return fill(timerUnit, {
    note: [
      ...(catchUp === "all"
        ? ["systemd cannot express catchUp: all. Of the runs that were missed, the last one is made up for."]
        : []),
      ...(catchUpWindow === undefined
        ? []
        : ["systemd cannot express catchUpWindow. The last run that was missed is made up for, however old it is."])
    ],
    pipeline: job.name,
    calendar: calendars,
    delay: jitter === undefined ? undefined : `${Math.round(Duration.toMillis(jitter))}ms`,
    persistent: String(catchUp !== "none")
  })
}

export const systemd: Printer = (jobs, context) => {
  const [refused, expressed] = express(jobs, ({ schedule }) => calendarsOf(schedule.cron, schedule.timezone))
  const files = expressed.flatMap(
    ({ as, job }): ReadonlyArray<PrintedFile> => [
      { name: `sluice-${job.name}.service`, text: serviceOf(job, context) },
      { name: `sluice-${job.name}.timer`, text: timerOf(job, as) }
    ]
  )
  return { files, refused }
}
