/** Parameters of verbs: operands like FILE and flags like --limit, each with a function that reads its arguments. */

export type Reading<A> = { readonly value: A } | { readonly fault: string }

export interface Parameter<out A> {
  /** The help leaves out removed flags; using one is an error that says what to write instead. */
  readonly kind: "operand" | "flag" | "removed"
  readonly description: string
  /** Placeholder of the value in the help; a flag without one is a switch. */
  readonly value?: string | undefined
  readonly short?: string | undefined
  /** Only for operands. */
  readonly required?: boolean
  /** True if it may be given several times. */
  readonly many?: boolean
  /** The accepted words, if there are only a few; shells complete them. */
  readonly words?: ReadonlyArray<string> | undefined
  /** Reads all arguments given for it, in order; for a switch, each is an empty string. */
  readonly read: (given: ReadonlyArray<string>) => Reading<A>
}

/** The values that a verb's run function receives, by the names of its parameters. */
export type Values<Parameters> = {
  readonly [K in keyof Parameters]: Parameters[K] extends Parameter<infer A> ? A : never
}

const last = (given: ReadonlyArray<string>): string | undefined => given[given.length - 1]

/** One required operand. */
export const one = (value: string, description: string): Parameter<string> => ({
  kind: "operand",
  value,
  description,
  required: true,
  read: ([first]) => (first === undefined ? { fault: `${value} is missing` } : { value: first })
})

/** One optional operand. Shells complete `words`, but other values are accepted, too. */
export const optional = (
  value: string,
  description: string,
  words?: ReadonlyArray<string>
): Parameter<string | undefined> => ({
  kind: "operand",
  value,
  description,
  words,
  read: ([first]) => ({ value: first })
})

/** One required operand from a list of words. */
export const oneOf = <const Word extends string>(
  value: string,
  words: ReadonlyArray<Word>,
  description: string
): Parameter<Word> => ({
  kind: "operand",
  value,
  description,
  required: true,
  words,
  read: ([first]) => {
    const word = words.find((each) => each === first)
    if (word !== undefined) return { value: word }
    const known = `${words.slice(0, -1).join(", ")} or ${words[words.length - 1]}`
    return { fault: first === undefined ? `${value} is missing: ${known}` : `"${first}" is not one of ${known}` }
  }
})

/** One or more operands. */
export const many = (value: string, description: string): Parameter<ReadonlyArray<string>> => ({
  kind: "operand",
  value,
  description,
  required: true,
  many: true,
  read: (given) => (given.length === 0 ? { fault: `${value} is missing` } : { value: given })
})

/** Zero or more operands. */
export const several = (value: string, description: string): Parameter<ReadonlyArray<string>> => ({
  kind: "operand",
  value,
  description,
  many: true,
  read: (given) => ({ value: given })
})

export const toggle = (description: string, short?: string): Parameter<boolean> => ({
  kind: "flag",
  description,
  short,
  read: (given) => ({ value: given.length > 0 })
})

export const text = (value: string, description: string, short?: string): Parameter<string | undefined> => ({
  kind: "flag",
  value,
  description,
  short,
  read: (given) => (last(given) === "" ? { fault: "takes a value, got an empty one" } : { value: last(given) })
})

/** Flag with one of a few words. */
export const choice = <const Word extends string>(
  value: string,
  words: ReadonlyArray<Word>,
  description: string
): Parameter<Word | undefined> => ({
  kind: "flag",
  value,
  description,
  words,
  read: (given) => {
    const said = last(given)
    const word = words.find((each) => each === said)
    return said === undefined || word !== undefined
      ? { value: word }
      : { fault: `takes ${words.slice(0, -1).join(", ")} or ${words[words.length - 1]}, got "${said}"` }
  }
})

const units = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** A flag that no longer exists; `fault` says what to write instead. */
export const removed = (fault: string): Parameter<undefined> => ({
  kind: "removed",
  value: "VALUE",
  description: "",
  read: (given) => (given.length === 0 ? { value: undefined } : { fault })
})

/** Duration like `30d` or `12h`, in milliseconds. */
export const duration = (value: string, description: string): Parameter<number | undefined> => ({
  kind: "flag",
  value,
  description,
  read: (given) => {
    const said = last(given)
    const match = /^(\d+)(s|m|h|d)$/.exec(said ?? "")
    if (said === undefined) return { value: undefined }
    return match === null
      ? { fault: `takes a time like 30d, 12h or 90m, got "${said}"` }
      : { value: Number(match[1]) * units[match[2] as keyof typeof units] }
  }
})

/** Turns the parameter of a flag into one of an operand: its error messages name the operand. */
export const asOperand = <A>(parameter: Parameter<A>): Parameter<A> => ({
  ...parameter,
  kind: "operand",
  read: (given) => {
    const reading = parameter.read(given)
    return "fault" in reading ? { fault: `${parameter.value} ${reading.fault}` } : reading
  }
})

/** A whole number within bounds. */
export const integer = (
  value: string,
  description: string,
  { maximum = Number.MAX_SAFE_INTEGER, minimum }: { readonly minimum: number; readonly maximum?: number }
): Parameter<number | undefined> => ({
  kind: "flag",
  value,
  description,
  read: (given) => {
    const word = last(given)
    if (word === undefined) return { value: undefined }
    const number = /^-?\d+$/.test(word) ? Number(word) : Number.NaN
    const bounds = maximum === Number.MAX_SAFE_INTEGER ? `of ${minimum} or more` : `from ${minimum} to ${maximum}`
    return number >= minimum && number <= maximum
      ? { value: number }
      : { fault: `takes a whole number ${bounds}, got "${word}"` }
  }
})

/** `name=value`, any number of times; the last value of a name counts. */
export const pairs = (
  value: string,
  description: string,
  short?: string
): Parameter<Readonly<Record<string, string>>> => ({
  kind: "flag",
  value,
  description,
  short,
  many: true,
  read: (given) => {
    const stray = given.find((word) => word.indexOf("=") < 1)
    return stray === undefined
      ? {
          value: Object.fromEntries(
            given.map((word) => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)])
          )
        }
      : { fault: `takes ${value}, got "${stray}"` }
  }
})

/** A string, any number of times. */
export const texts = (value: string, description: string): Parameter<ReadonlyArray<string>> => ({
  kind: "flag",
  value,
  description,
  many: true,
  read: (given) => (given.includes("") ? { fault: "takes a value, got an empty one" } : { value: given })
})

/** Returns the parameter with a default value. */
export const withDefault = <A>(
  parameter: Parameter<A | undefined>,
  fallback: NoInfer<A> & NonNullable<unknown>
): Parameter<A & NonNullable<unknown>> => ({
  ...parameter,
  read: (given) => {
    const reading = parameter.read(given)
    return "fault" in reading ? reading : { value: reading.value ?? fallback }
  }
})
