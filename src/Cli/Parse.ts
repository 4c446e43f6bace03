/** `sluice parse`: files of this machine as Markdown, without a service and without sending them anywhere. */
import * as Parameter from "./Parameter.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  files: Parameter.many("FILE", "A file: .html .htm .pdf .docx .doc .odt .rtf .xlsx .xls, of at most 50 MB."),
  format: Parameter.choice(
    "FORMAT",
    ["markdown", "html", "rawHtml", "links", "images", "summary"],
    "What to print of each file; default: markdown. Links and images are a line each."
  ),
  whole: Parameter.toggle("All of an HTML page; without it, its main content."),
  json: Parameter.toggle("A line of JSON for each file: its content, metadata and warning, or its error.")
}

export type ParseParameters = Parameter.Values<typeof parameters>

export const parse = Verb.make({
  name: "parse",
  summary: "Turns files into Markdown, with reading order and tables kept; nothing leaves this machine.",
  details:
    "Each file is read in a process of its own with bounds on memory and time. Of several files each begins with its name in a comment. A file that cannot be read is told on stderr, the others go on, and the exit code is 1.",
  parameters,
  examples: [
    { line: "sluice parse report.pdf > report.md", what: "one file" },
    { line: "sluice parse *.docx --json", what: "content and metadata of many, a line each" },
    { line: "sluice parse page.html --format links", what: "the addresses it leads to" }
  ],
  load: () => import("./Parse/Program.ts")
})
