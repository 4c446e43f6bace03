/** A prompt while it is read: what a rule has understood is replaced by a mark, the rest stays for the next rule. */

/** Stands for words that were understood. */
export const mark = "§"

/** Text left, and what was made of the words that are gone. */
export interface Reading<A> {
  readonly text: string
  readonly found: ReadonlyArray<A>
}

/** Takes every match that `read` understands out of the text. */
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
  // "/wiki/Talk: or /wiki/User:": a name before its colon, and no list after it.
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

/** "urls with "print" or "share" in them": words that stand anywhere in a path. */
const containing =
  /\b(urls?|links?|paths?|addresses|pages?|everything|anything)(?: that| which)? (?:contain(?:s|ing)?|with|ha(?:s|ve|ving)|includ(?:es?|ing)) ((?:the word )?["'][\w-]+["'](?:(?:,| or| and|, or) ["'][\w-]+["'])*)(?: (?:anywhere )?in (?:them|it|(?:the|their|its) (?:url|path|address|link)s?))?/gi

/** One spelling for what people spell in many ways. */
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
