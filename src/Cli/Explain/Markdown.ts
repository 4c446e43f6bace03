/** Chapters as Markdown: the reference of `docs/`. */
import type { Field } from "../../Pipeline/Reference.ts"
import { type Block, type Chapter, takes } from "./Chapter.ts"

/** A text as a cell of a table: nothing of it ends the cell or begins a tag. */
const cell = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part : part.replaceAll("<", "&lt;").replaceAll("*", "\\*")))
    .join("")
    .replaceAll("|", "\\|")
    .replace(/\s*\n\s*/g, " ")

/** Code that may hold a backtick itself. */
const code = (text: string): string => (text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``)

const row = (cells: ReadonlyArray<string>): string => `| ${cells.map(cell).join(" | ")} |`

const tableOf = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [row(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(row)].join("\n")

const fieldRow = (field: Field): ReadonlyArray<string> => [
  `${code(field.name)}${field.required ? " (required)" : ""}`,
  takes(field).replace("{ expr: … }", "`{ expr: … }`"),
  "default" in field ? code(JSON.stringify(field.default)) : "",
  field.about ?? ""
]

const draw = (block: Block): string => {
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

/** A chapter whose heading has `level` marks. */
export const markdown = ({ lead, sections, title }: Chapter, level: number): string =>
  [
    `${"#".repeat(level)} ${title}`,
    lead,
    ...sections.flatMap(({ blocks, heading }) => [`**${heading}**`, ...blocks.map(draw)])
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
