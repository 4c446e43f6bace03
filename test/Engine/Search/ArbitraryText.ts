/** Arbitrary strings: any code unit, including lone surrogates, and any code point. */
import * as fc from "fast-check"

const letter = fc.oneof(
  fc.integer({ min: 0, max: 0x7f }).map((code) => String.fromCharCode(code)),
  fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code))
)

export const arbitraryText = (maxLength: number): fc.Arbitrary<string> => fc.string({ unit: letter, maxLength })
