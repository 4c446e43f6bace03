/** Renders the help from the table of verbs and the declarations of each verb. */
import { alone, everywhere } from "./Arguments.ts"
import type { Parameter } from "./Parameter.ts"
import { type Channel, type Paint, paint } from "./Terminal.ts"
import type { LoadedVerb, Verb } from "./Verb.ts"

type Entry = readonly [term: string, description: string]

/** Breaks text at spaces. */
export const wrap = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of text.split(" ")) {
    const line = lines[lines.length - 1]
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}

/** Two columns, terms and descriptions. The description of a long term goes below it. */
export const table = (entries: ReadonlyArray<Entry>, width: number, dye: Paint): string => {
  const widest = Math.max(...entries.map(([term]) => term.length))
  const column = widest + 4
  return entries
    .map(([term, description]) => {
      if (widest > width / 2.5) {
        return [`  ${dye.cyan(term)}`, ...wrap(description, width - 6).map((line) => `      ${line}`)].join("\n")
      }
      const [first = "", ...more] = wrap(description, width - column)
      const lines = more.map((line) => `${" ".repeat(column)}${line}`)
      return [`  ${dye.cyan(term)}${" ".repeat(column - 2 - term.length)}${first}`, ...lines].join("\n")
    })
    .join("\n")
}

/** The flags of a verb; without a short form, the name is indented. */
export const flagEntries = (parameters: Readonly<Record<string, Parameter<unknown>>>): ReadonlyArray<Entry> =>
  Object.entries(parameters)
    .filter(([, { kind }]) => kind === "flag")
    .map(([name, { description, short, value }]) => [
      `${short === undefined ? "    " : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`,
      description
    ])

const exitCodes =
  "0 ok · 1 failed · 2 usage · 3 too many rejects · 4 budget reached · 5 locked · 6 check failed · 78 definition or settings invalid · 129/130/143 stopped"

interface Page {
  readonly width: number
  readonly dye: Paint
}

const pageOf = (channel: Channel): Page => ({ width: Math.min(channel.columns(), 100), dye: paint(channel) })

/** Lists all verbs with their summaries. */
export const overview = (verbs: ReadonlyArray<Verb>, version: string, channel: Channel): string => {
  const { dye, width } = pageOf(channel)
  const entries = verbs.map((verb): Entry => [`${verb.name} ${verb.operands}`.trim(), verb.summary])
  return [
    `${dye.bold("sluice")} ${version}   Web-data pipelines: search, crawl, scrape and parse into JSONL and CSV.`,
    `${dye.bold("Usage")}   sluice VERB …`,
    `${dye.bold("Verbs")}\n${table(entries, width, dye)}`,
    `${dye.bold("Flags")}\n${table(flagEntries(alone), width, dye)}`,
    `${dye.bold("Start")}\n  sluice init && sluice run pipelines/first.yaml`,
    [dye.bold("Exit codes"), ...wrap(exitCodes, width - 2).map((line) => `  ${line}`)].join("\n"),
    `${dye.dim("sluice VERB --help shows more about a verb.")}\n`
  ].join("\n\n")
}

/** Describes one verb with its operands, flags and examples. */
export const about = (verb: LoadedVerb, channel: Channel): string => {
  const { dye, width } = pageOf(channel)
  const operands = Object.values(verb.parameters)
    .filter(({ kind }) => kind === "operand")
    .map(({ description, value = "" }): Entry => [value, description])
  const flags = flagEntries({ ...verb.parameters, ...everywhere })
  return [
    ...wrap(verb.summary, width),
    "",
    `${dye.bold("Usage")}   ${["sluice", verb.name, verb.operands, "[flags]"].filter((word) => word !== "").join(" ")}`,
    "",
    ...(operands.length === 0 ? [] : [table(operands, width, dye), ""]),
    `${dye.bold("Flags")}\n${table(flags, width, dye)}`,
    "",
    `${dye.bold("Examples")}`,
    ...verb.examples.flatMap(({ line, what }) => [`  ${line}`, `      ${dye.dim(what)}`]),
    ...(verb.details === undefined ? [] : ["", ...wrap(verb.details, width)]),
    ""
  ].join("\n")
}
