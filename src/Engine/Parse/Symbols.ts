/** Characters for the codes of the symbol fonts that word processors use for signs. */

/** Maps consecutive codes to characters. */
const from = (code: number, characters: string): ReadonlyArray<readonly [number, string]> =>
  Array.from(characters, (character, at) => [code + at, character] as const)

const symbol = new Map([
  ...from(0x20, " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"),
  ...from(0xa0, "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪"),
  ...from(0xf1, "〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭")
])

const wingdings = new Map([
  ...from(
    0x20,
    " ✏✂✁👓🔔📖🕯☎✆✉🖃📪📫📬📭📁📂📄🗏🗐🗄⌛⌨🖰🖲💻🖴💾🖭✇✍🖎✌👌👍👎☜☞☝☟✋☺😐☹💣☠⚐🏱✈☼💧❄✞✞✠✠✡☪☯ॐ☸♈♉♊♋♌♍♎♏♐♑♒♓"
  ),
  ...from(0x6a, "&&●❍■□□❑❒⬧⧫◆❖⬥☒⍓⌘❀✿❝❞"),
  ...from(0x80, "⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿"),
  ...from(0x9e, "·•▪○○○◉◎○▪◻▲✦★✶✴✹✵⯐⌖⟡⌑⯑✪✰"),
  ...from(0xd5, "⌫⌦➢➢➢➢➲➢➢➢←→↑↓↖↗↙↘⬅➔⬆⬇↖↗↙↘⇦⇨⇧⇩⬄⇳⇖⇗⇙⇘▭▫✗✓☒☑⊞")
])

const wingdings2 = new Map([
  ...from(0x4f, "✗✓☒☑☒☒⊗⊗⦸⦸"),
  ...from(0x75, "⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿"),
  ...from(0x96, "•●●●●○○◉◎"),
  ...from(0xa0, "■■□□□□▪▫◆◆◇◇◈")
])

const wingdings3 = new Map([...from(0x66, "←→↑↓↖↗↙↘↔↕"), ...from(0x70, "▲▼△▽◀▶◁▷◣◢◤◥"), ...from(0x7d, "▶")])

const webdings = new Map([
  ...from(0x33, "◀▶▲▼⏪⏩⏮⏭⏸⏹⏺"),
  ...from(0x59, "♥"),
  ...from(0x61, "✓🚲□🛡📦🛱■🚑ℹ✈🛰🏞●"),
  ...from(0x72, "✖❓🚆🚇🚍⛳⊘⊖🚭")
])

const fonts: ReadonlyMap<string, ReadonlyMap<number, string>> = new Map([
  ["symbol", symbol],
  ["wingdings", wingdings],
  ["wingdings 2", wingdings2],
  ["wingdings 3", wingdings3],
  ["webdings", webdings]
])

export const isSymbolFont = (font: string): boolean => fonts.has(font.toLowerCase())

/** First code of the private-use area in which symbol fonts place their characters: the character with code 0x41 is at 0xf041. */
const privateArea = 0xf000

/** Character for a code in a font; undefined if the code is a symbol that is not in the tables of this file. */
export const symbolOf = (font: string, code: number): string | undefined => {
  const byte = code >= privateArea && code <= 0xf0ff ? code - privateArea : code
  const table = fonts.get(font.toLowerCase())
  if (table !== undefined) return byte <= 0xff ? table.get(byte) : String.fromCodePoint(code)
  return byte === code ? String.fromCodePoint(code) : byte < 0x80 ? String.fromCharCode(byte) : undefined
}

/** Converts text in a symbol font. Unknown characters stay unchanged. */
export const symbolText = (font: string, text: string): string =>
  Array.from(text, (character) => symbolOf(font, character.codePointAt(0) ?? 0) ?? character).join("")
