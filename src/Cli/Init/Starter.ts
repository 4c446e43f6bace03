/** What `init` writes: a pipeline of a few lines, and three pages for it to read. */
import { catalogue } from "../../Settings.ts"

const pipeline = `# yaml-language-server: $schema=../.sluice/pipeline.schema.json
# Editors complete and check with that schema; where it is missing, as in a fresh clone: npx sluice schema --write
#
# Your first pipeline. It crawls the small site beside this file, which is served on this machine while it runs, and
# writes one line for each page. For a site of the web, take \`site\` away and put its address in place of \${{ run.site }}.
version: 1
name: first
description: One line for each page of a small site.
site: ./first-site

inputs:
  limit: { type: integer, description: Pages at most., default: 20, minimum: 1, maximum: 1000 }

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

/** What reads the schema that the first line of a definition names. */
const extensions = `${JSON.stringify({ recommendations: ["redhat.vscode-yaml"] }, null, 2)}\n`

/** Paths with their texts, in the order in which they are named. */
export const files: ReadonlyArray<readonly [path: string, text: string]> = [
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
  ["config/example.env", settings],
  [".vscode/extensions.json", extensions]
]

/** What git should not see. */
export const ignored: ReadonlyArray<string> = ["node_modules/", ".sluice/", ".env"]
