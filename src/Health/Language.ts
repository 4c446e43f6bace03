/** Language of a short text, by its script and its most common words. Good enough to notice that a source has switched. */

const commonWords = {
  en: "the of and to is in that for with was are this from have not which",
  de: "der die das und ist nicht ein eine mit für von den auf dem sich auch werden",
  fr: "le les des est une dans que pour qui avec sur pas du au plus sont",
  es: "el los las una que por con para del como más pero sus este está",
  it: "il di che per una con non sono della gli nel alla anche più questo",
  pt: "que uma para com não os das dos mais como foi ao pelo seu também",
  nl: "het een van en dat niet met voor zijn op aan ook wordt deze naar",
  pl: "nie jest się na że do jak przez dla oraz są od tym które",
  sv: "och att det som är en på för av inte med den till har",
  tr: "bir ve bu için ile olarak daha çok olan gibi sonra kadar"
} as const

const languagesOf = new Map<string, Array<string>>()
for (const [language, words] of Object.entries(commonWords)) {
  for (const word of words.split(" ")) languagesOf.set(word, [...(languagesOf.get(word) ?? []), language])
}

const scripts: ReadonlyArray<readonly [script: string, pattern: RegExp]> = [
  ["ja", /[\u3040-\u30ff]/],
  ["zh", /[\u4e00-\u9fff]/],
  ["ko", /[\uac00-\ud7af]/],
  ["cyrillic", /[\u0400-\u04ff]/],
  ["arabic", /[\u0600-\u06ff]/],
  ["greek", /[\u0370-\u03ff]/],
  ["hebrew", /[\u0590-\u05ff]/],
  ["devanagari", /[\u0900-\u097f]/],
  ["thai", /[\u0e00-\u0e7f]/]
]

/** Characters that are looked at. */
const maxLooked = 240
const minLength = 40
/** Common words that a language needs. */
const minWords = 3

/** Language, or script, of a text; undefined for a short string, or one that is no prose. */
export const languageOf = (text: string): string | undefined => {
  if (text.length < minLength) return undefined
  // Behind what pages begin with: navigation, names.
  const start = text.length > 4 * maxLooked ? text.length >> 2 : 0
  const looked = text.slice(start, start + maxLooked)
  if (/[\u0370-\uffff]/.test(looked)) {
    const script = scripts.find(([, pattern]) => pattern.test(looked))
    if (script !== undefined) return script[0]
  }
  const counts = new Map<string, number>()
  for (const word of looked.toLowerCase().match(/[a-z\u00c0-\u024f]{2,7}/g) ?? []) {
    for (const language of languagesOf.get(word) ?? []) counts.set(language, (counts.get(language) ?? 0) + 1)
  }
  let best: string | undefined
  let most = minWords - 1
  for (const [language, count] of counts) {
    if (count > most) {
      best = language
      most = count
    }
  }
  return best
}
