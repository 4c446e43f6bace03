/** Completion script for zsh: `_arguments` specifications for each verb. */
import { alone } from "../Arguments.ts"
import type { Parameter } from "../Parameter.ts"
import { templatesOf } from "../TextTemplate.ts"
import type { LoadedVerb } from "../Verb.ts"
import {
  type Content,
  endings,
  type Flag,
  type Operand,
  profiles,
  runIds,
  type Shape,
  shapeOf,
  spellings
} from "./Slot.ts"

/** Quotes with single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Escapes colons and brackets, which would end a part of a specification. */
const part = (text: string): string => text.replace(/[[\]:\\]/g, "\\$&")

const action = (content: Content): string => {
  if (typeof content !== "string") return `(${content.join(" ")})`
  switch (content) {
    case "definition":
      return `_files -g "*.(${endings.join("|")})(-.)"`
    case "file":
      return "_files"
    case "folder":
      return "_files -/"
    case "profile":
      return "_sluice_profiles"
    case "run":
      return "_sluice_runs"
    case "text":
      return " "
  }
}

const flagSpec = (flag: Flag): ReadonlyArray<string> => {
  const value = flag.value === undefined ? "" : `:${part(flag.value.name)}:${action(flag.value.content)}`
  return spellings(flag).map((each) => {
    const takes = value !== "" && each.startsWith("--") ? "=" : ""
    return quoted(`*${each}${takes}[${part(flag.description)}]${value}`)
  })
}

const operandSpec = ({ content, many, name }: Operand, index: number): string =>
  quoted(`${many ? "*" : index + 1}:${part(name)}:${action(content)}`)

const verbCase = ({ flags, operands, verb }: Shape): string =>
  [
    `    ${verb})`,
    `      _arguments -s \\`,
    [...flags.flatMap(flagSpec), ...operands.map(operandSpec)].map((spec) => `        ${spec}`).join(" \\\n"),
    "      ;;"
  ].join("\n")

const aloneSpecs = Object.entries(alone).flatMap(([name, { description, short }]: [string, Parameter<unknown>]) =>
  flagSpec({ name, short, description, value: undefined })
)

export const zsh = (verbs: ReadonlyArray<LoadedVerb>): string => {
  const shapes = verbs.map(shapeOf)
  const script = templatesOf("completions-zsh.txt")("script", {
    verb: shapes.map(({ summary, verb }) => quoted(`${verb}:${summary.replaceAll(":", "\\:")}`)),
    alone: aloneSpecs,
    case: shapes.map(verbCase),
    profiles,
    runIds
  })
  return `${script.join("\n")}\n`
}
