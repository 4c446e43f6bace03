/** Numbers as lists write them: figures, Roman numerals, letters. */

const romans = [
  [1000, "m"],
  [900, "cm"],
  [500, "d"],
  [400, "cd"],
  [100, "c"],
  [90, "xc"],
  [50, "l"],
  [40, "xl"],
  [10, "x"],
  [9, "ix"],
  [5, "v"],
  [4, "iv"],
  [1, "i"]
] as const

const roman = (count: number): string => {
  let left = Math.min(count, 3999)
  let out = ""
  for (const [size, letters] of romans) for (; left >= size; left -= size) out += letters
  return out
}

const letter = (count: number): string =>
  count < 1 ? "" : String.fromCharCode(97 + ((count - 1) % 26)).repeat(Math.min(10, Math.ceil(count / 26)))

/** A count in the way a list shows it, by the names of OOXML. */
export const shown = (count: number, format: string): string => {
  switch (format) {
    case "upperRoman":
      return roman(count).toUpperCase()
    case "lowerRoman":
      return roman(count)
    case "upperLetter":
      return letter(count).toUpperCase()
    case "lowerLetter":
      return letter(count)
    default:
      return String(count)
  }
}
