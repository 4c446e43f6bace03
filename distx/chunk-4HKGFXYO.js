import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  schemaFile,
  schemaText,
  testSchemaFile,
  testSchemaText
} from "./chunk-OSIFFVJV.js";
import "./chunk-ZDDOVD4E.js";
import {
  makeFolder
} from "./chunk-4D2OEZ5S.js";
import "./chunk-22T4FJR7.js";
import {
  make,
  optional
} from "./chunk-FCWYZXNV.js";
import {
  FileUnusable,
  place
} from "./chunk-BMNGXVO7.js";
import {
  paint
} from "./chunk-CZDJQLZL.js";
import "./chunk-Y3UV4EDE.js";
import "./chunk-3BWTLUFE.js";
import "./chunk-LO3OT3SC.js";
import "./chunk-OWXHLDRW.js";
import {
  catalogue
} from "./chunk-PGOM52WJ.js";
import "./chunk-XQTUQ7MU.js";
import "./chunk-OH7QELJ7.js";
import "./chunk-NEXSCO5F.js";
import {
  FileSystem,
  Path
} from "./chunk-4U3SQ3WC.js";
import {
  fileErrorReason
} from "./chunk-DUMKR6VQ.js";
import "./chunk-PAQDWWDE.js";
import {
  as2 as as,
  catchIf,
  fn,
  forEach2 as forEach,
  gen,
  map9 as map,
  mapError2 as mapError,
  succeed4 as succeed
} from "./chunk-JGKSI326.js";
import "./chunk-6CVURTE2.js";
import "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";

// src/Cli/Init.ts
var parameters = {
  folder: optional("DIR", "Where to; default: the current folder.")
}, command = make({
  details: "What is already there stays as it is.",
  parameters,
  examples: [
    { line: "sluice init", what: "here" },
    { line: "sluice init gather", what: "in a new folder" }
  ],
  run: (options, terminal) => run(options, terminal)
}), elsewhere = "Give a folder that you may write to: sluice init DIR", unusable = (path) => (cause) => new FileUnusable({ path, reason: `${fileErrorReason(cause)}. ${elsewhere}`, cause }), writeNew = fn("Init.writeNew")(function* (path, text) {
  let files = yield* FileSystem, paths = yield* Path;
  return yield* makeFolder(paths.dirname(path), elsewhere), yield* files.writeFileString(path, text, { flag: "wx" }).pipe(
    as("written"),
    catchIf(
      (error) => error._tag === "SystemError" && error.reason === "AlreadyExists",
      () => succeed("there already")
    ),
    mapError(unusable(path))
  );
}), ignore = fn("Init.ignore")(function* (path) {
  let files = yield* FileSystem, present = yield* files.readFileString(path).pipe(
    catchIf(
      (error) => error._tag === "SystemError" && error.reason === "NotFound",
      () => succeed("")
    ),
    mapError(unusable(path))
  ), lines = new Set(present.split(/\r?\n/).map((line) => line.trim())), missing = ignored.filter((line) => !lines.has(line) && !lines.has(line.replace(/\/$/, "")));
  if (missing.length === 0) return "there already";
  let text = `${present}${present === "" || present.endsWith(`
`) ? "" : `
`}${missing.join(`
`)}
`;
  return yield* mapError(files.writeFileString(path, text), unusable(path)), present === "" ? "written" : "extended";
}), run = ({ folder = "." }, terminal) => gen(function* () {
  let paths = yield* Path, root = paths.resolve(folder), made = yield* forEach(
    [...starterFiles, [schemaFile, schemaText()], [testSchemaFile, testSchemaText()]],
    ([name, text]) => map(writeNew(paths.join(root, name), text), (deed) => [paths.join(root, name), deed])
  ), gitignore = paths.join(root, ".gitignore"), deeds = [...made, [gitignore, yield* ignore(gitignore)]], dye = paint(terminal.out), width = Math.max(...deeds.map(([path]) => place(path).length)), lines = deeds.map(([path, deed]) => {
    let said = deed === "there already" ? dye.dim("there already, left as it is") : dye.green(deed);
    return `  ${place(path).padEnd(width)}   ${said}`;
  }), next = `${place(root) === "." ? "" : `cd ${place(root)} && `}npx sluice run pipelines/first.yaml`;
  terminal.out.write(`${lines.join(`
`)}

Next: ${dye.bold(next)}
`);
}), pipeline = `# yaml-language-server: $schema=../.sluice/pipeline.schema.json
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
`, page = (title, body) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title></head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`, settings = `# Settings of sluice. Copy what you need to a file that git ignores, and load it with your shell.
${Object.values(catalogue).map(({ description, env }) => `
# ${description}
#${env}=
`).join("")}`, extensions = `${JSON.stringify({ recommendations: ["redhat.vscode-yaml"] }, null, 2)}
`, starterFiles = [
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
], ignored = ["node_modules/", ".sluice/", ".env"];
export {
  command,
  ignored,
  starterFiles
};
