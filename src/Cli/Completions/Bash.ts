/** Completion script for bash 4 or later, and the 3.2 of macOS: tables of the verbs, and one function that reads them. */
import { alone } from "../Arguments.ts"
import { templatesOf } from "../TextTemplate.ts"
import type { LoadedVerb } from "../Verb.ts"
import { type Content, endings, profiles, runIds, type Shape, shapeOf, spellings } from "./Slot.ts"

const code = (content: Content): string => (typeof content === "string" ? content : `words ${content.join(" ")}`)

/** Cases of the script for the values of flags, such as `run --on | run -o) content='words here cluster' ;;`. */
const valueCases = ({ flags, verb }: Shape): ReadonlyArray<string> =>
  flags.flatMap((flag) =>
    flag.value === undefined
      ? []
      : [
          `    ${spellings(flag)
            .map((each) => `'${verb} ${each}'`)
            .join(" | ")}) content='${code(flag.value.content)}' ;;`
        ]
  )

/** Cases of the script for operands by position; the last repeatable operand covers all further ones. */
const operandCases = ({ operands, verb }: Shape): ReadonlyArray<string> =>
  operands.map(
    ({ content, many }, index) => `    '${verb} '${many ? "*" : `'${index}'`}) content='${code(content)}' ;;`
  )

export const bash = (verbs: ReadonlyArray<LoadedVerb>): string => {
  const shapes = verbs.map(shapeOf)
  const first = Object.entries(alone).flatMap(([name, { short }]) => [
    `--${name}`,
    ...(short === undefined ? [] : [`-${short}`])
  ])
  const flagCases = shapes.map(
    ({ flags, verb }) => `    ${verb}) flags='${flags.map(({ name }) => `--${name}`).join(" ")}' ;;`
  )
  const script = templatesOf("completions-bash.txt")("script", {
    values: shapes.flatMap(valueCases),
    operands: shapes.flatMap(operandCases),
    flags: flagCases,
    verbs: shapes.map(({ verb }) => verb).join(" "),
    first: first.join(" "),
    endings: endings.join("|"),
    profiles,
    runIds
  })
  return `${script.join("\n")}\n`
}
