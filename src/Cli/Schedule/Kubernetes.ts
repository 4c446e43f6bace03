/** `--print k8s`: prints a Kubernetes CronJob per pipeline, and their shared volume. */
import * as Duration from "effect/Duration"
import { sha256 } from "../../Row/Hash.ts"
import { templatesOf } from "../TextTemplate.ts"
import { crontabFields, fiveFields } from "./CronFields.ts"
import { express, fileOf, flagsOf, inputsOf, type Job, leftOut, type Printer, relativeTo, scalar } from "./Template.ts"

/** Volume mounts of the jobs: a volume of their own, or the one that the cluster's workers share. */
const mounts = {
  own: { claim: "sluice-data", mount: "/data", folder: "/app", data: "/data/.sluice", out: "/data/out" },
  cluster: { claim: "sluice-shared", mount: "/shared", folder: "/shared", data: "/tmp/.sluice", out: "/shared" }
}

/** A name without capitals and underscores; 52 characters leave room for the suffixes of Kubernetes. */
const shortName = (name: string): string =>
  `sluice-${name.toLowerCase().replaceAll("_", "-")}`.slice(0, 52).replace(/-+$/, "")

const policies = { skip: "Forbid", queue: "Forbid", replace: "Replace", allow: "Allow" } as const

/** Seconds that a job may start late with `catchUp: none`. */
const startTolerance = 60

const deadlineOf = ({ schedule: { catchUp, catchUpWindow } }: Job): number | undefined => {
  if (catchUp === "none") return startTolerance
  return catchUpWindow === undefined ? undefined : Math.max(10, Math.round(Duration.toSeconds(catchUpWindow)))
}

const notesOf = ({ name, schedule: { catchUp, jitter, overlap } }: Job): ReadonlyArray<string> => [
  ...(jitter === undefined ? [] : [`${name}: Kubernetes cannot express jitter. The pipeline starts on the minute.`]),
  ...(overlap === "queue"
    ? [`${name}: Kubernetes cannot express overlap: queue. A run is skipped while an earlier one is active.`]
    : []),
  ...(catchUp === "all"
    ? [
        `${name}: Kubernetes cannot express catchUp: all. Of the runs that were missed, only the last one is started later.`
      ]
    : [])
]

/** Names of the CronJobs; equal shortened names get a hash. */
const namesOf = (jobs: ReadonlyArray<Job>): ReadonlyArray<string> => {
  const names = jobs.map(({ name }) => shortName(name))
  return jobs.map(({ name }, index) => {
    const short = names[index] ?? ""
    return names.indexOf(short) === index ? short : `${short.slice(0, 45)}-${sha256(name).slice(0, 6)}`
  })
}

export const k8s: Printer = (jobs, context) => {
  const [refused, expressed] = express(jobs, ({ schedule }) => crontabFields(schedule.cron))
  if (expressed.length === 0) return { files: [], refused }
  const template = templatesOf("schedule-k8s.txt")
  const { claim, data, folder, mount, out } = context.onCluster ? mounts.cluster : mounts.own
  const variables = [...new Set(expressed.flatMap(({ job }) => [...job.secrets, ...job.variables]))]
  const names = namesOf(expressed.map(({ job }) => job))
  const cronJobs = expressed.flatMap(({ as, job }, index) => {
    const words = [
      "schedule",
      "run",
      relativeTo(context.folder, job.file),
      // Kubernetes expands $(NAME) to a variable, and $$( to $(.
      ...inputsOf(job).map((word) => word.replaceAll("$(", "$$$$(")),
      "--data",
      data,
      "--out",
      out,
      ...flagsOf(context)
    ]
    const lines = template("job", {
      name: names[index],
      pipeline: scalar(job.name),
      cron: scalar(fiveFields(as)),
      zone: job.schedule.timezone,
      policy: policies[job.schedule.overlap],
      deadline: deadlineOf(job)?.toString(),
      image: scalar(context.image),
      folder,
      argument: words.map(scalar),
      database: context.onCluster ? template("database") : undefined,
      mount,
      claim
    })
    return index === 0 ? lines : ["---", ...lines]
  })
  const text = template("file", {
    beside: context.onCluster ? ", beside the workers" : "",
    image: context.image,
    folder: context.onCluster
      ? [
          "and this folder is /shared on the volume sluice-shared of the workers.",
          'The secret "sluice" contains the address of the database as database-url.'
        ]
      : "and this folder as /app.",
    secret: variables.length === 0 ? undefined : `The secret "sluice" must contain ${variables.join(", ")}.`,
    note: expressed.flatMap(({ job }) => notesOf(job)),
    refused: leftOut(refused),
    documents: [...(context.onCluster ? [] : template("volume")), ...cronJobs]
  })
  return { files: [fileOf("sluice.yaml", text)], refused }
}
