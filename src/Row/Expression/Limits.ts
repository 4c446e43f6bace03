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
