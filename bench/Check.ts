/** Duration of `sluice check` on a long definition, as a process: the built executable against an empty Node script. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { atMost, type Bench, median } from "./Measure/Figures.ts"
import { bin, folderFor, remove, wall } from "./Measure/Programs.ts"

const rounds = 10

/** Every kind of value: texts, numbers, settled values, expressions that are paths and such that are none, nested options. */
const branch = (index: number): ReadonlyArray<string> => [
  `  - id: found${index}`,
  ...(index === 0 ? [] : [`    after: written${index - 1}`]),
  "    search:",
  '      query: "${{ inputs.query }} site:example.com"',
  '      limit: "${{ inputs.limit }}"',
  "      sources: [web, news]",
  "    retry: { times: 3, on: [429, 5xx, timeout] }",
  "  - dedupe: { key: $canonicalUrl(url) }",
  "  - batchScrape:",
  "      url: { expr: url }",
  "      formats: [markdown, links]",
  "      onlyMainContent: true",
  "    onError: { reject: true, stopAfter: 5% }",
  "  - where: metadata.statusCode = 200 and $length(markdown) > 200",
  "  - select:",
  "      url: metadata.sourceURL",
  "      title: metadata.title ?? $source.title",
  `      words${index}: $count($split(markdown, /\\s+/))`,
  "      host: $host(metadata.sourceURL)",
  "  - limit: 20",
  `  - id: written${index}`,
  "    write:",
  `      csv: out/found-${index}.csv`,
  `      columns: { url: string, title: string, words${index}: integer, host: string }`
]

const definition = [
  "version: 1",
  "name: long",
  "description: A definition of three hundred lines.",
  "inputs:",
  "  query: { type: string, default: open source }",
  "  limit: { type: integer, default: 20, minimum: 1, maximum: 100 }",
  "steps:",
  ...Array.from({ length: 12 }, (_, index) => branch(index)).flat(),
  ""
]
  .slice(0, 300)
  .join("\n")

export const bench: Bench = {
  name: "check",
  run: () => {
    const folder = folderFor()
    const [empty, pipeline] = [join(folder, "empty.mjs"), join(folder, "long.yaml")]
    // So that the definition is the project's: `check` refuses searches of others.
    process.chdir(folder)
    writeFileSync(empty, "")
    writeFileSync(pipeline, definition)
    // In turns, so that what else the machine does meets both.
    const turns = Array.from({ length: rounds }, () => ({ empty: wall(empty), check: wall(bin, "check", pipeline) }))
    remove(folder)
    const lines = definition.split("\n").length
    return Promise.resolve([
      atMost(`sluice check, ${lines} lines`, median(turns.map(({ check }) => check)), "ms", 300),
      atMost(
        `sluice check, ${lines} lines / an empty node script`,
        median(turns.map(({ check, empty }) => check / empty)),
        "×",
        5
      )
    ])
  }
}
