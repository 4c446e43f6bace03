/** Writes the starter files that are not there yet. */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { fileErrorReason } from "../../Files/FileErrors.ts"
import { FileUnusable } from "../Errors.ts"
import * as Folder from "../Folder.ts"
import type { InitParameters } from "../Init.ts"
import { schemaFile, schemaText, testSchemaFile, testSchemaText } from "../Schema/Program.ts"
import { paint, type Terminal } from "../Terminal.ts"
import { place } from "../Words.ts"
import { ignored, files as starter } from "./Starter.ts"

type Deed = "written" | "there already" | "extended"

const elsewhere = "Give a folder that you may write to: sluice init DIR"

const unusable = (path: string) => (cause: PlatformError) =>
  new FileUnusable({ path, reason: `${fileErrorReason(cause)}. ${elsewhere}`, cause })

/** Writes a file, but never over another one. */
const writeNew = Effect.fn("Init.writeNew")(function* (path: string, text: string) {
  const files = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  yield* Folder.make(paths.dirname(path), elsewhere)
  return yield* files.writeFileString(path, text, { flag: "wx" }).pipe(
    Effect.as<Deed>("written"),
    Effect.catchIf(
      (error) => error._tag === "SystemError" && error.reason === "AlreadyExists",
      () => Effect.succeed<Deed>("there already")
    ),
    Effect.mapError(unusable(path))
  )
})

/** Adds to a .gitignore what it does not say yet. */
const ignore = Effect.fn("Init.ignore")(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const present = yield* files.readFileString(path).pipe(
    Effect.catchIf(
      (error) => error._tag === "SystemError" && error.reason === "NotFound",
      () => Effect.succeed("")
    ),
    Effect.mapError(unusable(path))
  )
  const lines = new Set(present.split(/\r?\n/).map((line) => line.trim()))
  const missing = ignored.filter((line) => !lines.has(line) && !lines.has(line.replace(/\/$/, "")))
  if (missing.length === 0) return "there already" satisfies Deed
  const text = `${present}${present === "" || present.endsWith("\n") ? "" : "\n"}${missing.join("\n")}\n`
  yield* Effect.mapError(files.writeFileString(path, text), unusable(path))
  return present === "" ? ("written" satisfies Deed) : ("extended" satisfies Deed)
})

export const program = ({ folder = "." }: InitParameters, terminal: Terminal) =>
  Effect.gen(function* () {
    const paths = yield* Path.Path
    const root = paths.resolve(folder)
    const made = yield* Effect.forEach(
      [...starter, [schemaFile, schemaText()] as const, [testSchemaFile, testSchemaText()] as const],
      ([name, text]) =>
        Effect.map(writeNew(paths.join(root, name), text), (deed) => [paths.join(root, name), deed] as const)
    )
    const gitignore = paths.join(root, ".gitignore")
    const deeds = [...made, [gitignore, yield* ignore(gitignore)] as const]
    const dye = paint(terminal.out)
    const width = Math.max(...deeds.map(([path]) => place(path).length))
    const lines = deeds.map(([path, deed]) => {
      const said = deed === "there already" ? dye.dim("there already, left as it is") : dye.green(deed)
      return `  ${place(path).padEnd(width)}   ${said}`
    })
    const next = `${place(root) === "." ? "" : `cd ${place(root)} && `}npx sluice run pipelines/first.yaml`
    terminal.out.write(`${lines.join("\n")}\n\nNext: ${dye.bold(next)}\n`)
  })
