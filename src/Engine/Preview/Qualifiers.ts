/**
 * Finds qualifiers that narrow a section (years, months, versions, languages, file types), and replaces them with tokens before the prompt
 * is split.
 */

/** A qualifier. In the text, it is replaced by `@` and its index. */
export interface Qualifier {
  readonly kind: "years" | "months" | "versions" | "languages" | "files"
  /** Value of the qualifier, such as `202[2-4]`, `2024-03`, `2.1`, `de` or `pdf`. */
  readonly value: string
}

const languages: Readonly<Record<string, string>> = {
  arabic: "ar",
  chinese: "zh",
  czech: "cs",
  danish: "da",
  dutch: "nl",
  english: "en",
  finnish: "fi",
  french: "fr",
  german: "de",
  greek: "el",
  hebrew: "he",
  hindi: "hi",
  hungarian: "hu",
  indonesian: "id",
  italian: "it",
  japanese: "ja",
  korean: "ko",
  norwegian: "no",
  polish: "pl",
  portuguese: "pt",
  romanian: "ro",
  russian: "ru",
  spanish: "es",
  swedish: "sv",
  thai: "th",
  turkish: "tr",
  ukrainian: "uk",
  vietnamese: "vi"
}

const files: ReadonlyArray<readonly [string, string]> = [
  ["pdfs?", "pdf"],
  ["(?:word|docx?) (?:documents?|docs?|files?)|docx|\\.docx?", "docx?"],
  ["spreadsheets?|excel(?: files?| sheets?)?|xlsx?", "xlsx?|csv|ods"],
  ["csvs?", "csv"],
  ["power ?points?|pptx?|slide ?decks?", "pptx?"],
  ["zips?|zip (?:files?|archives?)|tarballs?", "zip|tar|t?gz|7z|rar"],
  ["images|image files?|pictures|photos|jpe?gs?|pngs?|gifs?", "png|jpe?g|gif|webp|svg|avif|ico"],
  ["videos|video files?|mp4s?", "mp4|webm|mov|avi|mkv|m4v"],
  ["audio files?|mp3s?", "mp3|wav|ogg|m4a|flac"],
  ["json files?", "json"],
  ["xml files?", "xml"],
  ["(?:javascript|js) files?|scripts", "m?js"],
  ["stylesheets?|css", "css"],
  ["(?:static |media )assets?", "png|jpe?g|gif|webp|svg|css|m?js|woff2?|ttf|mp4|mp3"],
  ["media(?: files?)", "png|jpe?g|gif|webp|svg|mp4|webm|mov|mp3|wav"]
]

const months =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
const order = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ")
const year = "((?:19|20)\\d\\d)"
const [first, last] = [1990, 2039]

/** Regular expression for a range of years, decade by decade. */
const span = (from: number, to: number): string => {
  const [start, end] = [Math.max(first, Math.min(from, to)), Math.min(last, Math.max(from, to))]
  const parts: Array<string> = []
  for (let decade = Math.floor(start / 10); decade <= Math.floor(end / 10); decade++) {
    const [low, high] = [Math.max(start, decade * 10) % 10, Math.min(end, decade * 10 + 9) % 10]
    parts.push(
      low === high ? `${decade}${low}` : low === 0 && high === 9 ? `${decade}\\d` : `${decade}[${low}-${high}]`
    )
  }
  return parts.join("|")
}

const years = (value: string): Qualified => [{ kind: "years", value }]
const pattern = (source: string) => new RegExp(source, "gi")

type Qualified = ReadonlyArray<Qualifier>
type Rewrite = readonly [RegExp, (...groups: ReadonlyArray<string>) => Qualified]

const rewrites: ReadonlyArray<Rewrite> = [
  [
    pattern(
      `\\b(?:from |between )?(${months})\\.? ?(?:-|–|to|and|through|thru|until|till) ?(${months})\\.? (?:of )?${year}\\b`
    ),
    (whole, from = "", to = "", of = "") => {
      const [first, last] = [from, to].map((name) => order.indexOf(name.slice(0, 3).toLowerCase())) as [number, number]
      const both = / and /i.test(whole) && !/between/i.test(whole)
      return order.flatMap((_, at) =>
        (both ? at === first || at === last : at >= first && at <= last)
          ? [{ kind: "months" as const, value: `${of}-${String(at + 1).padStart(2, "0")}` }]
          : []
      )
    }
  ],
  [
    pattern(`\\b(${months})\\.? (?:of )?${year}\\b`),
    (_, month = "", of = "") => [
      { kind: "months", value: `${of}-${String(order.indexOf(month.slice(0, 3).toLowerCase()) + 1).padStart(2, "0")}` }
    ]
  ],
  [
    pattern(`(?<![/\\w-])${year}-(0[1-9]|1[0-2])(?![\\w-])`),
    (_, of = "", month = "") => [{ kind: "months", value: `${of}-${month}` }]
  ],
  [
    pattern(`(?<![/\\w])(?:from |between )?${year} ?(?:-|–|to|and|through|thru|until|till) ?${year}(?![\\w/])`),
    (whole, from = "", to = "") =>
      / and /i.test(whole) && !/between/i.test(whole) ? years(`${from}|${to}`) : years(span(Number(from), Number(to)))
  ],
  [
    pattern(
      `\\b(?:since|from|starting(?: in| from)?|as of|beginning(?: in)?) ${year}(?: (?:on(?:wards?)?|upwards?|and later|or later|and newer))?\\b`
    ),
    (whole, from = "") => (/^from \d+$/i.test(whole.trim()) ? years(from) : years(span(Number(from), last)))
  ],
  [pattern(`\\b(?:after|newer than|later than) ${year}\\b`), (_, from = "") => years(span(Number(from) + 1, last))],
  [
    pattern(`\\b(?:before|older than|prior to|earlier than) ${year}\\b`),
    (_, to = "") => years(span(first, Number(to) - 1))
  ],
  [pattern(`\\b(?:until|till|up to|through) ${year}\\b`), (_, to = "") => years(span(first, Number(to)))],
  [
    pattern(`\\b${year} ?(?:\\+|(?:and|or) (?:later|newer|after|up|beyond)|onwards?|upwards?)(?![\\w])`),
    (_, from = "") => years(span(Number(from), last))
  ],
  [pattern(`\\b${year} (?:and|or) (?:earlier|older|before)\\b`), (_, to = "") => years(span(first, Number(to)))],
  [pattern(`(?<![/\\w.:@|-])${year}(?![\\w/|-])`), (_, of = "") => years(of)],
  [
    pattern(
      "(?<![/\\w.])(\\d+\\.\\d+(?:\\.\\d+)?)(?= (?:docs?|documentation|versions?|releases?|api|reference|manual|branch|branches)\\b)"
    ),
    (_, value = "") => [{ kind: "versions", value }]
  ],
  [pattern("(?<![/\\w.])(\\d+)\\.x\\b"), (_, value = "") => [{ kind: "versions", value }]],
  [
    pattern("\\b(?:versions?|v) ?(\\d+(?:\\.(?:\\d+|x))*)((?: ?(?:,|and|or|&) ?v?\\d+(?:\\.\\d+)*)*)(?![\\w/])"),
    (_, one = "", more = "") =>
      [one, ...(more.match(/\d+(?:\.\d+)*/g) ?? [])].map((number) => ({
        kind: "versions",
        value: number.replace(/\.x$/, "")
      }))
  ],
  [
    pattern(
      `(?<![/\\w-])(${Object.keys(languages).join("|")})(?:[- ](?:language|speaking|version|translations?|locale))*\\b(?![/-])`
    ),
    (_, name = "") => [{ kind: "languages", value: languages[name.toLowerCase()] ?? name }]
  ],
  ...files.map(
    ([names, extensions]): Rewrite => [
      pattern(
        `(?<![/\\w@:|?.-])(?:\\*?\\.)?(?:${names})(?: (?:files?|documents?|downloads?|attachments?|links?))?(?![\\w|?:/-])`
      ),
      () => [{ kind: "files", value: extensions }]
    ]
  ),
  [
    pattern(
      "(?<![\\w/])\\*?\\.(?!com\\b|org\\b|net\\b)([a-z][a-z0-9]{1,4})(?: (?:files?|downloads?|documents?|urls?|pages?|links?))*(?![\\w/.])"
    ),
    (_, extension = "") => [{ kind: "files", value: extension }]
  ]
]

/** Replaces qualifiers with tokens such as `@0`. */
export const mask = (text: string): { readonly text: string; readonly qualifiers: ReadonlyArray<Qualifier> } => {
  const qualifiers: Array<Qualifier> = []
  const masked = rewrites.reduce(
    (left, [pattern, make]) =>
      left.replace(pattern, (...groups: ReadonlyArray<unknown>) => {
        const made = make(...groups.map((group) => (typeof group === "string" ? group : "")))
        return ` ${made.map((qualifier) => `@${qualifiers.push(qualifier) - 1}`).join(" ")} `
      }),
    text
  )
  return { text: masked, qualifiers }
}
