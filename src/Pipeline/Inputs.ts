/** Inputs of a run: values from the caller, the schedule or defaults, checked against their declarations. */
import * as Either from "effect/Either"
import { lengthOf } from "../Api/Field.ts"
import { canParse } from "../Api/Url.ts"
import { describeValue } from "../Row/Count.ts"
import { didYouMean, didYouMeanWord } from "../Row/Nearest.ts"
import { mapping } from "../Step/Requirements.ts"
import type { Input } from "./Definition.ts"
import { open } from "./Interpolate.ts"
import { type Issue, inputFlag } from "./Issue.ts"
import { windowsOf } from "./Windows.ts"

type Given = Readonly<Record<string, unknown>>

const coerce = (input: Input, value: unknown): unknown => {
  if (typeof value !== "string") return value
  switch (input.type) {
    case "integer":
    case "number":
      return value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : value
    case "boolean":
      return value === "true" ? true : value === "false" ? false : value
    default:
      return value
  }
}

const fault = (input: Input, value: unknown): string | undefined => {
  const got = `, got ${describeValue(value)}`
  switch (input.type) {
    case "string":
    case "path":
      if (typeof value !== "string") return `expected a string${got}`
      break
    case "url":
      if (typeof value !== "string" || !/^https?:\/\//.test(value) || !canParse(value)) {
        return `expected an absolute http:// or https:// address${got}`
      }
      break
    case "boolean":
      if (typeof value !== "boolean") return `expected true or false${got}`
      break
    case "integer":
      if (!Number.isInteger(value)) return `expected a whole number${got}`
      break
    case "number":
      if (typeof value !== "number") return `expected a number${got}`
      break
  }
  if (input.enum !== undefined && !input.enum.some((each) => each === value)) {
    return `expected one of ${input.enum.join(", ")}${got}${didYouMeanWord(String(value), input.enum.map(String))}`
  }
  if (typeof value === "number" && input.minimum !== undefined && value < input.minimum) {
    return `expected at least ${input.minimum}${got}`
  }
  if (typeof value === "number" && input.maximum !== undefined && value > input.maximum) {
    return `expected at most ${input.maximum}${got}`
  }
  if (typeof value === "string" && input.maxLength !== undefined && lengthOf(value) > input.maxLength) {
    return `expected at most ${input.maxLength} characters, got ${lengthOf(value)}`
  }
  return undefined
}

/**
 * `schedule.inputs` of a definition; empty if it is not an object, which is reported elsewhere. With a backfill, includes the bounds of
 * its first window, so that the definition is checked with them.
 */
export const scheduledOf = (schedule: unknown): Given => {
  const { backfill, inputs } = mapping(schedule)
  const { by, from, to } = mapping(backfill)
  const range = { from: String(from), to: String(to), by: typeof by === "string" ? by : undefined }
  const [window] = backfill === undefined ? [] : Either.getOrElse(windowsOf(range, 0), () => [])
  return { ...mapping(inputs), ...window }
}

/** Errors in `schedule.inputs`, each with its path. */
export const scheduledIssues = (inputs: Readonly<Record<string, Input>>, scheduled: Given): ReadonlyArray<Issue> =>
  Object.entries(scheduled).flatMap(([name, value]): ReadonlyArray<Issue> => {
    const path = ["schedule", "inputs", name]
    const input = Object.hasOwn(inputs, name) ? inputs[name] : undefined
    if (input === undefined) {
      const known = Object.keys(inputs)
      const hint =
        known.length === 0 ? ": this pipeline takes none" : didYouMean(name, known) || `: it takes ${known.join(", ")}`
      return [{ path, message: `there is no input "${name}"${hint}` }]
    }
    if (typeof value === "string" && value.includes("${{")) {
      return [{ path, message: "needs a literal value: inputs are set before ${{ }} is filled in" }]
    }
    const wrong = fault(input, coerce(input, value))
    return wrong === undefined ? [] : [{ path, message: wrong }]
  })

/** Declarations for a scheduled run: `schedule.inputs` replaces the defaults. */
export const withScheduled = (
  inputs: Readonly<Record<string, Input>>,
  scheduled: Given
): Readonly<Record<string, Input>> =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => [
      name,
      Object.hasOwn(scheduled, name) ? { ...input, default: coerce(input, scheduled[name]) as Input["default"] } : input
    ])
  )

/** A path with `/` on every system, because `\` is an escape character in globs. */
const slashed = (path: string): string => (/^([A-Za-z]:)?\\/.test(path) ? path.replaceAll("\\", "/") : path)

/**
 * Resolves the values of all inputs. With `required`, an input without a value is an error; otherwise it stays open. A path given by
 * the caller is relative to the current folder (`toPath`); a default is relative to the definition, like every path in it.
 */
export const resolve = (
  inputs: Readonly<Record<string, Input>>,
  given: Given,
  { required, toPath }: { readonly required: boolean; readonly toPath: (path: string) => string }
): { readonly values: Given; readonly issues: ReadonlyArray<Issue> } => {
  const issues: Array<Issue> = []
  const values: Record<string, unknown> = {}
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(inputs, name)) {
      const known = Object.keys(inputs)
      const hint =
        known.length === 0 ? ": this pipeline takes none" : didYouMean(name, known) || `: it takes ${known.join(", ")}`
      issues.push({ path: ["inputs"], input: name, message: `${inputFlag(name)}there is no input "${name}"${hint}` })
    }
  }
  for (const [name, input] of Object.entries(inputs)) {
    const from = Object.hasOwn(given, name) ? given[name] : input.default
    if (from === undefined) {
      const message = `has no default: give it as --input ${name}=… (in a program: inputs: { ${name}: … })`
      if (required) issues.push({ path: ["inputs", name], missing: { kind: "input", name }, message })
      values[name] = open
      continue
    }
    const value = coerce(input, from)
    const wrong = fault(input, value)
    if (wrong === undefined) {
      values[name] = input.type === "path" && Object.hasOwn(given, name) ? slashed(toPath(String(value))) : value
    } else {
      issues.push(
        Object.hasOwn(given, name)
          ? { path: ["inputs", name], input: name, message: `${inputFlag(name)}${wrong}` }
          : { path: ["inputs", name, "default"], message: wrong }
      )
      values[name] = open
    }
  }
  return { values, issues }
}
