/** Verbs as chapters of the reference: what each takes, with all its flags. */
import type { Parameter } from "../Parameter.ts"
import type { Verb } from "../Verb.ts"
import type { Block, Chapter } from "./Chapter.ts"

type Parameters = Readonly<Record<string, Parameter<unknown>>>

const operandsOf = (parameters: Parameters) => Object.values(parameters).filter(({ kind }) => kind === "operand")

const flags = (parameters: Parameters): Block => ({
  kind: "entries",
  entries: Object.entries(parameters)
    .filter(([, { kind }]) => kind === "flag")
    .map(([name, { description, short, value }]) => [
      `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`,
      description
    ])
})

const usage = ({ name, parameters }: Verb): string => {
  const words = operandsOf(parameters).map(({ many, required, value = "" }) => {
    const word = many === true ? `${value}…` : value
    return required === true ? word : `[${word}]`
  })
  return ["sluice", name, ...words].join(" ")
}

const chapter = (verb: Verb): Chapter => {
  const { details, examples, name, parameters, summary } = verb
  const operands = operandsOf(parameters)
  return {
    name: `sluice ${name}`,
    title: `sluice ${name}`,
    lead: summary,
    sections: [
      {
        heading: "Usage",
        blocks: [
          { kind: "text", text: `\`${usage(verb)}\`` },
          ...(operands.length === 0
            ? []
            : [
                {
                  kind: "entries" as const,
                  entries: operands.map(({ description, value = "" }) => [value, description] as const)
                }
              ])
        ]
      },
      ...(Object.values(parameters).some(({ kind }) => kind === "flag")
        ? [{ heading: "Flags", blocks: [flags(parameters)] }]
        : []),
      { heading: "Examples", blocks: [{ kind: "entries", entries: examples.map(({ line, what }) => [line, what]) }] },
      ...(details === undefined ? [] : [{ heading: "More", blocks: [{ kind: "text" as const, text: details }] }])
    ]
  }
}

/** A chapter for what every verb understands, and one for each verb. */
export const commands = (verbs: ReadonlyArray<Verb>, everywhere: Parameters): ReadonlyArray<Chapter> => [
  {
    name: "every-verb",
    title: "Every verb",
    lead: "What every verb understands. Standard output is data, standard error is talk; what a command says with its exit code is under [exit codes](#exit-codes).",
    sections: [{ heading: "Flags", blocks: [flags(everywhere)] }]
  },
  ...verbs.map(chapter)
]
