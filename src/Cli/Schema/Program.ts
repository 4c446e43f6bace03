/** Prints the schema, or puts it where definitions look for it. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { fileErrorReason } from "../../Files/FileErrors.ts"
import { registryOf } from "../../Pipeline/Check.ts"
import { pipelineSchema } from "../../Pipeline/JsonSchema.ts"
import type { Steps } from "../../Pipeline/Node.ts"
import { read } from "../../Pipeline/Source.ts"
import { testSchema } from "../../Pipeline/TestFile.ts"
import { FileUnusable } from "../Errors.ts"
import * as Folder from "../Folder.ts"
import type { SchemaParameters } from "../Schema.ts"
import type { Terminal } from "../Terminal.ts"

/** Under the folder of a project. */
export const schemaFile = ".sluice/pipeline.schema.json"

export const schemaText = (steps?: Steps): string => `${JSON.stringify(pipelineSchema(steps), null, 2)}\n`

/** The same for the tests beside the definitions. */
export const testSchemaFile = ".sluice/test.schema.json"

export const testSchemaText = (): string => `${JSON.stringify(testSchema(), null, 2)}\n`

export const program = ({ definition, test, write }: SchemaParameters, terminal: Terminal) =>
  Effect.gen(function* () {
    const registry = definition === undefined ? undefined : yield* Effect.flatMap(read(definition), registryOf)
    const text = schemaText(registry?.steps)
    if (!write) return terminal.out.write(test ? testSchemaText() : text)
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const all: ReadonlyArray<readonly [file: string, text: string]> = [
      ...(test ? [] : [[schemaFile, text] as const]),
      [testSchemaFile, testSchemaText()]
    ]
    yield* Folder.make(paths.dirname(schemaFile), "Go to a folder that you may write to.")
    for (const [file, text] of all) {
      yield* Effect.mapError(
        files.writeFileString(file, text),
        (cause) => new FileUnusable({ path: file, reason: fileErrorReason(cause), cause })
      )
      terminal.out.write(`${file}\n`)
    }
  })
