/** Lines of a table as records of cells; a quoted cell may go on over many lines. */

/** How cells are parted and quoted. */
export interface Dialect {
  readonly delimiter: string
  readonly quote: string
}

/** What a line completed: a record, nothing yet because a quote is open, or what is wrong with it. */
export type Cells = ReadonlyArray<string> | "open" | { readonly message: string }

/** Reads one record after the other; each line is looked at once. */
export class Records {
  readonly #delimiter: string
  readonly #quote: string
  #cells: Array<string> = []
  /** The lines of a quoted cell that is not closed yet. */
  #open: Array<string> | undefined

  constructor({ delimiter, quote }: Dialect) {
    this.#delimiter = delimiter
    this.#quote = quote
  }

  /** The text of a line, with the carriage return where it ends with one. */
  line(text: string): Cells {
    const returns = text.endsWith("\r")
    const line = returns ? text.slice(0, -1) : text
    if (this.#open === undefined && !line.includes(this.#quote)) return line.split(this.#delimiter)
    const result = this.#read(line, returns ? "\r\n" : "\n")
    if (result !== "open") this.reset()
    return result
  }

  /** Forgets a record that is not complete. */
  reset(): void {
    this.#cells = []
    this.#open = undefined
  }

  /** A quote counts where a cell begins with it, and is doubled within. */
  #read(line: string, lineEnd: string): Cells {
    const delimiter = this.#delimiter
    const quote = this.#quote
    const cells = this.#cells
    let at = 0
    let open = this.#open
    for (;;) {
      if (open === undefined) {
        if (line[at] !== quote) {
          const end = line.indexOf(delimiter, at)
          cells.push(line.slice(at, end < 0 ? undefined : end))
          if (end < 0) return cells
          at = end + 1
          continue
        }
        open = []
        at++
      }
      const end = this.#closing(line, at)
      open.push(line.slice(at, end).replaceAll(quote + quote, quote))
      if (end === undefined) {
        open.push(lineEnd)
        this.#open = open
        return "open"
      }
      cells.push(open.length === 1 ? (open[0] ?? "") : open.join(""))
      open = undefined
      const next = line[end + 1]
      if (next === undefined) return cells
      if (next !== delimiter) {
        return { message: `has ${JSON.stringify(next)} behind the quote that closes cell ${cells.length}` }
      }
      at = end + 2
    }
  }

  /** Where the quoted cell that is open ends. */
  #closing(line: string, from: number): number | undefined {
    let end = line.indexOf(this.#quote, from)
    while (end >= 0 && line[end + 1] === this.#quote) end = line.indexOf(this.#quote, end + 2)
    return end < 0 ? undefined : end
  }
}
