/** `sluice init`: writes a first pipeline, without overwriting anything. */

import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { catalogue } from "../Settings.ts"
import * as Trace from "../Telemetry/Trace.ts"
import { unusable } from "./CommandErrors.ts"
import { makeFolder } from "./Folder.ts"
import { place } from "./Format.ts"
import * as Parameter from "./Parameter.ts"
import { schemaFile, schemaText, testSchemaFile, testSchemaText } from "./Schema.ts"
import { paint, type Terminal } from "./Terminal.ts"
import { templatesOf } from "./TextTemplate.ts"
import * as Verb from "./Verb.ts"

/** Recipes in `Templates/recipes.txt`. Each has a page in `docs/recipes`, which starts with the rows that the recipe produces. */
export const recipes = [
  "shop-changes",
  "job-board",
  "hourly-news",
  "events",
  "public-register",
  "price-list",
  "json-api",
  "docs-changes",
  "member-portal",
  "competitor-watch"
] as const

type Recipe = (typeof recipes)[number]

/** Definition of a recipe, with URLs of `example.com`. */
export const recipeText = (name: Recipe): string => `${templatesOf("recipes.txt")(name).join("\n").trim()}\n`

const parameters = {
  folder: Parameter.optional("DIR", "Where to; default: the current folder."),
  recipe: Parameter.choice("NAME", recipes, "Writes this recipe in place of the first pipeline; change its addresses.")
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  details: `What is already there stays as it is. Recipes: ${recipes.join(", ")}.`,
  parameters,
  examples: [
    { line: "sluice init", what: "here" },
    { line: "sluice init gather", what: "in a new folder" },
    { line: "sluice init --recipe shop-changes", what: "a pipeline for a job like yours" }
  ],
  run: (options, terminal) => run(options, terminal)
})

type FileOutcome = "written" | "there already" | "extended"

const elsewhere = "Give a folder that you may write to: sluice init DIR"

/** Writes a file, but never overwrites one. */
const writeNew = Trace.fn("Init.writeNew")(function* (path: string, text: string) {
  const files = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  yield* makeFolder(paths.dirname(path), elsewhere)
  return yield* files.writeFileString(path, text, { flag: "wx" }).pipe(
    Effect.as<FileOutcome>("written"),
    Effect.catchIf(
      (error) => error._tag === "SystemError" && error.reason === "AlreadyExists",
      () => Effect.succeed<FileOutcome>("there already")
    ),
    Effect.mapError(unusable(path, elsewhere))
  )
})

/** Adds missing lines to a .gitignore. */
const ignore = Trace.fn("Init.ignore")(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const present = yield* files.readFileString(path).pipe(
    Effect.catchIf(
      (error) => error._tag === "SystemError" && error.reason === "NotFound",
      () => Effect.succeed("")
    ),
    Effect.mapError(unusable(path, elsewhere))
  )
  const lines = new Set(present.split(/\r?\n/).map((line) => line.trim()))
  const missing = ignored.filter((line) => !lines.has(line) && !lines.has(line.replace(/\/$/, "")))
  if (missing.length === 0) return "there already" satisfies FileOutcome
  const text = `${present}${present === "" || present.endsWith("\n") ? "" : "\n"}${missing.join("\n")}\n`
  yield* Effect.mapError(files.writeFileString(path, text), unusable(path, elsewhere))
  return present === "" ? ("written" satisfies FileOutcome) : ("extended" satisfies FileOutcome)
})

/** Path and text of the recipe's definition; its first line names the schema for editors. */
const recipeFile = (recipe: Recipe) => [`pipelines/${recipe}.yaml`, `${modeline}\n${recipeText(recipe)}`] as const

const run = ({ folder = ".", recipe }: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const paths = yield* Path.Path
    const root = paths.resolve(folder)
    const made = yield* Effect.forEach(
      [
        ...(recipe === undefined ? starterFiles : [recipeFile(recipe), ...settingsFiles]),
        [schemaFile, schemaText()] as const,
        [testSchemaFile, testSchemaText()] as const
      ],
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
    const there = place(root) === "." ? "" : `cd ${place(root)} && `
    const next =
      recipe === undefined
        ? dye.bold(`${there}npx sluice run pipelines/first.yaml`)
        : `put your addresses and fields into ${place(paths.join(root, recipeFile(recipe)[0]))}, then ${dye.bold(`${there}npx sluice run ${recipeFile(recipe)[0]}`)}`
    terminal.out.write(`${lines.join("\n")}\n\nNext: ${next}\n`)
  })

const modeline = "# yaml-language-server: $schema=../.sluice/pipeline.schema.json"

const pipeline = `${modeline}
# Editors complete and check with that schema; where it is missing, as in a fresh clone: npx sluice schema --write
#
# Your first pipeline. It crawls the small site beside this file, which is served on this machine while it runs, and
# writes one line for each page. For a site of the web, take \`site\` away and put its address in place of \${{ run.site }}.
version: 1
name: first
description: One line for each page of a small site.

inputs:
  limit: { type: integer, description: Pages at most., default: 20, minimum: 1, maximum: 1000 }

site: ./first-site

steps:
  - crawl:
      url: "\${{ run.site }}"
      limit: "\${{ inputs.limit }}"
      scrapeOptions: { formats: [markdown] }
  - where: metadata.statusCode = 200
  - select:
      page: $substringAfter(metadata.sourceURL, $run.site)
      title: metadata.title
      words: $count($split(markdown, /\\s+/))
  - write: { csv: first.csv, columns: { page: string, title: string, words: integer } }
`

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title></head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`

const settings = `# Settings of sluice. Copy what you need to a file that git ignores, and load it with your shell.
${Object.values(catalogue)
  .map(({ description, env }) => `\n# ${description}\n#${env}=\n`)
  .join("")}`

/** Extension that reads the schema named in the first line of a definition. */
const extensions = `${JSON.stringify({ recommendations: ["redhat.vscode-yaml"] }, null, 2)}\n`

const settingsFiles = [
  ["config/example.env", settings],
  [".vscode/extensions.json", extensions]
] as const

/** Paths with their texts, in the order in which the command prints them. */
export const starterFiles: ReadonlyArray<readonly [path: string, text: string]> = [
  ["pipelines/first.yaml", pipeline],
  [
    "pipelines/first-site/index.html",
    page(
      "The lock keeper's notes",
      '<p>Two pages about keeping a canal lock: <a href="gates.html">the gates</a> and <a href="paddles.html">the paddles</a>.</p>'
    )
  ],
  [
    "pipelines/first-site/gates.html",
    page(
      "The gates",
      "<p>A pair of mitre gates meets at an angle that points upstream, so that the water itself presses them shut.</p>"
    )
  ],
  [
    "pipelines/first-site/paddles.html",
    page(
      "The paddles",
      "<p>A paddle lets water past a closed gate. Wind it up slowly: the boat in the lock should rise and not leap.</p>"
    )
  ],
  ...settingsFiles
]

/** Paths for .gitignore. */
export const ignored: ReadonlyArray<string> = ["node_modules/", ".sluice/", ".env", "*.partial"]
