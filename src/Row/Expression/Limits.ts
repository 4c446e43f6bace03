/** How much one expression may make of one row. */
import { Refusal } from "./Errors.ts"

export const limits = {
  /** Milliseconds for one row. */
  timeout: 1000,
  /** Calls within calls. */
  stack: 10_000,
  /** Values of one array. */
  sequence: 1_000_000,
  /** Values of a result, at any depth. */
  values: 5_000_000,
  /** UTF-16 units of a text, and of all texts of a result. */
  text: 64 * 1024 * 1024,
  /** Characters of a picture like `[Y0001]-[M01]`, and the greatest number in it. */
  picture: 1000
}

export const checkText = (length: number): void => {
  if (!(length <= limits.text)) throw new Refusal("D2016", length)
}

/** A width in a picture is written as a number: `[Y,1000000000]` would be a billion digits. */
export const checkPicture = (picture: unknown): void => {
  if (typeof picture !== "string") return
  if (picture.length > limits.picture) throw new Refusal("D2018", picture.length)
  for (const [digits] of picture.matchAll(/\d+/g))
    if (Number(digits) > limits.picture) throw new Refusal("D2018", digits)
}

/**
 * Counts the values of something that is copied or written, and reads the clock. The same value may stand in it many
 * times: what is small in memory need not be small when it is written.
 */
export const counter = () => {
  const end = performance.now() + limits.timeout
  let values = 0
  let characters = 0
  return (value: unknown): void => {
    if (++values > limits.values) throw new Refusal("D2017", value)
    if (values % 4096 === 0 && performance.now() > end) throw new Refusal("D1012", value)
    if (typeof value === "string") {
      characters += value.length
      checkText(characters)
    }
  }
}
