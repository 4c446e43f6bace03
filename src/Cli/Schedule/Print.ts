/** `sluice schedule --print`: prints the schedules of a folder for another scheduler. */
import { userInfo } from "node:os"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { declaredOf } from "../../Schedule/Read.ts"
import { catalogue } from "../../Settings.ts"
import { SchedulesLeftOut, scheduleRefused, unusable } from "../CommandErrors.ts"
import { readSettings } from "../CommandSettings.ts"
import { makeFolder } from "../Folder.ts"
import { place } from "../Format.ts"
import { trustArguments } from "../SharedFlags.ts"
import { paint, type Terminal } from "../Terminal.ts"
import { crontab } from "./Crontab.ts"
import * as Definitions from "./Definitions.ts"
import { github } from "./Github.ts"
import { k8s } from "./Kubernetes.ts"
import { brokenText } from "./News.ts"
import type { ScheduleOptions } from "./Options.ts"
import { defaultFolder, type Target } from "./Options.ts"
import { systemd } from "./Systemd.ts"
import type { Job, PrintedFile, Printer } from "./Template.ts"

const printers: Readonly<Record<Target, Printer>> = { cron: crontab, systemd, github, k8s }

/** Environment variables that a definition reads, as `secrets.NAME` or `env.NAME`. */
const namesOf = (text: string, scope: "env" | "secrets"): ReadonlyArray<string> => {
  const expressions = [...text.matchAll(/\$\{\{(.*?)\}\}/g)].map(([, inner = ""]) => inner)
  const names = expressions.flatMap((inner) =>
    [...inner.matchAll(new RegExp(`\\b${scope}\\.(\\w+)`, "g"))].map(([, name = ""]) => name)
  )
  return [...new Set(names)].sort()
}

const jobOf = (
  { checked, file, name, schedule }: Definitions.Scheduled,
  inputs: Readonly<Record<string, string>>
): Job => ({
  name,
  description: checked.frame.description,
  file,
  schedule,
  inputs: Object.entries(declaredOf(checked.source, inputs)),
  secrets: namesOf(checked.source.text, "secrets"),
  variables: namesOf(checked.source.text, "env")
})

/** Adds a comment to the first file: the settings of this environment that no file mentions. */
const withSettings = (files: ReadonlyArray<PrintedFile>, env: Terminal["env"]): ReadonlyArray<PrintedFile> => {
  const names = Object.entries(catalogue).flatMap(([name, setting]) =>
    name === "dataDir" || !env[setting.env] || files.some(({ text }) => text.includes(setting.env)) ? [] : setting.env
  )
  const comment = `# Settings of this environment that the commands do not have: ${names.join(", ")}.\n`
  return names.length === 0
    ? files
    : files.map((file, index) => (index > 0 ? file : { ...file, text: `${comment}${file.text}` }))
}

/** Text of a single file; several files follow each other under their names. */
const joined = (files: ReadonlyArray<PrintedFile>): string =>
  files.length === 1 ? (files[0]?.text ?? "") : files.map(({ name, text }) => `# ---- ${name} ----\n${text}`).join("\n")

const write = (folder: string, printed: ReadonlyArray<PrintedFile>, terminal: Terminal) =>
  Effect.gen(function* () {
    const fileSystem = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    yield* makeFolder(paths.resolve(folder), "Name another folder with --into.")
    for (const { name, text } of printed) {
      const path = paths.join(folder, name)
      yield* Effect.mapError(fileSystem.writeFileString(path, text), unusable(path))
      terminal.out.write(`${place(path)}\n`)
    }
  })

/** Prints the schedules. Reads no secrets: they belong to the machine that runs the pipelines. */
export const program = (target: Target, options: ScheduleOptions, terminal: Terminal) =>
  Effect.gen(function* () {
    const paths = yield* Path.Path
    const named = options.action ?? options.folder ?? defaultFolder
    const settings = yield* readSettings(terminal.env, options.profile)
    const { broken, scheduled } = yield* Definitions.find(named, {
      env: terminal.env,
      code: options["allow-code"],
      strange: true,
      inputs: options.input
    })
    yield* Definitions.ensureDeclared(options.input, { broken, scheduled })
    for (const { lines } of broken) terminal.err.write(`${brokenText(lines, terminal.err)}\n`)
    if (scheduled.length === 0) {
      return yield* scheduleRefused(`no definition in ${named} has a schedule`)
    }
    const { files: printed, refused } = printers[target](
      scheduled.map((each) => jobOf(each, options.input)),
      {
        node: process.execPath,
        bin: paths.resolve(process.argv[1] ?? "sluice"),
        folder: paths.resolve("."),
        data: paths.resolve(options.data ?? settings.dataDir),
        out: paths.resolve(options.out ?? "."),
        flags: [
          ...(options.profile === undefined ? [] : ["--profile", options.profile]),
          ...(options["allow-code"] ? ["--allow-code"] : []),
          ...trustArguments(options)
        ],
        onCluster: options.on === "cluster",
        user: Option.getOrUndefined(Option.liftThrowable(() => userInfo().username)()),
        image: options.image,
        now: yield* Clock.currentTimeMillis
      }
    )
    const files = withSettings(printed, terminal.env)
    if (options.into === undefined) terminal.out.write(joined(files))
    else yield* write(options.into, files, terminal)
    const dye = paint(terminal.err)
    for (const { name, reason } of refused) terminal.err.write(`${dye.yellow("not printed:")} ${name}: ${reason}\n`)
    if (refused.length + broken.length > 0) {
      return yield* new SchedulesLeftOut({
        names: [...refused.map(({ name }) => name), ...broken.map(({ file }) => place(file))]
      })
    }
  })
