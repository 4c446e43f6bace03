/** Fonts of a PDF: character mapping and style. */

export interface Font {
  readonly name?: string
  readonly bold?: boolean
  readonly black?: boolean
  readonly italic?: boolean
  readonly vertical?: boolean
  readonly isType3Font?: boolean
  readonly fontMatrix?: ReadonlyArray<number>
  /** Glyph names by character code, if the file states them. */
  readonly differences?: ReadonlyArray<string | undefined>
  readonly toUnicode?: { readonly _map?: ReadonlyArray<string | undefined> }
}

/** Characters that are list bullets in the symbol fonts of word processors. */
const symbolBullets = /^[\uf06c\uf06e\uf071\uf076\uf0a7\uf0a8\uf0b7\uf0d8\uf0e0\uf0fc]$/

/** Text fonts of TeX, by family name. */
const texFont = /(?:^|\+)(?:CM|EC|SF|CS)(?:R|TI|BX|SL|CSC|SS|U)\w*\d/i

/** Ligatures in these fonts: control characters at their old positions, and an arrow that one converter writes by mistake. */
const texLigatures: Record<string, string> = {
  "\u0000": "ffi",
  "\u000b": "ff",
  "\u000c": "fi",
  "\u000d": "fl",
  "\u000e": "ffi",
  "\u000f": "ffl",
  "\u21b5": "ff"
}

const rtl = /[\u0590-\u08ff]/

/** Reverses a ligature of right-to-left letters, because lines are reversed as a whole later. */
export const drawnOrder = (letters: string): string =>
  letters.length > 1 && rtl.test(letters) ? (letters.match(/\P{M}\p{M}*/gu) ?? [letters]).reverse().join("") : letters

/** Replaces ligatures, presentation forms and full-width Latin letters with plain letters. */
export const plainText = (unicode: string, font: Font): string => {
  // Fast path: most letters are ASCII, and this function runs for each letter.
  if (unicode.length === 1 && unicode >= " " && unicode < "\u007f") return unicode
  if (symbolBullets.test(unicode)) return "\u2022"
  const ligature = texLigatures[unicode]
  if (ligature !== undefined && texFont.test(font.name ?? "")) return ligature
  const plain = /[\u00a0\ufb00-\ufdff\ufe70-\ufeff\uff01-\uff5e]/.test(unicode) ? unicode.normalize("NFKC") : unicode
  return drawnOrder(plain)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what fonts without a map yield
export const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f\ufffe\uffff\ue000-\uf8ff]/g

/**
 * Letters of a ligature, derived from its glyph name by the rules of the Adobe Glyph List: `fi`, `f_f_i.alt`, `uni00660069`. Undefined for
 * other names.
 */
const lettersOfName = (name: string): string | undefined => {
  const [base = ""] = name.split(".", 1)
  if (/^(?:ff[il]?|f[il])$/.test(base)) return base
  if (/^[A-Za-z](?:_[A-Za-z]){1,3}$/.test(base)) return base.replaceAll("_", "")
  const codes = /^uni((?:[\dA-F]{4}){1,4})$/.exec(base)?.[1]?.match(/.{4}/g) ?? []
  const letters = codes
    .map((code) => String.fromCharCode(Number.parseInt(code, 16)))
    .join("")
    .normalize("NFKC")
  return /^[A-Za-z]{2,}$/.test(letters) ? letters : undefined
}

/** Ligatures of a font by character code. Glyph names are correct more often than the character map. */
const ligaturesOf = ({ differences = [] }: Font): ReadonlyMap<number, string> => {
  const ligatures = new Map<number, string>()
  differences.forEach((name, code) => {
    const letters = name == null ? undefined : lettersOfName(name)
    if (letters !== undefined) ligatures.set(code, letters)
  })
  return ligatures
}

export interface FontStyle {
  readonly bold: boolean
  readonly italic: boolean
  readonly mono: boolean
}

/** Facts about a font before its first text. */
export interface FontFacts {
  readonly style: FontStyle
  readonly ligatures: ReadonlyMap<number, string>
}

export const factsOf = (font: Font): FontFacts => ({ style: styleOf(font), ligatures: ligaturesOf(font) })

/** Derives the style from the font's flags or name. */
export const styleOf = (font: Font): FontStyle => {
  const name = font.name ?? ""
  return {
    bold: font.bold === true || font.black === true || /bold|black|heavy|demi|-medi\b|(?:^|\+)\w\w?BX\w*\d/i.test(name),
    italic: font.italic === true || /italic|oblique|slanted|-\w*ital|(?:^|\+)(?:CM|EC|SF|CS)(?:TI|SL)\w*\d/i.test(name),
    mono: /mono|courier|consol|typewriter|menlo|(?:^|\+)(?:CM|EC|SF|CS)\w?TT\w*\d/i.test(name)
  }
}
