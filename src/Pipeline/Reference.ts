/** The language as data: every step and sink, the keys around them, and the functions of expressions. */
import { catalogue, type FunctionEntry } from "../Row/Expression/Catalogue.ts"
import { sinks } from "../Sink/All.ts"
import { rowNames } from "../Step/Field.ts"
import type * as Step from "../Step.ts"
import { runNames } from "./Check.ts"
import { Common, commonFields, Frame } from "./Definition.ts"
import { idleOn } from "./Idle.ts"
import { type Field, fieldsOf, type Shape, shapesOf } from "./Reference/Field.ts"
import { steps } from "./Steps.ts"

/** A step or a sink. */
export interface Entry {
  readonly key: string
  readonly kind: "step" | "sink"
  readonly summary: string
  /** Rows in and out: `1 → 1`. */
  readonly rows: string
  /** The ways to write it. */
  readonly shapes: ReadonlyArray<Shape>
  /** The keys that may stand beside it. */
  readonly commonKeys: ReadonlyArray<string>
  /** What becomes of what fails. */
  readonly failures: string
  readonly example: string
}

export interface Reference {
  readonly steps: ReadonlyArray<Entry>
  readonly sinks: ReadonlyArray<Entry>
  readonly commonKeys: ReadonlyArray<Field>
  readonly frame: ReadonlyArray<Field>
  /** What `${{ }}` may name, and what an expression over a row may name beside its fields. */
  readonly names: { readonly settled: ReadonlyArray<string>; readonly row: ReadonlyArray<string> }
  readonly functions: ReadonlyArray<FunctionEntry & { readonly group: string }>
}

type Kind = Step.Any["behaviour"]["kind"]

const rows: Readonly<Record<Kind, string>> = {
  source: "0 → n, or n → n with `each: true`",
  item: "1 → 1",
  transform: "n → n",
  value: "a value for ${{ steps.ID.output }}; rows pass by"
}

const rejects =
  "`onError`: reject (the default) makes it a line of the reject file with step, place, reason and the row; keep lets the row go on as it came; drop leaves it out; fail ends the run."

const failures: Readonly<Record<Kind, string>> = {
  source: `A call that fails, after its \`retry\`, ends the run; with \`each: true\` it is the row that fails. A single page, file or row that fails is settled by ${rejects}`,
  item: `A row that fails, after its \`retry\`, is settled by ${rejects}`,
  transform: `A row that fails is settled by ${rejects}`,
  value: "When it fails, after its `retry`, the run ends."
}

const entryOf = (step: Step.Any): Entry => {
  const { behaviour, config, example, key, summary } = step
  const idle = idleOn(behaviour)
  return {
    key,
    kind: "step",
    summary,
    rows: rows[behaviour.kind],
    shapes: shapesOf(config.ast),
    commonKeys: Object.keys(commonFields).filter((each) => !idle.includes(each)),
    failures: failures[behaviour.kind],
    example
  }
}

/** Everything, from the schemas that `check` decodes with. */
export const reference = (): Reference => {
  const entries = steps.map(entryOf)
  const write = entries.find(({ key }) => key === "write")
  return {
    steps: entries,
    sinks: sinks.map(({ config, example, key, summary }) => ({
      key,
      kind: "sink",
      summary,
      rows: "1 → 1",
      shapes: shapesOf(config.ast),
      commonKeys: write?.commonKeys ?? [],
      failures: `A row that cannot be written is settled by ${rejects}`,
      example
    })),
    commonKeys: fieldsOf(Common.ast),
    frame: fieldsOf(Frame.ast),
    names: {
      settled: ["inputs.NAME", "env.NAME", ...runNames.map((name) => `run.${name}`), "steps.ID.output"],
      row: rowNames.map((name) =>
        name === "inputs" ? "$inputs.NAME" : name === "steps" ? "$steps.ID.output" : `$${name}`
      )
    },
    functions: catalogue
  }
}
