/**
 * Documents with a known layout, as HTML to be printed: tables, headings, columns, notes, captions and running lines.
 * The texts are made here from a seed, so that the truth is exact and nothing has a licence of its own.
 */

export type Rows = ReadonlyArray<ReadonlyArray<string>>

/** What a reader should find in the printed document. */
export interface Truth {
  /** Cells of the tables; positions that a span covers are empty. */
  readonly tables: ReadonlyArray<Rows>
  readonly headings: ReadonlyArray<string>
  /** Body in reading order. */
  readonly text: string
  /** Footnotes and captions: each is a block of its own. */
  readonly notes: ReadonlyArray<string>
  /** Running headers, footers and page numbers, which are left out. */
  readonly running: ReadonlyArray<string>
}

export interface Sample {
  readonly name: string
  readonly group: string
  readonly html: string
  readonly truth: Truth
}

const nouns =
  "harbour tide river keeper ledger current basin bridge vessel signal lantern channel season record market station field valley engine survey garden winter council letter quarry meadow island timber".split(
    " "
  )
const verbs = "follows measures carries records crosses reaches describes answers holds supplies divides repeats".split(
  " "
)
const adjectives =
  "northern early narrow quiet heavy local annual shallow steady former public distant broad modern".split(" ")

/** Deterministic random numbers from 0 to 1 (mulberry32). */
const randomOf = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Builds the HTML of a document together with its truth. */
class Writer {
  readonly tables: Array<Rows> = []
  readonly headings: Array<string> = []
  readonly words: Array<string> = []
  readonly notes: Array<string> = []
  readonly running: Array<string> = []
  body = ""
  readonly random: () => number

  constructor(seed: number) {
    this.random = randomOf(seed)
  }

  pick<A>(values: ReadonlyArray<A>): A {
    return values[Math.floor(this.random() * values.length)] as A
  }

  between(from: number, to: number): number {
    return from + Math.floor(this.random() * (to - from + 1))
  }

  phrase(count = 2): string {
    return Array.from({ length: count }, (_, index) => this.pick(index + 1 < count ? adjectives : nouns)).join(" ")
  }

  title(count = 2): string {
    const words = this.phrase(count)
    return `${words[0]?.toUpperCase()}${words.slice(1)}`
  }

  sentence(): string {
    const words = `the ${this.phrase()} ${this.pick(verbs)} the ${this.phrase()} of the ${this.phrase()} in ${this.between(1700, 1999)}`
    const more = this.random() < 0.5 ? `, and a ${this.phrase()} ${this.pick(verbs)} every ${this.pick(nouns)}` : ""
    return `T${words.slice(1)}${more}.`
  }

  paragraph(sentences = this.between(3, 6)): void {
    const text = Array.from({ length: sentences }, () => this.sentence()).join(" ")
    this.words.push(text)
    this.body += `<p>${text}</p>\n`
  }

  heading(text: string, tag = "div", look = ""): void {
    this.headings.push(text)
    this.words.push(text)
    this.body += `<${tag} class="heading" style="${look}">${text}</${tag}>\n`
  }

  note(text: string, html: string): void {
    this.notes.push(text)
    this.words.push(text)
    this.body += html
  }

  /** Values of a column: names, words, amounts, years, dates or a longer remark. */
  cell(column: number, wordy: boolean): string {
    if (column === 0) return this.title()
    const kind = wordy && column === 1 ? 5 : (column + this.between(0, 1)) % 5
    if (kind === 0) return String(this.between(1800, 2020))
    if (kind === 1) return `${this.between(1, 99)}.${this.between(10, 99)}`
    if (kind === 2) return this.pick(nouns)
    if (kind === 3) return `${this.between(1, 9)},${this.between(100, 999)}`
    if (kind === 4) return `${this.between(1, 99)} %`
    return this.sentence().slice(0, this.between(40, 90)).trim()
  }

  grid(rows: number, columns: number, wordy = false): Rows {
    const head = ["Name", "Entry", "Amount", "Year", "Share", "Place", "Grade"].slice(0, columns)
    return [
      head,
      ...Array.from({ length: rows }, () => Array.from({ length: columns }, (_, column) => this.cell(column, wordy)))
    ]
  }

  table(rows: Rows, look: string): void {
    const [head = [], ...rest] = rows
    const line = (cells: ReadonlyArray<string>, tag: string) =>
      `<tr>${cells.map((text) => `<${tag}>${text}</${tag}>`).join("")}</tr>`
    this.tables.push(rows)
    this.words.push(...rows.flat())
    this.body += `<table class="${look}"><thead>${line(head, "th")}</thead><tbody>${rest.map((row) => line(row, "td")).join("\n")}</tbody></table>\n`
  }

  sample(name: string, group: string, css: string): Sample {
    const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><style>${base}${css}</style></head><body>${this.body}</body></html>`
    const { headings, notes, running, tables, words } = this
    return { name, group, html, truth: { tables, headings, text: words.join("\n"), notes, running } }
  }
}

const base = `
@page { size: A4; margin: 22mm 20mm; }
body { margin: 0; line-height: 1.3; text-align: justify; }
p { margin: 0 0 .7em; }
.heading { margin: 1em 0 .5em; text-align: left; break-after: avoid; }
table { border-collapse: collapse; margin: .8em 0 1em; text-align: left; }
td, th { padding: 2px 8px; vertical-align: top; }
.ruled td, .ruled th { border: .7pt solid #000; }
.level tr { border-bottom: .6pt solid #000; } .level { border-top: 1pt solid #000; }
.book { border-top: 1pt solid #000; border-bottom: 1pt solid #000; } .book thead { border-bottom: .6pt solid #000; }
.open td, .open th { padding: 2px 14px 2px 0; }
.right td:nth-child(n+3), .right th:nth-child(n+3) { text-align: right; }
.zebra tbody tr:nth-child(odd) { background: #e4e4e4; } .zebra th { background: #bbb; }
.small { font-size: .8em; }
sup { font-size: .65em; line-height: 0; }
`

const faces = [
  "body { font: 10.5pt 'Liberation Serif'; }",
  "body { font: 10pt 'Liberation Sans'; }",
  "body { font: 9.5pt 'DejaVu Serif'; }"
]

/** `SLUICE_BENCH_SEED=1` makes another set of the same kinds, to develop with; the figures of the docs have seed 0. */
const seedBase = 7 + 7919 * Number(process.env.SLUICE_BENCH_SEED ?? 0)

/** Variants of each group, one for each typeface. */
const variants = [0, 1, 2]

const make = (group: string, variant: number, write: (writer: Writer) => string | undefined): Sample => {
  const seed = [...group].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), seedBase + variant * 1009) | 0
  const writer = new Writer(seed)
  const css = write(writer) ?? ""
  return writer.sample(`${group}-${variant + 1}`, group, `${faces[variant % faces.length]}${css}`)
}

/** Tables of one look between paragraphs. */
const tablesOf = (group: string, look: string, wordy: boolean) =>
  variants.map((variant) =>
    make(group, variant, (writer) => {
      for (let count = 0; count < 4; count += 1) {
        writer.paragraph()
        writer.table(writer.grid(writer.between(3, 9), writer.between(3, 6), wordy && count % 2 === 1), look)
      }
      writer.paragraph()
      return ""
    })
  )

/** A grid whose header spans columns and whose first column spans rows. */
const spanning = variants.map((variant) =>
  make("table spans", variant, (writer) => {
    for (let count = 0; count < 3; count += 1) {
      writer.paragraph()
      const groups = [writer.title(), writer.title()]
      const cells = () => Array.from({ length: 4 }, () => String(writer.between(10, 9999)))
      const blocks = [writer.title(), writer.title()].map((name) => ({ name, rows: [cells(), cells(), cells()] }))
      const head = ["Region", groups[0] ?? "", "", groups[1] ?? "", ""]
      const second = ["", "low", "high", "mean", "last"]
      writer.tables.push([
        head,
        second,
        ...blocks.flatMap(({ name, rows }) => rows.map((row, index) => [index === 0 ? name : "", ...row]))
      ])
      const body = blocks
        .map(({ name, rows }) =>
          rows
            .map(
              (row, index) =>
                `<tr>${index === 0 ? `<td rowspan="3">${name}</td>` : ""}${row.map((text) => `<td>${text}</td>`).join("")}</tr>`
            )
            .join("")
        )
        .join("")
      writer.words.push("Region", ...groups, ...second, ...blocks.flatMap(({ name, rows }) => [name, ...rows.flat()]))
      writer.body += `<table class="${count === 2 ? "level" : "ruled"}"><tr><th rowspan="2">Region</th>${groups.map((text) => `<th colspan="2">${text}</th>`).join("")}</tr><tr>${second
        .slice(1)
        .map((text) => `<th>${text}</th>`)
        .join("")}</tr>${body}</table>`
    }
    writer.paragraph()
    return ""
  })
)

const acrossPages = ["ruled", "level", "open right"].map((look, variant) =>
  make("table across pages", variant, (writer) => {
    writer.paragraph()
    writer.paragraph()
    writer.table(writer.grid(90, 5), look)
    writer.paragraph()
    return "tr { break-inside: avoid; }"
  })
)

type Heading = readonly [group: string, look: string, text: (title: string, number: string) => string]
const headingLooks: ReadonlyArray<Heading> = [
  ["headings larger", "font-size: 1.35em; font-weight: bold", (title) => title],
  ["headings numbered", "font-size: 1.2em", (title, number) => `${number} ${title}`],
  ["headings bold", "font-weight: bold", (title) => title],
  ["headings numbered bold", "font-weight: bold", (title, number) => `${number}. ${title}`],
  ["headings capitals", "", (title) => title.toUpperCase()],
  ["headings italic", "font-style: italic", (title) => title]
]

const headings = headingLooks.flatMap(([group, look, text]) =>
  variants.map((variant) =>
    make(group, variant, (writer) => {
      for (let chapter = 1; chapter <= 7; chapter += 1) {
        const number = group.endsWith("numbered bold") ? String(chapter) : `${Math.ceil(chapter / 3)}.${chapter}`
        writer.heading(text(writer.title(3), number), "div", look)
        for (let count = 0; count < 3; count += 1) writer.paragraph()
        // Emphasis and lists inside a section are not headings.
        if (chapter % 2 === 0) {
          const words = writer.phrase(3)
          const rest = writer.sentence()
          writer.words.push(`${words} ${rest}`)
          writer.body += `<p><b>${words}</b> ${rest}</p>`
          const items = Array.from({ length: 3 }, () => writer.sentence())
          writer.words.push(...items)
          writer.body += `<ol>${items.map((item) => `<li>${item}</li>`).join("")}</ol>`
        }
      }
      return ""
    })
  )
)

const columns = [2, 3].flatMap((count) =>
  variants.map((variant) =>
    make(`${count} columns`, variant, (writer) => {
      writer.heading(writer.title(4), "div", "font-size: 1.6em; font-weight: bold; text-align: center")
      writer.paragraph(2)
      writer.body += `<div style="columns: ${count}; column-gap: ${5 + variant * 2}mm">`
      for (let section = 0; section < 6; section += 1) {
        writer.heading(writer.title(2), "div", "font-size: 1.15em; font-weight: bold")
        for (let index = 0; index < 4; index += 1) writer.paragraph()
      }
      writer.body += "</div>"
      return ""
    })
  )
)

/** Pages of a fixed size, on which each part has its place. */
const sheet = (inner: string, top: string, bottom: string): string =>
  `<section><div class="top">${top}</div>${inner}<div class="bottom">${bottom}</div></section>`
const sheetCss = `
@page { margin: 0; } section { position: relative; height: 297mm; box-sizing: border-box; padding: 26mm 22mm 0; break-after: page; overflow: hidden; }
.top, .bottom { position: absolute; left: 22mm; right: 22mm; font-size: .85em; } .top { top: 12mm; } .bottom { bottom: 12mm; }
.foot { position: absolute; left: 22mm; right: 22mm; bottom: 22mm; font-size: .8em; } .foot.line { border-top: .5pt solid #000; padding-top: 3px; } .foot p { margin: 0 0 .2em; }
`

/** Paragraphs of one page, as HTML. */
const pageBody = (writer: Writer, paragraphs: number): string => {
  const before = writer.body
  writer.body = ""
  for (let count = 0; count < paragraphs; count += 1) writer.paragraph(5)
  const written = writer.body
  writer.body = before
  return written
}

const footnotes = variants.map((variant) =>
  make("footnotes", variant, (writer) => {
    for (let page = 1; page <= 4; page += 1) {
      const first = pageBody(writer, 6)
      const numbers = [2 * page - 1, 2 * page]
      const marked = first
        .replace(/ in (\d{4})/, ` in $1<sup>${numbers[0]}</sup>`)
        .replace(/,/, `,<sup>${numbers[1]}</sup>`)
      const texts = numbers.map((number) => ({ number, text: `${writer.sentence()} ${writer.sentence()}` }))
      for (const { number, text } of texts) {
        writer.notes.push(text)
        writer.words.push(`${number} ${text}`)
      }
      const notes = texts.map(({ number, text }) => `<p><sup>${number}</sup> ${text}</p>`).join("")
      writer.body += sheet(`${marked}<div class="foot${variant === 1 ? "" : " line"}">${notes}</div>`, "", String(page))
    }
    return sheetCss
  })
)

const captions = variants.map((variant) =>
  make("captions", variant, (writer) => {
    for (let page = 1; page <= 3; page += 1) {
      writer.paragraph()
      const figure = `Figure ${page}: ${writer.sentence()}`
      writer.body +=
        '<svg width="300" height="120" style="display: block; margin: 8px auto"><rect x="2" y="2" width="296" height="116" fill="none" stroke="#000"/><path d="M10 100 L80 40 L150 70 L290 20" fill="none" stroke="#000"/></svg>'
      writer.note(figure, `<p class="small" style="text-align: center">${figure}</p>`)
      writer.paragraph()
      const caption = `Table ${page}: ${writer.sentence()}`
      if (variant !== 2) writer.note(caption, `<p class="small" style="break-after: avoid">${caption}</p>`)
      writer.table(writer.grid(5, 4), variant === 0 ? "ruled" : "book")
      if (variant === 2) writer.note(caption, `<p class="small">${caption}</p>`)
      writer.paragraph()
    }
    return "table { break-inside: avoid; margin: .3em 0; }"
  })
)

/** Running lines: the same on each page, mirrored, with the chapter's title, in a short file, with a total. */
const running = [0, 1, 2, 3, 4].map((kind) =>
  make("running lines", kind, (writer) => {
    const title = writer.title(3)
    const pages = kind === 3 ? 3 : 9
    let chapter = ""
    for (let page = 1; page <= pages; page += 1) {
      let head = ""
      if (kind === 2 ? page % 3 === 1 : page === 1) {
        chapter = `${writer.title(2)} ${writer.pick(nouns)}`
        writer.headings.push(chapter)
        writer.words.push(chapter)
        head = `<div class="heading" style="font-size: 1.4em; font-weight: bold">${chapter}</div>`
      }
      const odd = page % 2 === 1
      const top =
        kind === 0 || kind === 3
          ? title
          : kind === 1
            ? odd
              ? `<span style="float: right">${title} ${page}</span>`
              : `${page} Proceedings of the society`
            : kind === 2
              ? `${chapter} <span style="float: right">${page}</span>`
              : ""
      const bottom =
        kind === 0
          ? `Page ${page} of ${pages}`
          : kind === 3
            ? `<span style="float: right">${page}</span>`
            : kind === 4
              ? `Draft of 4 May 2021 <span style="float: right">${page}/${pages}</span>`
              : ""
      writer.running.push(
        ...[top, bottom].map((text) => text.replace(/<[^>]*>/g, "").trim()).filter((text) => /[a-z]/i.test(text))
      )
      writer.body += sheet(`${head}${pageBody(writer, 7)}`, top, bottom)
    }
    return sheetCss
  })
)

export const samples: ReadonlyArray<Sample> = [
  ...tablesOf("table ruled", "ruled", true),
  ...tablesOf("table level rules", "level", true),
  ...tablesOf("table three rules", "book right", false),
  ...tablesOf("table without rules", "open right", false),
  ...tablesOf("table shaded", "zebra", false),
  ...spanning,
  ...acrossPages,
  ...headings,
  ...columns,
  ...footnotes,
  ...captions,
  ...running
]
