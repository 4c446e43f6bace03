/** What the fonts of a PDF say about its letters: which they are and how they look (spec 4.2). */

export interface Font {
  readonly name?: string
  readonly bold?: boolean
  readonly black?: boolean
  readonly italic?: boolean
  readonly vertical?: boolean
  readonly isType3Font?: boolean
  readonly fontMatrix?: ReadonlyArray<number>
}

/** Where the symbol fonts that come with word processors keep their list marks. */
const symbolBullets = /^[\uf06c\uf06e\uf071\uf076\uf0a7\uf0a8\uf0b7\uf0d8\uf0e0\uf0fc]$/

/** Ligatures, presentation forms and full-width Latin are written as the letters they stand for. */
export const plainText = (unicode: string): string =>
  symbolBullets.test(unicode)
    ? "\u2022"
    : /[\u00a0\ufb00-\ufdff\ufe70-\ufeff\uff01-\uff5e]/.test(unicode)
      ? unicode.normalize("NFKC")
      : unicode

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what fonts without a map yield
export const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f\ufffe\uffff\ue000-\uf8ff]/g

/** Fonts say how they look by their flags or by their names. */
export const styleOf = (font: Font) => {
  const name = font.name ?? ""
  return {
    bold: font.bold === true || font.black === true || /bold|black|heavy|demi|-medi\b|cmbx/i.test(name),
    italic: font.italic === true || /italic|oblique|slanted|cmti|-\w*ital/i.test(name),
    mono: /mono|courier|consol|typewriter|cmtt|menlo/i.test(name)
  }
}
