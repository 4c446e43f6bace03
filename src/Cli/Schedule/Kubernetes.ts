/** `--print k8s`: a CronJob of Kubernetes for each pipeline, and the volume that they share. */
import * as Duration from "effect/Duration"
import { sha256 } from "../../Row/Hash.ts"
import { crontabFields, fiveFields } from "./CronFields.ts"
import {
  express,
  fill,
  flagsOf,
  inputsOf,
  type Job,
  lines,
  type PrintContext,
  type Printer,
  relativeTo,
  scalar
} from "./Template.ts"

const manifest = `\
# Apply it with: kubectl apply -f FILE (Kubernetes 1.27 or newer<beside>). The image <image> contains sluice
# <folder>
# <secret>
# <note>
# <refused>
<documents>
`

const volume = `\
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: sluice-data
spec:
  accessModes:
    - ReadWriteOnce
  resources:
    requests:
      storage: 10Gi
---`

/** Labels are too short for some names of pipelines: the name is an annotation. `HOME` is for npx, which writes its logs there. */
const cronJob = `\
apiVersion: batch/v1
kind: CronJob
metadata:
  name: <name>
  labels:
    app.kubernetes.io/name: sluice
  annotations:
    sluice/pipeline: <pipeline>
spec:
  schedule: <cron>
  timeZone: <zone>
  concurrencyPolicy: <policy>
  startingDeadlineSeconds: <deadline>
  successfulJobsHistoryLimit: 3
  failedJobsHistoryLimit: 3
  jobTemplate:
    spec:
      backoffLimit: 0
      template:
        spec:
          restartPolicy: Never
          automountServiceAccountToken: false
          securityContext:
            runAsNonRoot: true
            runAsUser: 1000
            runAsGroup: 1000
            fsGroup: 1000
            fsGroupChangePolicy: OnRootMismatch
            seccompProfile:
              type: RuntimeDefault
          terminationGracePeriodSeconds: 30
          containers:
            - name: sluice
              image: <image>
              workingDir: <folder>
              command:
                - npx
                - --no-install
                - sluice
              args:
                - <argument>
              env:
                <database>
                - name: HOME
                  value: /tmp
              envFrom:
                - secretRef:
                    name: sluice
                    optional: true
              securityContext:
                allowPrivilegeEscalation: false
                readOnlyRootFilesystem: true
                capabilities:
                  drop:
                    - ALL
              resources:
                requests:
                  cpu: 250m
                  memory: 512Mi
                limits:
                  memory: 4Gi
              volumeMounts:
                - name: data
                  mountPath: <mount>
                - name: scratch
                  mountPath: /tmp
          volumes:
            - name: data
              persistentVolumeClaim:
                claimName: <claim>
            - name: scratch
              emptyDir:
                sizeLimit: 2Gi`

const databaseVariable = `\
- name: SLUICE_DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: sluice
      key: database-url`

/** A volume of its own, or the volume and the database of the workers. */
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
  ...(jitter === undefined ? [] : [`${name}: Kubernetes cannot express jitter. It starts with the minute.`]),
  ...(overlap === "queue"
    ? [`${name}: Kubernetes cannot express overlap: queue. A run is skipped while an earlier one is active.`]
    : []),
  ...(catchUp === "all"
    ? [`${name}: Kubernetes cannot express catchUp: all. Of the runs that were missed, the last one is made up for.`]
    : [])
]

/** Names of the CronJobs; where shortened names are the same, a hash is added. */
const namesOf = (jobs: ReadonlyArray<Job>): ReadonlyArray<string> => {
  const names = jobs.map(({ name }) => shortName(name))
  return jobs.map(({ name }, index) => {
    const short = names[index] ?? ""
    return names.indexOf(short) === index ? short : `${short.slice(0, 45)}-${sha256(name).slice(0, 6)}`
  })
}

const cronJobLines = (job: Job, cron: string, name: string, context: PrintContext): ReadonlyArray<string> => {
  const { schedule } = job
  const { claim, data, folder, mount, out } = context.onCluster ? mounts.cluster : mounts.own
  const words = [
    "schedule",
    "run",
    relativeTo(context.folder, job.file),
    // Kubernetes reads $(NAME) as a variable, and $$( as $(.
    ...inputsOf(job).map((word) => word.replaceAll("$(", "$$$$(")),
    "--data",
    data,
    "--out",
    out,
    ...flagsOf(context)
  ]
  return lines(
    fill(cronJob, {
      name,
      pipeline: scalar(job.name),
      cron: scalar(cron),
      zone: schedule.timezone,
      policy: policies[schedule.overlap],
      deadline: deadlineOf(job)?.toString(),
      image: scalar(context.image),
      folder,
      argument: words.map(scalar),
      database: context.onCluster ? lines(databaseVariable) : undefined,
      mount,
      claim
    })
  )
}

export const k8s: Printer = (jobs, context) => {
  const [refused, expressed] = express(jobs, ({ schedule }) => crontabFields(schedule.cron))
  if (expressed.length === 0) return { files: [], refused }
  const variables = [...new Set(expressed.flatMap(({ job }) => [...job.secrets, ...job.variables]))]
  const names = namesOf(expressed.map(({ job }) => job))
  const cronJobs = expressed.flatMap(({ as, job }, index) => [
    ...(index === 0 ? [] : ["---"]),
    ...cronJobLines(job, fiveFields(as), names[index] ?? "", context)
  ])
  const text = fill(manifest, {
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
    refused: refused.map(({ name, reason }) => `${name} is not in this file: ${reason}.`),
    documents: [...(context.onCluster ? [] : lines(volume)), ...cronJobs]
  })
  return { files: [{ name: "sluice.yaml", text }], refused }
}
