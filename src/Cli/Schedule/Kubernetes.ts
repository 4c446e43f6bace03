/** Prints a Kubernetes CronJob for each pipeline, and the volume that they share. */
import * as Duration from "effect/Duration"
import { stringify } from "yaml"
import { sha256 } from "../../Row/Hash.ts"
import { beyondCrontab, fieldsOf, fiveFields } from "./CronFields.ts"
import { comment, database, flagsOf, inputsOf, type Job, type Printer, type Surroundings, under } from "./Paper.ts"

/** Kubernetes names have no capitals and no underscores; 52 characters leave room for suffixes. */
const nameOf = (name: string): string =>
  `sluice-${name.toLowerCase().replaceAll("_", "-")}`.slice(0, 52).replace(/-+$/, "")

const policies = { skip: "Forbid", queue: "Forbid", replace: "Replace", allow: "Allow" } as const

/** With `catchUp: none`, a job may still start this late. In seconds. */
const inTime = 60

const deadlineOf = ({ schedule: { catchUp, catchUpWindow } }: Job): number | undefined => {
  if (catchUp === "none") return inTime
  return catchUpWindow === undefined ? undefined : Math.max(10, Math.round(Duration.toSeconds(catchUpWindow)))
}

const notesOf = ({ name, schedule: { catchUp, jitter, overlap } }: Job): ReadonlyArray<string> => [
  ...(jitter === undefined ? [] : [`${name}: jitter cannot be said here: it begins with the minute.`]),
  ...(overlap === "queue"
    ? [
        `${name}: overlap: queue cannot be said here: an instant that comes while an earlier run goes on is passed over.`
      ]
    : []),
  ...(catchUp === "all"
    ? [`${name}: catchUp: all cannot be said here: of the instants missed, the last is made up for.`]
    : [])
]

/** Names of the CronJobs; where shortened names are the same, a hash is added. */
const namesOf = (jobs: ReadonlyArray<Job>): ReadonlyArray<string> => {
  const names = jobs.map(({ name }) => nameOf(name))
  return jobs.map(({ name }, index) => {
    const made = names[index] ?? ""
    return names.indexOf(made) === index ? made : `${made.slice(0, 45)}-${sha256(name).slice(0, 6)}`
  })
}

/** Volume, folders and variables of a job: with a volume of its own, or with the workers' shared one. */
const placesOf = (onCluster: boolean) =>
  onCluster
    ? {
        claim: "sluice-shared",
        mount: "/shared",
        folder: "/shared",
        data: "/tmp/.sluice",
        out: "/shared",
        env: [{ name: database, valueFrom: { secretKeyRef: { name: "sluice", key: "database-url" } } }]
      }
    : { claim: "sluice-data", mount: "/data", folder: "/app", data: "/data/.sluice", out: "/data/out", env: [] }

/** Runs as user 1000, as the image does; `fsGroup` makes the volume writable. */
const podSecurity = {
  runAsNonRoot: true,
  runAsUser: 1000,
  runAsGroup: 1000,
  fsGroup: 1000,
  fsGroupChangePolicy: "OnRootMismatch",
  seccompProfile: { type: "RuntimeDefault" }
}

const containerSecurity = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ["ALL"] }
}

/** npx writes its logs below the home folder, and the root is read-only. */
const home = { name: "HOME", value: "/tmp" }

const cronJobOf = (job: Job, name: string, around: Surroundings) => {
  const { schedule } = job
  const deadline = deadlineOf(job)
  const { claim, data, env, folder, mount, out } = placesOf(around.onCluster)
  return {
    apiVersion: "batch/v1",
    kind: "CronJob",
    // A label could not hold every name.
    metadata: {
      name,
      labels: { "app.kubernetes.io/name": "sluice" },
      annotations: { "sluice/pipeline": job.name }
    },
    spec: {
      schedule: fiveFields(fieldsOf(schedule.cron)),
      timeZone: schedule.timezone,
      concurrencyPolicy: policies[schedule.overlap],
      ...(deadline === undefined ? {} : { startingDeadlineSeconds: deadline }),
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 3,
      jobTemplate: {
        spec: {
          backoffLimit: 0,
          template: {
            spec: {
              restartPolicy: "Never",
              automountServiceAccountToken: false,
              securityContext: podSecurity,
              terminationGracePeriodSeconds: 30,
              containers: [
                {
                  name: "sluice",
                  image: around.image,
                  workingDir: folder,
                  command: ["npx", "--no-install", "sluice"],
                  args: [
                    "schedule",
                    "run",
                    under(around.folder, job.file),
                    // A $( would be the name of a variable.
                    ...inputsOf(job).map((word) => word.replaceAll("$(", "$$$$(")),
                    "--data",
                    data,
                    "--out",
                    out,
                    ...flagsOf(around)
                  ],
                  env: [...env, home],
                  envFrom: [{ secretRef: { name: "sluice", optional: true } }],
                  securityContext: containerSecurity,
                  resources: { requests: { cpu: "250m", memory: "512Mi" }, limits: { memory: "4Gi" } },
                  volumeMounts: [
                    { name: "data", mountPath: mount },
                    { name: "scratch", mountPath: "/tmp" }
                  ]
                }
              ],
              volumes: [
                { name: "data", persistentVolumeClaim: { claimName: claim } },
                { name: "scratch", emptyDir: { sizeLimit: "2Gi" } }
              ]
            }
          }
        }
      }
    }
  }
}

const volume = {
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name: "sluice-data" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "10Gi" } } }
}

export const k8s: Printer = (jobs, around) => {
  const judged = jobs.map((job) => ({ job, reason: beyondCrontab(fieldsOf(job.schedule.cron)) }))
  const fine = judged.flatMap(({ job, reason }) => (reason === undefined ? [job] : []))
  const refused = judged.flatMap(({ job, reason }) => (reason === undefined ? [] : [{ name: job.name, reason }]))
  const variables = [...new Set(fine.flatMap(({ secrets, variables }) => [...secrets, ...variables]))]
  const head = comment([
    ...(around.onCluster
      ? [
          `For kubectl apply -f -, Kubernetes 1.27 or newer, beside workers. The image ${around.image} has sluice; this folder is /shared on`,
          'the volume sluice-shared of the workers, and the secret "sluice" has the address of the database as database-url.'
        ]
      : [
          `For kubectl apply -f -, Kubernetes 1.27 or newer. The image ${around.image} has sluice and this folder in /app.`
        ]),
    ...(variables.length === 0 ? [] : [`The secret "sluice" has to hold ${variables.join(", ")}.`]),
    ...fine.flatMap(notesOf),
    ...refused.map(({ name, reason }) => `${name} is not in here: ${reason}.`)
  ])
  if (fine.length === 0) return { papers: [], refused }
  const names = namesOf(fine)
  const jobsOf = fine.map((job, index) => cronJobOf(job, names[index] ?? "", around))
  const documents = around.onCluster ? jobsOf : [volume, ...jobsOf]
  const text = documents.map((document) => stringify(document, { lineWidth: 0 })).join("---\n")
  return { papers: [{ file: "sluice.yaml", text: `${head.join("\n")}\n${text}` }], refused }
}
