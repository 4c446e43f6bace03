/** Renders chapters for a terminal, or as Markdown for `docs/reference.md`. */
import type { Entry, Field, Reference } from "../../Pipeline/Reference.ts"
import { table, wrap } from "../Help.ts"
import { type Channel, type Paint, paint } from "../Terminal.ts"
import { type Block, type Chapter, takes } from "./Chapter.ts"

/** Removes Markdown's backticks, for a terminal. */
const unmarked = (text: string): string => text.replaceAll("`", "")

const describe = (field: Field): string => {
  const fallback = "default" in field ? ` (default ${JSON.stringify(field.default)})` : ""
  const about = field.about === undefined ? "" : `. ${field.about}`
  return unmarked(`${field.required ? "required: " : ""}${takes(field)}${fallback}${about}`)
}

const indent = (lines: ReadonlyArray<string>): string => lines.map((line) => `  ${line}`).join("\n")

const drawBlock = (block: Block, width: number, dye: Paint): string => {
  switch (block.kind) {
    case "text":
      return indent(wrap(unmarked(block.text), width - 2))
    case "code":
      return indent(block.code.split("\n"))
    case "entries":
      return table(
        block.entries.map(([term, meaning]) => [term, unmarked(meaning)] as const),
        width,
        dye
      )
    case "fields":
      return table(
        block.fields.map((field) => [field.name, describe(field)] as const),
        width,
        dye
      )
  }
}

const widthOf = (channel: Channel): number => Math.min(channel.columns(), 100)

/** Renders one chapter. */
export const page = ({ lead, sections, title }: Chapter, channel: Channel): string => {
  const dye = paint(channel)
  const width = widthOf(channel)
  const parts = sections.map(({ blocks, heading }) =>
    [dye.bold(heading), ...blocks.map((block) => drawBlock(block, width, dye))].join("\n")
  )
  return `${[dye.bold(title), ...wrap(unmarked(lead), width)].join("\n")}\n\n${parts.join("\n\n")}\n`
}

/** Lists all topics, one per line. */
export const overview = ({ sinks, steps }: Reference, topics: ReadonlyArray<Chapter>, channel: Channel): string => {
  const dye = paint(channel)
  const width = widthOf(channel)
  const list = (entries: ReadonlyArray<Entry>) =>
    table(
      entries.map(({ key, summary }) => [key, summary] as const),
      width,
      dye
    )
  return [
    `${dye.bold("Steps")}\n${list(steps)}`,
    `${dye.bold("Sinks, the values of write")}\n${list(sinks)}`,
    `${dye.bold("Around them")}\n${table(
      topics.map(({ lead, name }) => [name, unmarked(lead)] as const),
      width,
      dye
    )}`,
    `${dye.dim("sluice explain NAME tells more.")}\n`
  ].join("\n\n")
}

/** Escapes text for a cell of a Markdown table. */
const cell = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part : part.replaceAll("<", "&lt;").replaceAll("*", "\\*")))
    .join("")
    .replaceAll("|", "\\|")
    .replace(/\s*\n\s*/g, " ")

/** Inline code, which may itself contain a backtick. */
const code = (text: string): string => (text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``)

const tableRow = (cells: ReadonlyArray<string>): string => `| ${cells.map(cell).join(" | ")} |`

const tableOf = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [tableRow(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(tableRow)].join("\n")

const fieldRow = (field: Field): ReadonlyArray<string> => [
  `${code(field.name)}${field.required ? " (required)" : ""}`,
  takes(field).replace("{ expr: … }", "`{ expr: … }`"),
  "default" in field ? code(JSON.stringify(field.default)) : "",
  field.about ?? ""
]

const markdownBlock = (block: Block): string => {
  switch (block.kind) {
    case "text":
      return block.text.replace(/\$\{\{ [^}]* \}\}/g, (each) => code(each))
    case "code":
      return `\`\`\`yaml\n${block.code}\n\`\`\``
    case "entries":
      return tableOf(
        ["", "what"],
        block.entries.map(([term, meaning]) => [code(term), meaning])
      )
    case "fields":
      return tableOf(["field", "takes", "default", "what"], block.fields.map(fieldRow))
  }
}

/** A chapter as Markdown, with a heading of the given level. */
export const markdown = ({ lead, sections, title }: Chapter, level: number): string =>
  [
    `${"#".repeat(level)} ${title}`,
    lead,
    ...sections.flatMap(({ blocks, heading }) => [`**${heading}**`, ...blocks.map(markdownBlock)])
  ].join("\n\n")

/** The whole reference. */
export const book = (
  parts: ReadonlyArray<{ readonly title: string; readonly chapters: ReadonlyArray<Chapter> }>
): string => {
  const anchor = (title: string) => title.toLowerCase().replace(/[^\w]+/g, "-")
  const contents = parts.map(
    ({ chapters, title }) =>
      `- [${title}](#${anchor(title)}): ${chapters.map((each) => `[${each.title}](#${anchor(each.title)})`).join(" · ")}`
  )
  return `${[
    "# Reference",
    "Every step, sink, key, function, setting, exit code, verb and flag. Made by `npm run reference` from the schemas and verbs of the program; `sluice explain NAME` shows the same in a terminal.",
    contents.join("\n"),
    ...parts.flatMap(({ chapters, title }) => [`## ${title}`, ...chapters.map((each) => markdown(each, 3))])
  ].join("\n\n")}\n`
}
