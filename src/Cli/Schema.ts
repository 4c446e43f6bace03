/** `sluice schema`: the pipeline language as JSON Schema, for editors. */

import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { registryOf } from "../Pipeline/Check.ts"
import { pipelineSchema } from "../Pipeline/JsonSchema.ts"
import type { Steps } from "../Pipeline/Node.ts"
import { read } from "../Pipeline/Source.ts"
import { testSchema } from "../Pipeline/TestFile.ts"
import { unusable } from "./CommandErrors.ts"
import { makeFolder } from "./Folder.ts"
import * as Parameter from "./Parameter.ts"
import * as SharedFlags from "./SharedFlags.ts"
import type { Terminal } from "./Terminal.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  definition: Parameter.text("FILE", "The schema of this definition, with the steps of its extensions."),
  "allow-code": SharedFlags.allowCode,
  test: Parameter.toggle("The schema of test files (NAME.test.yaml) instead."),
  write: Parameter.toggle(
    "Writes .sluice/pipeline.schema.json and .sluice/test.schema.json, with --test only the latter, instead of stdout."
  )
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  details:
    "The first line of a definition (of a test, with test.schema.json) names it: # yaml-language-server: $schema=../.sluice/pipeline.schema.json",
  parameters,
  examples: [
    { line: "sluice schema --write", what: "writes the schema where definitions made by init look for it" },
    { line: "sluice schema > pipeline.schema.json", what: "anywhere else" }
  ],
  run: (options, terminal) => run(options, terminal)
})

/** Path below the folder of a project. */
export const schemaFile = ".sluice/pipeline.schema.json"

export const schemaText = (steps?: Steps): string => `${JSON.stringify(pipelineSchema(steps), null, 2)}\n`

/** Path of the JSON Schema for the test files of pipelines, below the folder of a project. */
export const testSchemaFile = ".sluice/test.schema.json"

export const testSchemaText = (): string => `${JSON.stringify(testSchema(), null, 2)}\n`

const run = ({ definition, test, write }: Options, terminal: Terminal) =>
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
    yield* makeFolder(paths.dirname(schemaFile), "Go to a folder that you may write to.")
    for (const [file, text] of all) {
      yield* Effect.mapError(files.writeFileString(file, text), unusable(file))
      terminal.out.write(`${file}\n`)
    }
  })
