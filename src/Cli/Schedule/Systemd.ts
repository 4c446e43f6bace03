/** A service and a timer for systemd, for each pipeline. */
import * as Duration from "effect/Duration"
import { type Fields, fieldsOf, ranges, stepOf } from "./CronFields.ts"
import { comment, database, type Job, oneLine, type Paper, type Printer, type Surroundings, words } from "./Paper.ts"

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

/** `Mon..Fri`, in the week's order of systemd, which begins on Monday. */
const weekdayNames = (weekdays: ReadonlyArray<number>): string => {
  const fromMonday = weekdays.map((day) => (day + 6) % 7).sort((a, b) => a - b)
  const name = (day: number) => names[(day + 1) % 7]
  return ranges(fromMonday)
    .map(([from, to]) => (from === to ? name(from) : `${name(from)}..${name(to)}`))
    .join(",")
}

/** Weekday and day of the month, each as it stands in an expression; several where one of them is enough. */
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

/** The `OnCalendar=` expressions that together are a cron expression; a string says why there are none. */
export const calendarsOf = (cron: string, timezone: string): ReadonlyArray<string> | string => {
  const fields = fieldsOf(cron)
  if (fields.nearest) return "W, the nearest weekday, is not known there"
  if (fields.both && fields.nths.length > 0 && (fields.days !== undefined || fields.lastDay)) {
    return "a day that must be such a weekday of its month too is not known there"
  }
  const month = field(fields.months, 1, 12)
  const time = [field(fields.hours, 0, 23), field(fields.minutes, 0, 59), field(fields.seconds, 0, 59)].join(":")
  return daysOf(fields).map(([week, day]) => [week, `*-${month}${day}`, time, timezone].filter(Boolean).join(" "))
}

/** Quotes an argument: systemd expands % and $. */
const word = (text: string): string => {
  const plain = text.replaceAll("%", "%%").replaceAll("$", "$$$$")
  return /^[\w@%+=:,./$-]+$/.test(plain) ? plain : `"${plain.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`
}

/**
 * What a service may do: nothing but read the system, write to its folders and use the network. Left open is what Chromium's own sandbox is
 * made of (user, process and network namespaces; capset and chroot inside them), and writable code, which JavaScript engines compile to.
 */
export const sandbox: ReadonlyArray<string> = [
  "UMask=0077",
  "NoNewPrivileges=true",
  "CapabilityBoundingSet=",
  "AmbientCapabilities=",
  "PrivateUsers=true",
  "PrivateTmp=true",
  "PrivateDevices=true",
  "PrivateIPC=true",
  "PrivateMounts=true",
  "ProtectSystem=strict",
  "ProtectHome=read-only",
  "ProtectProc=invisible",
  "ProtectClock=true",
  "ProtectHostname=true",
  "ProtectKernelLogs=true",
  "ProtectKernelModules=true",
  "ProtectKernelTunables=true",
  "ProtectControlGroups=true",
  "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK",
  "RestrictNamespaces=user pid net",
  "RestrictRealtime=true",
  "RestrictSUIDSGID=true",
  "RemoveIPC=true",
  "LockPersonality=true",
  "KeyringMode=private",
  "DevicePolicy=closed",
  "SystemCallArchitectures=native",
  "SystemCallFilter=@system-service",
  "SystemCallFilter=~@privileged @resources",
  "SystemCallFilter=capset chroot",
  "SystemCallErrorNumber=EPERM"
]

/** A path of a setting that takes several: systemd reads % itself, and parts them at spaces. */
const path = (text: string): string => {
  const plain = text.replaceAll("%", "%%")
  return /\s|"/.test(plain) ? `"${plain.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"` : plain
}

const service = (job: Job, around: Surroundings): string => {
  const { overlap } = job.schedule
  const notes = [
    "Secrets go into /etc/sluice/environment (mode 600), a NAME=VALUE on each line.",
    "It writes to the folders of ReadWritePaths and to a /tmp of its own, and to nothing else: add those that the pipeline writes to.",
    ...(around.user === undefined || around.user === "root"
      ? ["Give it a user of its own, by User=, who owns these folders: it would run as root."]
      : []),
    ...(around.onCluster
      ? [`${database} has to be among them; --out is on storage that all workers share under this path.`]
      : []),
    ...(overlap === "skip"
      ? []
      : [`overlap: ${overlap} cannot be said here: an instant that comes while an earlier run goes on is passed over.`])
  ]
  return [
    ...comment(notes),
    "[Unit]",
    `Description=${oneLine(job.description ?? `The pipeline ${job.name}`).replaceAll("%", "%%")}`,
    "Wants=network-online.target",
    "After=network-online.target",
    "",
    "[Service]",
    "Type=oneshot",
    ...(around.user === undefined || around.user === "root" ? [] : [`User=${around.user.replaceAll("%", "%%")}`]),
    `WorkingDirectory=${around.folder.replaceAll("%", "%%")}`,
    // The C library gives freed memory back to the system.
    "Environment=MALLOC_TRIM_THRESHOLD_=131072",
    // Without it there is no database.
    `EnvironmentFile=${around.onCluster ? "" : "-"}/etc/sluice/environment`,
    `ExecStart=${[around.node, around.bin, ...words(job, around)].map(word).join(" ")}`,
    ...(around.onCluster
      ? ["# The run goes on at the workers when it is stopped."]
      : ["# What is done is kept when it is stopped."]),
    "SuccessExitStatus=143",
    "TimeoutStopSec=30",
    ...sandbox,
    `ReadWritePaths=${[...new Set([around.folder, around.data, around.out])]
      .map((each) => `-${each}`)
      .map(path)
      .join(" ")}`,
    ""
  ].join("\n")
}

const timer = (job: Job, calendars: ReadonlyArray<string>): string => {
  const { catchUp, catchUpWindow, jitter } = job.schedule
  const notes = [
    ...(catchUp === "all"
      ? ["catchUp: all cannot be said here: of the instants missed, the last is made up for."]
      : []),
    ...(catchUpWindow === undefined
      ? []
      : ["catchUpWindow cannot be said here: the last instant is made up for, however long ago it was."])
  ]
  return [
    ...comment(notes),
    "[Unit]",
    `Description=When the pipeline ${job.name} runs`,
    "",
    "[Timer]",
    ...calendars.map((calendar) => `OnCalendar=${calendar}`),
    "AccuracySec=1s",
    ...(jitter === undefined ? [] : [`RandomizedDelaySec=${Math.round(Duration.toMillis(jitter))}ms`]),
    `Persistent=${catchUp !== "none"}`,
    "",
    "[Install]",
    "WantedBy=timers.target",
    ""
  ].join("\n")
}

export const systemd: Printer = (jobs, around) => {
  const judged = jobs.map((job) => ({ job, calendars: calendarsOf(job.schedule.cron, job.schedule.timezone) }))
  return {
    papers: judged.flatMap(
      ({ calendars, job }): ReadonlyArray<Paper> =>
        typeof calendars === "string"
          ? []
          : [
              { file: `sluice-${job.name}.service`, text: service(job, around) },
              { file: `sluice-${job.name}.timer`, text: timer(job, calendars) }
            ]
    ),
    refused: judged.flatMap(({ calendars, job }) =>
      typeof calendars === "string" ? [{ name: job.name, reason: calendars }] : []
    )
  }
}
