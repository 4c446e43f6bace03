/**
 * Normalises prompts (spelling, punctuation, numbers as digits), and removes matched parts step by step: each rule replaces the parts it
 * understood with a mark, and the next rule reads the rest.
 */

/** Mark that replaces words that a rule has understood. */
export const mark = "§"

/** Remaining text, and the values read from the removed parts. */
export interface Reading<A> {
  readonly text: string
  readonly found: ReadonlyArray<A>
}

/** Removes every match for which `read` returns a value. */
export const take = <A>(
  text: string,
  pattern: RegExp,
  read: (...groups: ReadonlyArray<string | undefined>) => A | undefined
): Reading<A> => {
  const found: Array<A> = []
  const left = text.replace(pattern, (whole: string, ...rest: ReadonlyArray<unknown>) => {
    const result = read(...rest.map((group) => (typeof group === "string" ? group : undefined)))
    if (result === undefined) return whole
    found.push(result)
    return ` ${mark} `
  })
  return { text: left, found }
}

const typos: ReadonlyArray<readonly [RegExp, string | ((found: string) => string)]> = [
  [/[’‘`´]/g, "'"],
  [/[“”„«»]/g, '"'],
  [/\b(do|does|should|must|can|wo|would)nt\b/gi, "$1n't"],
  [/\bex(?:l|cl|c)ud(e|es|ed|ing)\b/gi, "exclud$1"],
  [/\b(?:igonre|ingore|ignroe|ingnore)\b/gi, "ignore"],
  [/\b(?:incl|inc)\.(?=\s)/gi, "including"],
  [/\b(max|min|approx|ca|no)\.(?=\s*\d)/gi, "$1"],
  [/\be\.g\.|\bi\.e\./gi, "like"],
  [/\bpls\b|\bplz\b/gi, "please"],
  [/\bw\/o\b/gi, "without"],
  [/\bw\/(?=\s)/gi, "with"],
  [/\bn't\b/gi, " not"],
  [/ ?[=:] ?(?:true|yes|on)\b/gi, ""],
  [/\b(\w+(?:[- ]\w+)?) ?[=:] ?(?:false|off|no(?=\s*(?:[,;.\n]|$)))\b/gi, "no $1"],
  // "/wiki/Talk: or /wiki/User:": the colon is part of the name and starts no list.
  [/(?<=\/[\w-]+\/[A-Z]\w*):(?=,| (?:or|and|nor|pages?)\b|$)/g, ""],
  [/"([\p{L}\d][\p{L}\d &-]{1,40})"(?= (?:categor|section|folder|area|page|tag|director|part)\w*)/gu, "$1"],
  // "docs/internal/" and "the blog/2024 folder" are paths; "shipping/returns" is a list.
  [/(?<![\w@/.:?-])([a-z][\w-]*(?:\/[\w-]+)*\/)(?=[\s,.;)]|$)/gi, "/$1"],
  [/(?<![\w@/.:?-])([a-z][\w-]*(?:\/[\w-]+)+)(?= (?:folder|director|path|sub-?tree|tree)\w*)/gi, "/$1"],
  [/\b(?:posts?|articles?|entries|stories|everything) (?:written )?by (?:the )?author "?(\w+)"?/gi, "/author/$1"],
  [
    /(?<![\w@/.:-])[a-z]{3,}(?:\/[a-z]{3,}){2,}(?= (?:archives?|pages|listings?|sections|links|urls)\b)/g,
    (list) => list.replaceAll("/", " and ")
  ],
  [/\band\/or\b/g, "or"],
  [/(?<![\w@/.:-])([a-z]{3,})\/(?!(?:s|sec|second|m|min|minute|h|hour|day)\b)([a-z]{3,})(?![\w/.])/g, "$1 and $2"],
  [/[^\S\n]+/g, " "],
  [/ ?\n[\s*•-]*/g, "\n"]
]

/** Phrases for words anywhere in a path: `urls with "print" or "share" in them`. */
const containing =
  /\b(urls?|links?|paths?|addresses|pages?|everything|anything)(?: that| which)? (?:contain(?:s|ing)?|with|ha(?:s|ve|ving)|includ(?:es?|ing)) ((?:the word )?["'][\w-]+["'](?:(?:,| or| and|, or) ["'][\w-]+["'])*)(?: (?:anywhere )?in (?:them|it|(?:the|their|its) (?:url|path|address|link)s?))?/gi

/** Normalises spelling, abbreviations and punctuation. */
export const tidy = (prompt: string): string =>
  typos
    .reduce(
      (text, [pattern, spelling]) =>
        typeof spelling === "string" ? text.replace(pattern, spelling) : text.replace(pattern, spelling),
      prompt
    )
    .replace(
      containing,
      (_, what: string, words: string) =>
        `${what} ${words.replace(/the word /g, "").replace(/["']([\w-]+)["']/g, "containing /*$1*")}`
    )
    .trim()

const small: Readonly<Record<string, number>> = Object.fromEntries(
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
    .split(" ")
    .map((word, value) => [word, value])
)
const tens: Readonly<Record<string, number>> = Object.fromEntries(
  "twenty thirty forty fifty sixty seventy eighty ninety".split(" ").map((word, index) => [word, (index + 2) * 10])
)
const scales: Readonly<Record<string, number>> = { dozen: 12, hundred: 100, thousand: 1000, million: 1_000_000 }

const alternatives = (words: object) => Object.keys(words).join("|")
const scale = alternatives(scales)
const unit = "seconds?|secs?|minutes?|mins?|hours?"
const numeral = `(?:${alternatives(tens)})(?:[- ](?:${alternatives(small)}))?|${alternatives(small)}`
const spelled = new RegExp(
  `\\b(?:(?:a )?(couple)(?: of)?|(half)(?: an?)?|(an?)(?= (?:${scale}))|(${numeral})|(\\d+(?:\\.\\d+)?))(?: (${scale})s?\\b)(?: and)?(?: (${numeral})\\b)?`,
  "gi"
)

const value = (text: string): number =>
  text
    .toLowerCase()
    .split(/[- ]/)
    .reduce((sum, word) => sum + (tens[word] ?? small[word] ?? 0), 0)

/** Writes numbers as digits: `a couple hundred` → `200`, `twenty-five` → `25`, `half a second` → `0.5 second`, `1.5k` → `1500`. */
export const digits = (text: string): string =>
  text
    .replace(/\b(\d{1,3})((?:[,'’]\d{3})+)\b/g, (_, head: string, rest: string) => head + rest.replace(/\D/g, ""))
    .replace(/\b(\d+(?:\.\d+)?) ?k\b/gi, (_, count: string) => String(Math.round(Number(count) * 1000)))
    .replace(new RegExp(`(?<=\\b(?:first|last|next|latest|than|to|the) )(?=(?:${scale})\\b)`, "gi"), "1 ")
    .replace(spelled, (_, couple, half, one, words, figures, by: string, rest) => {
      const base = couple ? 2 : half ? 0.5 : one ? 1 : figures ? Number(figures) : value(words)
      return String(base * (scales[by.toLowerCase()] ?? 1) + (rest === undefined ? 0 : value(rest)))
    })
    .replace(new RegExp(`\\b(?:1|one|a)(?: (${unit}))? and a half(?: (${unit}))?`, "gi"), "1.5 $1$2")
    .replace(new RegExp(`\\bhalf(?: an?| of an?)? (?=${unit})`, "gi"), "0.5 ")
    .replace(new RegExp(`\\b(?:a )?quarter(?: of)?(?: an?)? (?=${unit})`, "gi"), "0.25 ")
    .replace(new RegExp(`\\bevery other (?=${unit})`, "gi"), "every 2 ")
    .replace(/\b(?:a )?couple(?: of)?\b/gi, "2")
    .replace(new RegExp(`\\ban? (?=(?:single )?(?:${unit})\\b)`, "gi"), "1 ")
    .replace(new RegExp(`(?<![\\w/-])(${numeral})\\b(?!/)`, "gi"), (word, _, at: number, whole: string) =>
      // "this one", "one of them", "no one" are not numbers.
      /^one$/i.test(word) &&
      (/\b(?:this|that|the|each|every|any|no|which)\s$/i.test(whole.slice(0, at)) ||
        / of /.test(whole.slice(at + 3, at + 7)))
        ? word
        : String(value(word))
    )
    .replace(/\bonce (?=every|per|an?|each)/gi, "1 request ")
    // "2 to 3 clicks", "between 50 and 100 pages": the upper bound counts.
    .replace(
      /(?:\b(?:between|from) )?(?<![\w/.@-])(\d{1,6}(?:\.\d+)?) ?(?:-|–|to|or|and) ?(\d{1,6}(?:\.\d+)?)(?= ?(?:pages?|urls?|documents?|articles?|posts?|items?|clicks?|hops?|levels?|seconds?|secs?)\b)/gi,
      (whole: string, low: string, high: string) =>
        Number(low) < Number(high) && !/^(?:19|20)\d\d$/.test(low) && (!/ and /i.test(whole) || /^between/i.test(whole))
          ? high
          : whole
    )
