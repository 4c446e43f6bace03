/** Prints the schema, or puts it where definitions look for it. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { pipelineSchema } from "../../Pipeline/JsonSchema.ts"
import { FileUnusable } from "../Errors.ts"
import type { SchemaParameters } from "../Schema.ts"
import type { Terminal } from "../Terminal.ts"

/** Under the folder of a project. */
export const schemaFile = ".sluice/pipeline.schema.json"

export const schemaText = (): string => `${JSON.stringify(pipelineSchema(), null, 2)}\n`

export const program = ({ write }: SchemaParameters, terminal: Terminal) =>
  Effect.gen(function* () {
    if (!write) return terminal.out.write(schemaText())
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    yield* files.makeDirectory(paths.dirname(schemaFile), { recursive: true }).pipe(
      Effect.zipRight(files.writeFileString(schemaFile, schemaText())),
      Effect.mapError((cause) => new FileUnusable({ path: schemaFile, reason: cause.message, cause }))
    )
    terminal.out.write(`${schemaFile}\n`)
  })
