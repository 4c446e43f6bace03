/** Any text at all: every code unit, halves of surrogate pairs as well, and every code point. */
import * as fc from "fast-check"

const letter = fc.oneof(
  fc.integer({ min: 0, max: 0x7f }).map((code) => String.fromCharCode(code)),
  fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code))
)

export const wildText = (maxLength: number): fc.Arbitrary<string> => fc.string({ unit: letter, maxLength })
