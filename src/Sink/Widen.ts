/** Gives the records of a CSV file the cells that columns found later ask of them. */

export interface Shape {
  /** The whole header line, without its line end, in place of the one in the file. */
  readonly header: string
  readonly columns: number
  readonly delimiter: string
  readonly quote: string
  readonly lineEnd: "lf" | "crlf"
  readonly nullText: string
}

/**
 * A function that is given the file's bytes, piece by piece, and returns them with every record filled up to the
 * number of columns. Quotes and line ends are one byte each in UTF-8, and no byte of another character equals them.
 */
export const makeWidener = (shape: Shape): ((bytes: Uint8Array) => Uint8Array) => {
  const delimiter = shape.delimiter.charCodeAt(0)
  const quote = shape.quote.charCodeAt(0)
  const end = shape.lineEnd === "lf" ? 0x0a : 0x0d
  let quoted = false
  let cells = 1
  let inHeader = true
  return (bytes) => {
    const parts: Array<Uint8Array> = []
    let from = 0
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]
      if (byte === quote) quoted = !quoted
      else if (quoted) continue
      else if (byte === delimiter) cells++
      else if (byte === end) {
        if (inHeader) {
          parts.push(Buffer.from(shape.header))
          from = at
          inHeader = false
        } else if (cells < shape.columns) {
          parts.push(
            bytes.subarray(from, at),
            Buffer.from((shape.delimiter + shape.nullText).repeat(shape.columns - cells))
          )
          from = at
        }
        cells = 1
      }
    }
    if (inHeader) return new Uint8Array()
    parts.push(bytes.subarray(from))
    return parts.length === 1 ? bytes : Buffer.concat(parts)
  }
}
