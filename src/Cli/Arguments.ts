/** Reads the arguments of `sluice` into a request. */
import { parseArgs } from "node:util"
import { didYouMean } from "../Row/Nearest.ts"
import type { Parameter } from "./Parameter.ts"
import { choice, toggle } from "./Parameter.ts"
import { type Call, type LoadedVerb, loadVerb, type Verb } from "./Verb.ts"

export type Request =
  | { readonly ask: "act"; readonly call: Call; readonly debug: boolean; readonly logFormat: string | undefined }
  | { readonly ask: "help"; readonly verb: LoadedVerb | undefined }
  | { readonly ask: "version" }
  | { readonly ask: "mistake"; readonly message: string; readonly verb: Verb | undefined }

type Parameters = Readonly<Record<string, Parameter<unknown>>>

/** Flags of every verb. */
export const everywhere = {
  help: toggle("Shows this help.", "h"),
  debug: toggle("Shows the cause and the stack of a failure."),
  "log-format": choice(
    "FORMAT",
    ["text", "json"],
    "json: writes stderr as JSON, one object a line; default: text, or SLUICE_LOG."
  )
} satisfies Parameters

/** Flags of a call that names no verb. */
export const alone: Parameters = { ...everywhere, version: toggle("Prints the version.", "V") }

const optionsOf = (parameters: Parameters) =>
  Object.fromEntries(
    Object.entries(parameters)
      .filter(([, { kind }]) => kind !== "operand")
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

/** Sorts arguments into operands and flags; returns a string for the first mistake. */
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

/** Assigns the arguments that are not flags to the operands of a verb; returns a string for a mistake. */
const assign = (operands: ReadonlyArray<string>, verb: LoadedVerb): Record<string, ReadonlyArray<string>> | string => {
  const given: Record<string, ReadonlyArray<string>> = {}
  let rest = operands
  for (const [name, { kind, many }] of Object.entries(verb.parameters)) {
    if (kind !== "operand") continue
    given[name] = many === true ? rest : rest.slice(0, 1)
    rest = many === true ? [] : rest.slice(1)
  }
  return rest[0] === undefined ? given : `unexpected argument "${rest[0]}"`
}

const readVerb = (words: ReadonlyArray<string>, verb: LoadedVerb): Request => {
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
    : { ask: "act", call: prepared.value, debug: sorted.flags.debug !== undefined, logFormat: format.value }
}

/** Index of the verb or `help`: the first argument that is neither a flag nor the value of one; -1 if there is none. */
const verbIndex = (words: ReadonlyArray<string>): number =>
  tokensOf(words, optionsOf(alone)).find(({ kind }) => kind === "positional")?.index ?? -1

/** Name of the verb that is called, or whose help is requested with `help`. */
export const verbNamed = (words: ReadonlyArray<string>): string | undefined => {
  const at = verbIndex(words)
  return words[words[at] === "help" ? at + 1 : at]
}

/** Interprets the arguments. `verb`: the verb that they name, if it is one of `names`. */
export const interpret = (
  words: ReadonlyArray<string>,
  names: ReadonlyArray<string>,
  verb: LoadedVerb | undefined
): Request => {
  const at = verbIndex(words)
  const before = sort(at === -1 ? words : words.slice(0, at), alone)
  const mistake = (message: string): Request => ({ ask: "mistake", message, verb: undefined })
  if (typeof before === "string") return mistake(before)
  if (before.flags.version !== undefined) return { ask: "version" }
  const isHelp = at === -1 ? words.length === 0 || before.flags.help !== undefined : words[at] === "help"
  const name = verbNamed(words)
  if (verb !== undefined) {
    return isHelp ? { ask: "help", verb } : readVerb([...words.slice(0, at), ...words.slice(at + 1)], verb)
  }
  if (isHelp && (name === undefined || at === -1 || name.startsWith("-"))) return { ask: "help", verb }
  if (name === undefined || at === -1) return mistake("the verb is missing: sluice --help lists the verbs")
  return mistake(`unknown verb "${name}"${didYouMean(name, [...names, "help"])}`)
}

/** The request for an unknown verb. The steps are loaded only here: one of them is often taken for a verb. */
const readUnknown = async (request: Request, name: string | undefined): Promise<Request> => {
  if (request.ask !== "mistake" || !request.message.startsWith("unknown verb")) return request
  const { all } = await import("../Step/All.ts")
  return all.some(({ key }) => key === name)
    ? {
        ...request,
        message: `"${name}" is a step of a pipeline, not a verb: sluice explain ${name}; sluice extract URL shows a page`
      }
    : request
}

/** Reads the arguments. Loads only the file of the verb that they name. */
export const read = (words: ReadonlyArray<string>, verbs: ReadonlyArray<Verb>): Promise<Request> => {
  const names = verbs.map(({ name }) => name)
  const verb = verbs.find(({ name }) => name === verbNamed(words))
  return verb === undefined
    ? readUnknown(interpret(words, names, undefined), verbNamed(words))
    : loadVerb(verb).then((loaded) => interpret(words, names, loaded))
}
