/** From the words behind `sluice` to what is asked for. */
import { parseArgs } from "node:util"
import { didYouMean } from "../Row/Nearest.ts"
import type { Parameter } from "./Parameter.ts"
import { choice, toggle } from "./Parameter.ts"
import type { Action, Verb } from "./Verb.ts"

export type Request =
  | { readonly ask: "act"; readonly act: Action; readonly debug: boolean; readonly logFormat: string | undefined }
  | { readonly ask: "help"; readonly verb: Verb | undefined }
  | { readonly ask: "version" }
  | { readonly ask: "mistake"; readonly message: string; readonly verb: Verb | undefined }

type Parameters = Readonly<Record<string, Parameter<unknown>>>

/** Flags that every verb understands. */
export const everywhere = {
  help: toggle("Shows this help.", "h"),
  debug: toggle("Shows the whole cause and stack of a failure."),
  "log-format": choice(
    "FORMAT",
    ["text", "json"],
    "json: writes stderr for machines, an object a line; default: text, or SLUICE_LOG."
  )
} satisfies Parameters

/** Flags that stand without a verb. */
export const alone: Parameters = { ...everywhere, version: toggle("Prints the version.", "V") }

const optionsOf = (parameters: Parameters) =>
  Object.fromEntries(
    Object.entries(parameters)
      .filter(([, { kind }]) => kind === "flag")
      .map(([name, { short, value }]) => [
        name,
        { type: value === undefined ? "boolean" : "string", ...(short === undefined ? {} : { short }) } as const
      ])
  )

interface Words {
  readonly operands: ReadonlyArray<string>
  readonly flags: Readonly<Record<string, ReadonlyArray<string>>>
}

const tokensOf = (words: ReadonlyArray<string>, options: ReturnType<typeof optionsOf>) =>
  parseArgs({ args: [...words], options, strict: false, allowPositionals: true, tokens: true }).tokens

/** Sorts words into operands and flags; a text is the first mistake. */
const sort = (words: ReadonlyArray<string>, parameters: Parameters): Words | string => {
  const options = optionsOf(parameters)
  const operands: Array<string> = []
  const flags: Record<string, Array<string>> = {}
  for (const token of tokensOf(words, options)) {
    if (token.kind === "positional") operands.push(token.value)
    if (token.kind !== "option") continue
    const { inlineValue, name, rawName, value } = token
    const option = Object.hasOwn(options, name) ? options[name] : undefined
    if (option === undefined) {
      const near = rawName.startsWith("--")
        ? didYouMean(
            rawName,
            Object.keys(options).map((each) => `--${each}`)
          )
        : ""
      return `unknown flag "${rawName}"${near}`
    }
    if (option.type === "boolean" && value !== undefined) return `--${name} is a switch and takes no value`
    const swallowed = inlineValue === false && value !== undefined && /^--?[a-z]/i.test(value)
    if (option.type === "string" && (value === undefined || swallowed)) {
      return `--${name} needs a value: --${name} ${parameters[name]?.value ?? ""}`
    }
    flags[name] = [...(flags[name] ?? []), value ?? ""]
  }
  return { operands, flags }
}

/** Gives each operand of the verb its words; a text is the word too many. */
const assign = (operands: ReadonlyArray<string>, verb: Verb): Record<string, ReadonlyArray<string>> | string => {
  const given: Record<string, ReadonlyArray<string>> = {}
  let rest = operands
  for (const [name, { kind, many }] of Object.entries(verb.parameters)) {
    if (kind !== "operand") continue
    given[name] = many === true ? rest : rest.slice(0, 1)
    rest = many === true ? [] : rest.slice(1)
  }
  return rest[0] === undefined ? given : `unexpected argument "${rest[0]}"`
}

const readVerb = (words: ReadonlyArray<string>, verb: Verb): Request => {
  const mistake = (message: string): Request => ({ ask: "mistake", message, verb })
  if (words.some((word) => word === "--help" || word === "-h")) return { ask: "help", verb }
  const sorted = sort(words, { ...verb.parameters, ...everywhere })
  if (typeof sorted === "string") return mistake(sorted)
  const operands = assign(sorted.operands, verb)
  if (typeof operands === "string") return mistake(operands)
  const prepared = verb.prepare({ ...sorted.flags, ...operands })
  if ("fault" in prepared) return mistake(prepared.fault)
  const format = everywhere["log-format"].read(sorted.flags["log-format"] ?? [])
  return "fault" in format
    ? mistake(`--log-format ${format.fault}`)
    : { ask: "act", act: prepared.value, debug: sorted.flags.debug !== undefined, logFormat: format.value }
}

/** Reads the words; nothing is loaded and nothing is touched yet. */
export const read = (words: ReadonlyArray<string>, verbs: ReadonlyArray<Verb>): Request => {
  // A word behind `--log-format` is its value, and no verb.
  const at = tokensOf(words, optionsOf(alone)).find(({ kind }) => kind === "positional")?.index ?? -1
  const named = at === -1 ? undefined : words[at]
  const before = sort(at === -1 ? words : words.slice(0, at), alone)
  if (typeof before === "string") return { ask: "mistake", message: before, verb: undefined }
  if (before.flags.version !== undefined) return { ask: "version" }
  const find = (name: string | undefined) => verbs.find((verb) => verb.name === name)
  const unknown = (name: string): Request => ({
    ask: "mistake",
    message: `unknown verb "${name}"${didYouMean(name, [...verbs.map((verb) => verb.name), "help"])}`,
    verb: undefined
  })
  if (named === undefined) {
    return words.length > 0 && before.flags.help === undefined
      ? { ask: "mistake", message: "a verb is missing", verb: undefined }
      : { ask: "help", verb: undefined }
  }
  if (named === "help") {
    const about = words[at + 1]
    const verb = find(about)
    return about !== undefined && verb === undefined && !about.startsWith("-") ? unknown(about) : { ask: "help", verb }
  }
  const verb = find(named)
  return verb === undefined ? unknown(named) : readVerb([...words.slice(0, at), ...words.slice(at + 1)], verb)
}
