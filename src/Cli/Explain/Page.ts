/** A chapter for a terminal. */
import type { Entry, Field, Reference } from "../../Pipeline/Reference.ts"
import { table, wrap } from "../Help.ts"
import { type Channel, type Paint, paint } from "../Terminal.ts"
import { type Block, type Chapter, takes } from "./Chapter.ts"

/** The marks of Markdown are for Markdown. */
const plain = (text: string): string => text.replaceAll("`", "")

const describe = (field: Field): string => {
  const fallback = "default" in field ? ` (default ${JSON.stringify(field.default)})` : ""
  const about = field.about === undefined ? "" : `. ${field.about}`
  return plain(`${field.required ? "required: " : ""}${takes(field)}${fallback}${about}`)
}

const indent = (lines: ReadonlyArray<string>): string => lines.map((line) => `  ${line}`).join("\n")

const draw = (block: Block, width: number, dye: Paint): string => {
  switch (block.kind) {
    case "text":
      return indent(wrap(plain(block.text), width - 2))
    case "code":
      return indent(block.code.split("\n"))
    case "entries":
      return table(
        block.entries.map(([term, meaning]) => [term, plain(meaning)] as const),
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

/** One chapter. */
export const page = ({ lead, sections, title }: Chapter, channel: Channel): string => {
  const dye = paint(channel)
  const width = widthOf(channel)
  const parts = sections.map(({ blocks, heading }) =>
    [dye.bold(heading), ...blocks.map((block) => draw(block, width, dye))].join("\n")
  )
  return `${[dye.bold(title), ...wrap(plain(lead), width)].join("\n")}\n\n${parts.join("\n\n")}\n`
}

/** All that can be explained, a line each. */
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
      topics.map(({ lead, name }) => [name, plain(lead)] as const),
      width,
      dye
    )}`,
    `${dye.dim("sluice explain NAME tells more.")}\n`
  ].join("\n\n")
}
