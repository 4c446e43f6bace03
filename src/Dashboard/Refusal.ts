/** What the dashboard refuses, in words for people, and how questions are read. */
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import type { Mistake, Trouble } from "../Web/Dashboard/Protocol.ts"

/** A request that is not answered as it was meant. */
export class Refusal extends Data.TaggedError("Refusal")<{
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 422 | 503
  readonly reason: string
  readonly mistakes?: ReadonlyArray<Mistake> | undefined
}> {
  override get message() {
    return this.reason
  }

  get trouble(): Trouble {
    return { error: this.reason, ...(this.mistakes === undefined ? {} : { mistakes: this.mistakes }) }
  }
}

export const noRun = (id: string) =>
  new Refusal({ status: 404, reason: `the ledger has no run ${id}: it was forgotten, or never was` })

/** No database has a NUL in a text. */
export const storable = (text: string): string => text.replaceAll("\0", "\ufffd")

/** What stands behind the `?` of an address; an empty field is none. */
export class Query {
  readonly #fields: URLSearchParams

  constructor(fields: URLSearchParams) {
    this.#fields = fields
  }

  text(name: string, longest = 2000): string | undefined {
    const value = this.#fields.get(name)
    return value === null || value === "" ? undefined : storable(value.slice(0, longest))
  }

  /** A whole number within bounds; what is out of them is brought within. */
  number(name: string, { least = 0, most, otherwise }: Bounds): Either.Either<number, Refusal> {
    const text = this.text(name)
    if (text === undefined) return Either.right(otherwise)
    const number = Number(text)
    return Number.isSafeInteger(number)
      ? Either.right(Math.min(most, Math.max(least, number)))
      : Either.left(new Refusal({ status: 400, reason: `${name}: expected a whole number, got "${text}"` }))
  }

  word<const Word extends string>(name: string, words: ReadonlyArray<Word>): Either.Either<Word | undefined, Refusal> {
    const text = this.text(name)
    const word = words.find((each) => each === text)
    return text === undefined || word !== undefined
      ? Either.right(word)
      : Either.left(new Refusal({ status: 400, reason: `${name}: expected one of ${words.join(", ")}, got "${text}"` }))
  }
}

interface Bounds {
  readonly least?: number
  readonly most: number
  readonly otherwise: number
}
