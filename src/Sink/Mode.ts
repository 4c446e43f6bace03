/** What happens to a file that is already there (pipelines 14). */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { Durable, Place } from "../Sink.ts"
import type { FileError } from "./Errors.ts"
import * as File from "./File.ts"
import { perRun, resolve } from "./Path.ts"

export const Mode = Schema.optionalWith(
  Schema.Literal("replace", "append", "perRun").annotations({
    description:
      "replace: the new file takes the old one's place when the run has ended well; append: behind what is there; perRun: a file of its own, with the run's id in its name."
  }),
  { default: () => "replace" as const }
)

/** Opens the file of a template, where the mode wants it, at the byte where the run goes on. */
export const openFile = (
  template: string,
  mode: "replace" | "append" | "perRun",
  place: Place
): Effect.Effect<
  { readonly file: File.GrowingFile; readonly path: string; readonly resume: Durable | undefined },
  FileError,
  FileSystem.FileSystem | Scope.Scope
> => {
  const path = resolve(mode === "perRun" ? perRun(template) : template, place.folder, { seq: "00001", ...place.names })
  const resume = place.resume?.files.find((durable) => durable.path === path)
  return Effect.map(File.open({ path, runId: place.names.runId, append: mode === "append", resume }), (file) => ({
    file,
    path,
    resume
  }))
}
