/** Fits arguments to a JSONata signature: a missing one may come from the row, and a single value becomes an array. */
import { Refusal } from "./Errors.ts"
import { LinearRegExp } from "./Regex.ts"

export interface Parameter {
  /** The types it takes, one letter each: s n b a o f, or x for any. */
  readonly type: string
  /** Taken from the row when left out. */
  readonly context?: true
  readonly optional?: true
  /** Element type of an array. */
  readonly of?: "s" | "n"
}

const letterOf = (value: unknown): string => {
  if (value === undefined) return "m"
  if (value === null) return "l"
  if (Array.isArray(value)) return "a"
  if (value instanceof LinearRegExp) return "f"
  return typeof value === "object" ? "o" : (typeof value).charAt(0)
}

const patternOf = ({ type }: Parameter): string => (type === "a" || type === "x" ? "[asnblfom]" : `[${type}m]`)

const fitsList = (value: unknown, letter: string, of: Parameter["of"]): boolean => {
  if (of === undefined) return true
  if (!Array.isArray(value)) return letter === of
  return value.every((item) => letterOf(item) === of)
}

/** A function that fits arguments to the parameters, or refuses them as JSONata does. */
export const makeFitter = (
  token: string,
  parameters: ReadonlyArray<Parameter>
): ((given: ReadonlyArray<unknown>, input: unknown) => ReadonlyArray<unknown>) => {
  const groups = parameters.map((each) => patternOf(each) + (each.context || each.optional ? "?" : ""))
  const whole = new RegExp(`^${groups.map((group) => `(${group})`).join("")}$`)
  const contexts = parameters.map((each) => new RegExp(patternOf(each)))

  const refuse = (given: ReadonlyArray<unknown>, letters: string): never => {
    let good = 0
    for (let count = 1; count <= groups.length; count++) {
      const match = new RegExp(`^${groups.slice(0, count).join("")}`).exec(letters)
      if (match === null) break
      good = match[0].length
    }
    throw new Refusal("T0410", given[good], token, good + 1)
  }

  return (given, input) => {
    const letters = given.map(letterOf).join("")
    const match = whole.exec(letters)
    if (match === null) return refuse(given, letters)
    let next = 0
    return parameters.map((parameter, index) => {
      const letter = match[index + 1] ?? ""
      if (letter === "" && parameter.context) {
        if (contexts[index]?.test(letterOf(input))) return input
        throw new Refusal("T0411", input, token, next + 1)
      }
      const value = given[next++]
      if (letter === "" || letter === "m" || parameter.type !== "a") return value
      if (!fitsList(value, letter, parameter.of)) throw new Refusal("T0412", value, token, next)
      return Array.isArray(value) ? value : [value]
    })
  }
}
