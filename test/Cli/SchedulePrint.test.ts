import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { parse, parseAllDocuments } from "yaml"
import {
  calendarsOf,
  crontabFields,
  fieldsOf,
  fiveFields,
  inUtc,
  offsetsOf
} from "../../src/Cli/Schedule/CronFields.ts"
import { crontab } from "../../src/Cli/Schedule/Crontab.ts"
import { github } from "../../src/Cli/Schedule/Github.ts"
import { k8s } from "../../src/Cli/Schedule/Kubernetes.ts"
import { systemd } from "../../src/Cli/Schedule/Systemd.ts"
import type { Job } from "../../src/Cli/Schedule/Template.ts"
import { fill, templatesOf } from "../../src/Cli/TextTemplate.ts"
import { nextScheduledTimes, Schedule } from "../../src/Pipeline/Schedule.ts"
import { readNow } from "./Loaded.ts"

const around = {
  node: "/usr/bin/node",
  bin: "/srv/app/node_modules/sluice/dist/bin.js",
  folder: "/srv/app",
  data: "/srv/app/.sluice",
  out: "/srv/app",
  flags: [],
  onCluster: false,
  image: "sluice:1",
  now: Date.UTC(2026, 10, 22)
}

const analyze = "/usr/bin/systemd-analyze"

const schedule = Schema.decodeUnknownSync(Schedule)

const job = (name: string, given: Schema.Schema.Encoded<typeof Schedule>): Job => ({
  name,
  description: "What 100% of us\nwant",
  file: `/srv/app/pipelines/${name}.yaml`,
  schedule: schedule(given),
  secrets: ["OPS_WEBHOOK"],
  variables: ["REGION"]
})

const watch = job("docs-watch", {
  cron: "15 */6 * * *",
  timezone: "Europe/Berlin",
  jitter: "5m",
  catchUp: "latest",
  catchUpWindow: "24h"
})

const textOf = ({ files }: { readonly files: ReadonlyArray<{ readonly text: string }> }) =>
  files.map(({ text }) => text).join("\n")

describe("a template", () => {
  it("repeats a line for each item of an array, and drops one without a value", () => {
    const unit = "[Unit]\nUser=<user>\nOnCalendar=<calendar> <zone>\n  <name>: ${<name>}\n"
    const values = { user: undefined, calendar: ["daily", "<zone>"], zone: "UTC", name: ["A", "B"] }
    expect(fill(unit, values).join("\n")).toBe(
      "[Unit]\nOnCalendar=daily UTC\nOnCalendar=<zone> UTC\n  A: ${A}\n  B: ${B}\n"
    )
  })

  it("refuses a place without a value, and a name that its file does not have", () => {
    expect(() => fill("User=<user>", {})).toThrow("<user>")
    expect(() => templatesOf("schedule-cron.txt")("nothing")).toThrow("nothing")
  })
})

describe("a cron expression for another scheduler", () => {
  it("keeps its five fields, in their shortest form", () => {
    for (const [cron, fields] of [
      ["15 */6 * * *", "15 */6 * * *"],
      ["0 30 9 * * MON-FRI", "30 9 * * 1-5"],
      ["0,5,10 8-18 1,15 JAN,FEB,MAR SUN", "0,5,10 8-18 1,15 1-3 0"],
      ["*/20 0-23 1-31 * *", "*/20 * 1-31 * *"],
      // With a star in one of the day fields, cron would require both.
      ["0 3 */2 * 1", "0 3 1-31/2 * 1"],
      ["0 3 1 * */2", "0 3 1 * 0-6/2"]
    ] as const) {
      expect(fiveFields(fieldsOf(cron)), cron).toBe(fields)
    }
  })

  it("is refused with a reason when five fields cannot express it", () => {
    for (const [cron, reason] of [
      ["*/10 * * * * *", "seconds"],
      ["0 0 L * *", "last day"],
      ["0 0 15W * *", "nearest weekday"],
      ["0 0 * * 5#2", "place in the month"],
      ["0 0 13 * +FRI", "must also be a certain weekday"]
    ] as const) {
      expect(Either.flip(crontabFields(cron)), cron).toMatchObject({ right: expect.stringContaining(reason) })
    }
    expect(Either.isRight(crontabFields("0 0 1 * MON"))).toBe(true)
  })
})

describe("--print cron", () => {
  it("prints lines with time zone, folder, lock, jitter and absolute paths of programs", () => {
    const { files, refused } = crontab([watch, job("often", { cron: "*/5 * * * * *" })], around)
    const lines = files[0]?.text.split("\n") ?? []
    expect(lines).toContain("CRON_TZ=Europe/Berlin")
    expect(lines).toContain("# docs-watch: What 100% of us want")
    expect(lines.find((line) => line.startsWith("15 "))).toBe(
      `15 */6 * * * cd /srv/app && mkdir -p /srv/app/.sluice && sleep "$(awk 'BEGIN { srand(); print int(rand() * 301) }')" && flock -n /srv/app/.sluice/docs-watch.cron.lock /usr/bin/node /srv/app/node_modules/sluice/dist/bin.js schedule run /srv/app/pipelines/docs-watch.yaml --data /srv/app/.sluice --out /srv/app --quiet`
    )
    expect(refused).toEqual([{ name: "often", reason: "it starts at seconds other than 0" }])
    expect(lines).toContain("# often is not in this file: it starts at seconds other than 0.")
    expect(textOf({ files })).toContain("# A crontab cannot express catchUp: latest.")
  })

  it("escapes a percent sign, which would end the command, and quotes a folder with a space", () => {
    const { files } = crontab([{ ...watch, file: "/srv/100% mine/p.yaml" }], around)
    expect(files[0]?.text).toContain("schedule run '/srv/100\\% mine/p.yaml' --data")
  })

  it("is a command that a shell can read", () => {
    const line = crontab([{ ...watch, file: "/srv/it's/p.yaml" }], around)
    const command = /^15 \*\/6 \* \* \* (.*)$/m.exec(textOf(line))?.[1]?.replaceAll("\\%", "%") ?? "("
    expect(() => execFileSync("/bin/sh", ["-n", "-c", command])).not.toThrow()
  })
})

/** Cron expressions, and the OnCalendar= expressions of the same times. */
const calendars = [
  ["15 */6 * * *", ["*-*-* 00/6:15:00 Europe/Berlin"]],
  ["*/10 * * * * *", ["*-*-* *:*:00/10 Europe/Berlin"]],
  ["30 9 * * MON-FRI", ["Mon..Fri *-*-* 09:30:00 Europe/Berlin"]],
  ["0 0 * * SUN,MON", ["Mon,Sun *-*-* 00:00:00 Europe/Berlin"]],
  ["0 12 1,15 JAN-MAR *", ["*-01..03-01,15 12:00:00 Europe/Berlin"]],
  ["0 0 L * *", ["*-*~01 00:00:00 Europe/Berlin"]],
  ["0 0 * * 5#2", ["Fri *-*-08..14 00:00:00 Europe/Berlin"]],
  ["0 0 * * 5L", ["Fri *-*~07/1 00:00:00 Europe/Berlin"]],
  ["0 0 13 * FRI", ["*-*-13 00:00:00 Europe/Berlin", "Fri *-*-* 00:00:00 Europe/Berlin"]],
  ["0 0 13 * +FRI", ["Fri *-*-13 00:00:00 Europe/Berlin"]]
] as const

/** Restrictions of the service. */
const sandbox =
  /\nTimeoutStopSec=30\n([\s\S]*)\nReadWritePaths=/.exec(textOf(systemd([watch], around)))?.[1]?.split("\n") ?? []

describe("--print systemd", () => {
  it("translates cron fields to OnCalendar", () => {
    for (const [cron, expected] of calendars) {
      expect(calendarsOf(cron, "Europe/Berlin"), cron).toEqual(Either.right(expected))
    }
    expect(calendarsOf("0 0 15W * *", "UTC")).toEqual(Either.left("systemd cannot express W, the nearest weekday"))
  })

  it.runIf(existsSync(analyze))("has the same times as cron, according to systemd", () => {
    for (const [cron] of calendars) {
      const given = schedule({ cron, timezone: "Europe/Berlin" })
      const from = Date.UTC(2026, 10, 22)
      const own = nextScheduledTimes(given, from, 4)
      const expressions = Either.getOrThrow(calendarsOf(cron, "Europe/Berlin"))
      const said = execFileSync(
        analyze,
        ["calendar", "--iterations=4", "--base-time=2026-11-22 00:00:00 UTC", ...expressions],
        { encoding: "utf8", env: { ...process.env, TZ: "UTC", LC_ALL: "C" } }
      )
      const theirs = [...said.matchAll(/(?:Next elapse|Iter. #\d+): \w+ (\S+) (\S+) UTC/g)]
        .map(([, date, time]) => Date.parse(`${date}T${time}Z`))
        .sort((a, b) => a - b)
      expect([...new Set(theirs)].slice(0, 4), cron).toEqual(own)
    }
  })

  it("prints a service and a timer with delay and persistence, and escapes what systemd would expand", () => {
    const { files, refused } = systemd([watch], around)
    expect(refused).toEqual([])
    expect(files.map(({ name }) => name)).toEqual(["sluice-docs-watch.service", "sluice-docs-watch.timer"])
    const [service = "", timer = ""] = files.map(({ text }) => text)
    expect(service).toContain("Description=What 100%% of us want\n")
    expect(service).toContain("WorkingDirectory=/srv/app\n")
    expect(service).toMatch(/^ExecStart=\/usr\/bin\/node \/srv\/app\/\S+ schedule run \S+docs-watch.yaml /m)
    expect(timer).toContain("OnCalendar=*-*-* 00/6:15:00 Europe/Berlin\n")
    expect(timer).toContain("RandomizedDelaySec=300000ms\n")
    expect(timer).toContain("Persistent=true\n")
    expect(textOf(systemd([job("plain", { cron: "0 1 * * *" })], around))).toContain("Persistent=false\n")
  })

  it("restricts the service, and sets its user", () => {
    const [service] = systemd([watch], { ...around, user: "sluice", data: "/var/lib/my data" }).files
    const text = service?.text ?? ""
    for (const line of sandbox) expect(text).toContain(`\n${line}\n`)
    expect(text).toContain("\nUser=sluice\n")
    expect(text).toContain('\nReadWritePaths=-/srv/app "-/var/lib/my data"\n')
    // Chromium's sandbox still works, and code can be compiled.
    expect(sandbox).toContain("RestrictNamespaces=user pid net")
    expect(sandbox.indexOf("SystemCallFilter=capset chroot")).toBeGreaterThan(
      sandbox.indexOf("SystemCallFilter=~@privileged @resources")
    )
    expect(sandbox.join()).not.toContain("MemoryDenyWriteExecute")
    const asRoot = textOf(systemd([watch], { ...around, user: "root" }))
    expect(asRoot).toContain("# It runs as root. Set User= to an account")
    expect(asRoot).not.toContain("\nUser=")
  })

  it("has the same restrictions as the units of the documentation", () => {
    const root = new URL("../../docs/", import.meta.url)
    for (const file of ["deploy/sluice-worker.service", "schedule.md"]) {
      const text = readFileSync(new URL(file, root), "utf8")
      expect(text, file).toContain(`\n${sandbox.join("\n")}\nReadWritePaths=`)
    }
  })

  it.runIf(existsSync(analyze))("has an exposure level of at most 2, according to systemd", () => {
    const folder = mkdtempSync(`${tmpdir()}/sluice-unit-`)
    const [printed] = systemd([watch], { ...around, user: "sluice" }).files
    const guide = readFileSync(new URL("../../docs/schedule.md", import.meta.url), "utf8")
    const units = {
      printed: printed?.text ?? "",
      worker: readFileSync(new URL("../../docs/deploy/sluice-worker.service", import.meta.url), "utf8"),
      daemon: /```ini needs=systemd\n([\s\S]*?)```/.exec(guide)?.[1] ?? ""
    }
    for (const [name, text] of Object.entries(units)) {
      const file = `${folder}/${name}.service`
      writeFileSync(file, text)
      const said = execFileSync(analyze, ["security", "--offline=true", "--no-pager", file], { encoding: "utf8" })
      const exposure = Number(/Overall exposure level for \S+: (\d+\.\d)/.exec(said)?.[1])
      expect(exposure, name).toBeLessThanOrEqual(2)
    }
    rmSync(folder, { recursive: true })
  })

  it("names what systemd cannot express", () => {
    const text = textOf(systemd([job("all", { cron: "0 1 * * *", catchUp: "all", overlap: "replace" })], around))
    expect(text).toContain("# systemd cannot express catchUp: all.")
    expect(text).toContain("# systemd cannot express overlap: replace.")
  })
})

describe("a time zone in UTC", () => {
  const utc = (cron: string, minutes: number) => Either.merge(inUtc(fieldsOf(cron), minutes))

  it("shifts hours, and weekdays when midnight is between", () => {
    expect(utc("15 */6 * * *", 60)).toEqual(["15 5,11,17,23 * * *"])
    expect(utc("30 0 * * MON", 60)).toEqual(["30 23 * * 0"])
    expect(utc("30 20 * * SAT", -300)).toEqual(["30 1 * * 0"])
    expect(utc("0,45 9 * * *", 330)).toEqual(["30 3 * * *", "15 4 * * *"])
    expect(utc("*/15 * * * *", 345)).toEqual(["*/15 * * * *"])
    expect(utc("0 12 1 * *", 60)).toEqual(["0 11 1 * *"])
    expect(utc("0 0 1 * *", 60)).toContain("timezone: UTC")
  })

  it("has offsets for standard and summer time, in both hemispheres", () => {
    expect(offsetsOf("Europe/Berlin", around.now)).toEqual({ standard: 60, summer: 120 })
    expect(offsetsOf("Australia/Sydney", around.now)).toEqual({ standard: 600, summer: 660 })
    expect(offsetsOf("UTC", around.now)).toEqual({ standard: 0, summer: 0 })
  })
})

describe("--print github", () => {
  it("prints a workflow in UTC whose jobs set the environment of their definition", () => {
    const { files, refused } = github(
      [watch, job("often", { cron: "*/2 * * * *" }), job("daily", { cron: "0 3 * * *", overlap: "allow" })],
      around
    )
    const text = files[0]?.text ?? ""
    const workflow = parse(text)
    expect(workflow.on.schedule).toEqual([{ cron: "15 5,11,17,23 * * *" }, { cron: "0 3 * * *" }])
    expect(Object.keys(workflow.jobs)).toEqual(["docs-watch", "daily"])
    const { concurrency, if: when, steps } = workflow.jobs["docs-watch"]
    expect(when).toContain(`fromJSON('["15 5,11,17,23 * * *"]')`)
    expect(concurrency).toEqual({ group: "sluice-docs-watch", "cancel-in-progress": false })
    expect(steps.map(({ run }: { run?: string }) => run)).toContainEqual(
      expect.stringMatching(/^npx sluice schedule run pipelines\/docs-watch.yaml /)
    )
    expect(steps.find(({ env }: { env?: object }) => env !== undefined).env).toEqual({
      OPS_WEBHOOK: "${{ secrets.OPS_WEBHOOK }}",
      REGION: "${{ vars.REGION }}"
    })
    expect(workflow.jobs.daily.concurrency).toBeUndefined()
    expect(refused).toEqual([{ name: "often", reason: "GitHub starts a workflow at most every 5 minutes" }])
    expect(text).toContain(
      "# docs-watch: GitHub knows only UTC. The pipeline starts at the times of its schedule while Europe/Berlin is at UTC+1,"
    )
    expect(text).not.toContain("# daily: GitHub knows only UTC")
  })
})

describe("--print", () => {
  it.each(Object.entries({ cron: crontab, systemd, github, k8s }))("prints %s word for word", (_, print) => {
    const jobs = [
      watch,
      {
        ...job("Both_ends", { cron: "5 4 13,14 * FRI", jitter: "90s", catchUp: "all", overlap: "replace" }),
        inputs: [["site", "https://x.example/$(A) 5%"]] as const
      },
      job("last", { cron: "*/10 0 1 15W * *" })
    ]
    const { files, refused } = print(jobs, { ...around, user: "sluice" })
    const reasons = refused.map(({ name, reason }) => `${name}: ${reason}`)
    expect([...files.map(({ name, text }) => `---- ${name}\n${text}`), ...reasons].join("\n")).toMatchSnapshot()
  })

  it("repeats the profile and the permission to run code in the printed commands", () => {
    const flagged = { ...around, flags: ["--profile", "my profile", "--allow-code"] }
    expect(textOf(crontab([watch], flagged))).toContain(" --profile 'my profile' --allow-code --quiet")
    expect(textOf(systemd([watch], flagged))).toContain(' --profile "my profile" --allow-code --quiet')
    expect(textOf(github([watch], flagged))).toContain(" --profile 'my profile' --allow-code --quiet ")
    const [, cronJob] = parseAllDocuments(textOf(k8s([watch], flagged))).map((document) => document.toJS())
    const [container] = cronJob.spec.jobTemplate.spec.template.spec.containers
    expect(container.args.slice(-4)).toEqual(["--profile", "my profile", "--allow-code", "--quiet"])
  })
})

describe("--print … --on cluster", () => {
  const shared = { ...around, out: "/shared", onCluster: true }
  /** The command is valid, and submits the run. */
  const submits = (words: ReadonlyArray<string>) => {
    expect(words.slice(0, 2)).toEqual(["schedule", "run"])
    const asked = readNow(words)
    expect(asked).toMatchObject({ ask: "act" })
    expect(words.slice(words.indexOf("--on"))).toEqual(["--on", "cluster", "--quiet"])
  }

  it("submits each run to the workers, with the database from the environment", () => {
    const line = /^15 .* \S+bin.js (schedule run .*)$/m.exec(textOf(crontab([watch], shared)))?.[1] ?? ""
    submits(line.split(" "))
    expect(line).toContain(" --out /shared ")
    const [service = ""] = systemd([watch], shared).files.map(({ text }) => text)
    submits((/^ExecStart=\S+ \S+ (.*)$/m.exec(service)?.[1] ?? "").split(" "))
    // The environment file is required, because it names the database.
    expect(service).toContain("\nEnvironmentFile=/etc/sluice/environment\n")
    expect(service).toContain("\nEnvironment=MALLOC_TRIM_THRESHOLD_=131072\n")
    for (const text of [textOf(crontab([watch], shared)), service]) {
      expect(text).toMatch(/^# SLUICE_DATABASE_URL must be among (them|the secrets)/m)
      expect(text).not.toContain("postgres:")
    }
  })

  it("shares volume and secret with the workers of the manifest", () => {
    const [claim, workers] = parseAllDocuments(
      readFileSync(new URL("../../docs/deploy/kubernetes.yaml", import.meta.url), "utf8")
    ).map((document) => document.toJS())
    const documents = parseAllDocuments(textOf(k8s([watch], shared))).map((document) => document.toJS())
    expect(documents.map(({ kind }) => kind)).toEqual(["CronJob"])
    const { containers, volumes } = documents[0].spec.jobTemplate.spec.template.spec
    const [worker] = workers.spec.template.spec.containers
    expect(volumes[0].persistentVolumeClaim.claimName).toBe(claim.metadata.name)
    expect(containers[0].env).toEqual(expect.arrayContaining(worker.env))
    expect(containers[0].volumeMounts[0].mountPath).toBe(worker.volumeMounts[0].mountPath)
    submits(containers[0].args)
  })

  it("refuses GitHub, whose machines share no folder with the workers", () => {
    const { files, refused } = github([watch], shared)
    expect([files, refused]).toEqual([
      [],
      [{ name: "docs-watch", reason: "GitHub's machines share no folder with the workers" }]
    ])
  })
})

describe("--print k8s", () => {
  it("gives pipelines different names when their short names are equal", () => {
    const long = `${"a".repeat(60)}-`
    const jobs = ["to_do", "To-Do", `${long}1`, `${long}2`].map((name) => job(name, { cron: "0 1 * * *" }))
    const documents = parseAllDocuments(textOf(k8s(jobs, around))).map((document) => document.toJS())
    const names = documents.slice(1).map(({ metadata }) => metadata.name)
    expect(new Set(names).size).toBe(4)
    for (const name of names) expect(name).toMatch(/^[a-z0-9-]{1,52}$/)
    expect(documents[2].metadata.annotations).toEqual({ "sluice/pipeline": "To-Do" })
  })

  it("prints a volume, and a CronJob with time zone, policy and deadline", () => {
    const jobs = [watch, job("Nightly_Export", { cron: "0 1 * * *", overlap: "replace" })]
    const { files, refused } = k8s([...jobs, job("last", { cron: "0 1 L * *" })], around)
    const documents = parseAllDocuments(files[0]?.text ?? "").map((document) => document.toJS())
    expect(documents.map(({ kind }) => kind)).toEqual(["PersistentVolumeClaim", "CronJob", "CronJob"])
    const [, first, second] = documents
    expect(first).toMatchObject({
      apiVersion: "batch/v1",
      metadata: { name: "sluice-docs-watch" },
      spec: {
        schedule: "15 */6 * * *",
        timeZone: "Europe/Berlin",
        concurrencyPolicy: "Forbid",
        startingDeadlineSeconds: 86_400
      }
    })
    expect(second).toMatchObject({
      metadata: { name: "sluice-nightly-export" },
      spec: { concurrencyPolicy: "Replace", startingDeadlineSeconds: 60 }
    })
    const [container] = first.spec.jobTemplate.spec.template.spec.containers
    expect(container.args.slice(0, 3)).toEqual(["schedule", "run", "pipelines/docs-watch.yaml"])
    expect(refused).toEqual([{ name: "last", reason: "five-field cron cannot express L, the last day of a month" }])
    expect(files[0]?.text).toContain("# docs-watch: Kubernetes cannot express jitter.")
  })
})
