/** Chapters of the reference: steps, topics and verbs, before they are rendered. */
import type { Entry, Field, Form, Reference, Shape } from "../../Pipeline/Reference.ts"
import { catalogue } from "../../Settings.ts"
import { ExitCode } from "../../TypedError/ExitCode.ts"
import { isForProfiles } from "../CommandSettings.ts"
import { flagEntries as flagsOf } from "../Help.ts"
import type { Parameter } from "../Parameter.ts"
import type { LoadedVerb } from "../Verb.ts"
import { rejectReasons } from "./Rejects.ts"

/** Part of a section. `entries` are terms with their meanings. */
export type Block =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "fields"; readonly fields: ReadonlyArray<Field> }
  | { readonly kind: "entries"; readonly entries: ReadonlyArray<readonly [term: string, meaning: string]> }
  | { readonly kind: "code"; readonly code: string }

export interface Section {
  readonly heading: string
  readonly blocks: ReadonlyArray<Block>
}

export interface Chapter {
  readonly name: string
  readonly title: string
  readonly lead: string
  readonly sections: ReadonlyArray<Section>
}

const text = (text: string): Block => ({ kind: "text", text })

const fieldsOf = (fields: ReadonlyArray<Field>): Block => ({ kind: "fields", fields })

const entriesOf = (entries: ReadonlyArray<readonly [term: string, meaning: string]>): Block => ({
  kind: "entries",
  entries
})

const formNote: Readonly<Record<Form, string>> = {
  literal: "",
  "literal or expression": ", or { expr: … }",
  expression: ""
}

/** Type of a field's values, and the forms in which they may be written. */
export const takes = ({ form, type }: Pick<Field, "form" | "type">): string => `${type}${formNote[form]}`

const shapeSections = (key: string, shapes: ReadonlyArray<Shape>): ReadonlyArray<Section> =>
  shapes.map((shape) => {
    const [first] = shape.fields
    const like = shape.fields.filter(({ required }) => required).slice(0, 2)
    const mapping = (like.length === 0 && first !== undefined ? [first] : like).map(({ name }) => `${name}: …`)
    const heading = shapes.length === 1 || shape.fields.length === 0 ? "" : ` of ${key}: { ${mapping.join(", ")} }`
    return shape.fields.length === 0
      ? { heading: "Value", blocks: [text(`${takes(shape)}.`)] }
      : {
          heading: `Fields${heading}`,
          blocks: [...(shape.type.startsWith("an array") ? [text(`${takes(shape)}:`)] : []), fieldsOf(shape.fields)]
        }
  })

const usesRow = (shapes: ReadonlyArray<Shape>): boolean =>
  shapes.some(
    ({ fields, form, type }) => /expression/.test(`${form} ${type}`) || fields.some((field) => field.form !== "literal")
  )

const namesOf = (entry: Entry, { names }: Reference): string => {
  const { credentials, headers } = entry
  const settled = `\${{ … }} can stand for any value except an expression. It is filled in once, before the run, and can name ${names.settled.join(", ")}.`
  const secrets =
    headers === undefined
      ? ""
      : ` \${{ secrets.NAME }} is allowed in ${headers.join(".")}${credentials === undefined ? "" : ` and ${credentials}`}, and nowhere else.`
  const row = usesRow(entry.shapes)
    ? ` Expressions are JSONata over each row: they can use its fields, ${names.row.join(", ")}, and the functions of \`sluice explain expressions\`.`
    : ""
  return settled + secrets + row
}

/** Chapter of a step or sink. */
export const entryChapter = (entry: Entry, reference: Reference): Chapter => ({
  name: entry.key,
  title: entry.key,
  lead: entry.summary,
  sections: [
    { heading: "Rows", blocks: [text(`${entry.rows}.`)] },
    ...shapeSections(entry.kind === "sink" ? "write" : entry.key, entry.shapes),
    { heading: "Values", blocks: [text(namesOf(entry, reference))] },
    { heading: "Keys beside it", blocks: [text(`${entry.commonKeys.join(", ")}: see \`sluice explain keys\`.`)] },
    { heading: "What fails", blocks: [text(entry.failures)] },
    { heading: "Example", blocks: [{ kind: "code", code: entry.example }] }
  ]
})

const meanings: Readonly<Record<number, string>> = {
  0: "done",
  1: "failed",
  2: "wrong usage of the command line",
  3: "too many rejects",
  4: "the budget is reached; what was paid for is kept, and the run can be resumed",
  5: "another run holds the lock",
  6: "a check of the data failed",
  78: "a definition or a setting is invalid",
  129: "stopped because the terminal was closed; the run can be resumed",
  130: "stopped with Ctrl-C; the run can be resumed",
  143: "stopped by a signal; the run can be resumed"
}

const expressions = (reference: Reference): Chapter => {
  const groups = [...new Set(reference.functions.map(({ group }) => group))]
  return {
    name: "expressions",
    title: "Expressions",
    lead: "JSONata with limits: one second of computing for each row (at most 5 s by the wall clock), a million values in an array and 16 million characters in a string. Patterns take linear time, and $eval is disabled. An expression sees one row; a missing value gives nothing, and is not an error.",
    sections: [
      {
        heading: "Names",
        blocks: [
          entriesOf([
            ["a.b", "a field of the row; metadata.title"],
            ["$key", "the row's identity: its canonical address, or the hash of a file"],
            ["$source", "the earlier row that this row was made from"],
            ["$run", "the run: id, site, startedAt, date"],
            ["$inputs.NAME", "an input of the pipeline, of its declared type; ${{ … }} is refused in expressions"],
            ["$steps.ID.output", "the value of a step above, such as crawlPreview"]
          ])
        ]
      },
      {
        heading: "Examples",
        blocks: [
          entriesOf([
            ["metadata.statusCode = 200 and $length(markdown) > 200", "a condition"],
            ["metadata.title ?? $source.title", "the first value that exists and is not null"],
            ["$count($split(markdown, /\\s+/))", "words"],
            ["links[$contains($, '.pdf')]", "some items of a list"]
          ])
        ]
      },
      ...groups.map(
        (group): Section => ({
          heading: group,
          blocks: [
            entriesOf(
              reference.functions
                .filter((each) => each.group === group)
                .map(({ call, summary }) => [call, summary] as const)
            )
          ]
        })
      )
    ]
  }
}

/** Chapter of a top-level key, such as `login`; undefined for any other name. */
export const frameChapter = (name: string, { frame }: Reference): Chapter | undefined => {
  const fields = frame.filter((each) => each.name.split(/[.[]/)[0] === name)
  const [first] = fields
  if (first === undefined) return undefined
  return {
    name,
    title: name,
    lead: first.about ?? "",
    sections: [{ heading: "Keys", blocks: [fieldsOf(fields)] }]
  }
}

/** Chapters about topics, besides those about single steps and sinks. */
export const topics = (reference: Reference): ReadonlyArray<Chapter> => [
  {
    name: "frame",
    title: "Frame",
    lead: "The keys of a definition, around its steps.",
    sections: [{ heading: "Keys", blocks: [fieldsOf(reference.frame)] }]
  },
  {
    name: "keys",
    title: "Common keys",
    lead: "Keys that any step can have beside its own key. A key that has no effect on a step is a mistake.",
    sections: [{ heading: "Keys", blocks: [fieldsOf(reference.commonKeys)] }]
  },
  expressions(reference),
  {
    name: "test",
    title: "Test files",
    lead: "`NAME.test.yaml` beside a definition says what `sluice test` gives to the pipeline, and what it expects. No request is made: steps get the rows in `given.rows`, or the answers of a recording.",
    sections: [
      { heading: "Keys of the file", blocks: [fieldsOf(reference.testFile)] },
      { heading: "Keys of a test", blocks: [fieldsOf(reference.testCase)] }
    ]
  },
  {
    name: "rejects",
    title: "Reasons of rejects",
    lead: "A row that fails becomes a reject: the reject file of its run has it with a reason and a message, `sluice show --rejects` lists it, and `sluice replay` processes it again. `onError` says what a step does with rows that fail.",
    sections: rejectReasons.map(([heading, reasons]) => ({ heading, blocks: [entriesOf(Object.entries(reasons))] }))
  },
  {
    name: "settings",
    title: "Settings",
    lead: "Read from the environment, or from a profile in `config/`.",
    sections: [
      {
        heading: "Variables",
        blocks: [
          entriesOf(
            Object.entries(catalogue).map(([name, setting]) => {
              const where = isForProfiles(setting) ? `In a profile: \`${name}\`.` : "From the environment only."
              return [setting.env, `${setting.description} ${where}`] as const
            })
          )
        ]
      }
    ]
  },
  {
    name: "exit-codes",
    title: "Exit codes",
    lead: "Exit codes of all commands.",
    sections: [
      {
        heading: "Codes",
        blocks: [
          entriesOf(Object.entries(ExitCode).map(([name, code]) => [String(code), meanings[code] ?? name] as const))
        ]
      }
    ]
  }
]

type Parameters = Readonly<Record<string, Parameter<unknown>>>

const flagEntries = (parameters: Parameters): Block =>
  entriesOf(flagsOf(parameters).map(([term, description]) => [term.trimStart(), description]))

const verbChapter = (verb: LoadedVerb): Chapter => {
  const { details, examples, name, parameters, summary } = verb
  const operands = Object.values(parameters).filter(({ kind }) => kind === "operand")
  return {
    name: `sluice ${name}`,
    title: `sluice ${name}`,
    lead: summary,
    sections: [
      {
        heading: "Usage",
        blocks: [
          text(`\`${`sluice ${name} ${verb.operands}`.trim()}\``),
          ...(operands.length === 0
            ? []
            : [entriesOf(operands.map(({ description, value = "" }) => [value, description]))])
        ]
      },
      ...(Object.values(parameters).some(({ kind }) => kind === "flag")
        ? [{ heading: "Flags", blocks: [flagEntries(parameters)] }]
        : []),
      { heading: "Examples", blocks: [entriesOf(examples.map(({ line, what }) => [line, what]))] },
      ...(details === undefined ? [] : [{ heading: "More", blocks: [text(details)] }])
    ]
  }
}

/** One chapter for flags of every verb, and one per verb. */
export const commands = (verbs: ReadonlyArray<LoadedVerb>, everywhere: Parameters): ReadonlyArray<Chapter> => [
  {
    name: "every-verb",
    title: "Every verb",
    lead: "Flags of every verb. Standard output carries data, standard error carries messages; see also [exit codes](#exit-codes).",
    sections: [{ heading: "Flags", blocks: [flagEntries(everywhere)] }]
  },
  ...verbs.map(verbChapter)
]
