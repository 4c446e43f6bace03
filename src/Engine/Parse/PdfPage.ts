/** Runs a PDF page's drawing operators and notes where every piece of text and every ruled line ends up (spec 4.2). */
import { getResolvedPDFJS } from "unpdf"

const { OPS } = await getResolvedPDFJS()

/** Glyphs that follow each other without a gap wider than a space; y grows downwards. */
export interface Piece {
  readonly text: string
  readonly x0: number
  readonly x1: number
  /** Of the baseline. */
  readonly y: number
  readonly size: number
  readonly bold: boolean
  readonly italic: boolean
  readonly mono: boolean
  readonly href: string | undefined
}

/** Where a link leads from; y grows downwards. */
export interface LinkArea {
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
  readonly href: string
}

/** A horizontal or vertical line. */
export interface Rule {
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
}

export interface Page {
  readonly pieces: ReadonlyArray<Piece>
  readonly rules: ReadonlyArray<Rule>
}

export type Matrix = readonly [number, number, number, number, number, number]

interface Glyph {
  readonly unicode: string
  readonly width: number
  readonly isSpace: boolean
  readonly vmetric?: ReadonlyArray<number>
}

export interface Font {
  readonly name?: string
  readonly bold?: boolean
  readonly black?: boolean
  readonly italic?: boolean
  readonly vertical?: boolean
  readonly isType3Font?: boolean
  readonly fontMatrix?: ReadonlyArray<number>
}

export interface Operators {
  readonly fnArray: ReadonlyArray<number>
  readonly argsArray: ReadonlyArray<ReadonlyArray<unknown> | null>
}

const multiply = (m: Matrix, n: Matrix): Matrix => [
  m[0] * n[0] + m[2] * n[1],
  m[1] * n[0] + m[3] * n[1],
  m[0] * n[2] + m[2] * n[3],
  m[1] * n[2] + m[3] * n[3],
  m[0] * n[4] + m[2] * n[5] + m[4],
  m[1] * n[4] + m[3] * n[5] + m[5]
]

const identity: Matrix = [1, 0, 0, 1, 0, 0]

const asMatrix = (args: unknown): Matrix => {
  const values = Array.from((args ?? []) as ArrayLike<unknown>)
  const flat = (values.length === 1 ? Array.from((values[0] ?? []) as ArrayLike<unknown>) : values).map(Number)
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = flat
  return [a, b, c, d, e, f]
}

interface State {
  ctm: Matrix
  font: Font
  size: number
  letter: number
  word: number
  scale: number
  leading: number
  rise: number
}

/** Ligatures, presentation forms and full-width Latin are written as the letters they stand for. */
const plainText = (unicode: string): string =>
  /[\u00a0\ufb00-\ufdff\ufe70-\ufeff\uff01-\uff5e]/.test(unicode) ? unicode.normalize("NFKC") : unicode

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what fonts without a map yield
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f\ufffe\uffff\ue000-\uf8ff]/g

const styleOf = (font: Font) => {
  const name = font.name ?? ""
  return {
    bold: font.bold === true || font.black === true || /bold|black|heavy|demi|-medi\b|cmbx/i.test(name),
    italic: font.italic === true || /italic|oblique|slanted|cmti|-\w*ital/i.test(name),
    mono: /mono|courier|consol|typewriter|cmtt|menlo/i.test(name)
  }
}

/** The text cursor and the pen. */
export class Interpreter {
  readonly pieces: Array<Piece & { readonly angle: number }> = []
  readonly rules: Array<Rule> = []
  private readonly fonts: (id: string) => Font
  private readonly links: ReadonlyArray<LinkArea>
  private stack: Array<State> = []
  private state: State
  private textMatrix: Matrix = identity
  private x = 0
  private y = 0
  private lineX = 0
  private lineY = 0

  constructor(base: Matrix, fonts: (id: string) => Font, links: ReadonlyArray<LinkArea>) {
    this.fonts = fonts
    this.links = links
    this.state = { ctm: base, font: {}, size: 1, letter: 0, word: 0, scale: 1, leading: 0, rise: 0 }
  }

  run({ fnArray, argsArray }: Operators): void {
    for (let index = 0; index < fnArray.length; index += 1) this.step(fnArray[index] ?? 0, argsArray[index] ?? [])
  }

  private step(op: number, args: ReadonlyArray<unknown>): void {
    const { state } = this
    const [first] = args
    switch (op) {
      case OPS.save:
        this.stack.push({ ...state })
        break
      case OPS.restore:
        this.state = this.stack.pop() ?? state
        break
      case OPS.transform:
        state.ctm = multiply(state.ctm, asMatrix(args))
        break
      case OPS.paintFormXObjectBegin:
        this.stack.push({ ...state })
        if (first) state.ctm = multiply(state.ctm, asMatrix(first))
        break
      case OPS.paintFormXObjectEnd:
        this.state = this.stack.pop() ?? state
        break
      case OPS.beginText:
        this.place(identity)
        break
      case OPS.setTextMatrix:
        this.place(asMatrix(args))
        break
      case OPS.moveText:
        this.move(Number(first), Number(args[1]))
        break
      case OPS.setLeadingMoveText:
        state.leading = -Number(args[1])
        this.move(Number(first), Number(args[1]))
        break
      case OPS.nextLine:
        this.move(0, -state.leading)
        break
      case OPS.setFont:
        state.font = this.fonts(String(first))
        state.size = Number(args[1])
        break
      case OPS.setCharSpacing:
        state.letter = Number(first)
        break
      case OPS.setWordSpacing:
        state.word = Number(first)
        break
      case OPS.setHScale:
        state.scale = Number(first) / 100
        break
      case OPS.setLeading:
        state.leading = -Number(first)
        break
      case OPS.setTextRise:
        state.rise = Number(first)
        break
      case OPS.showText:
        this.show(first as ReadonlyArray<Glyph | number>)
        break
      case OPS.constructPath:
        this.path(Number(first), args[1] as ReadonlyArray<ArrayLike<number> | null>)
        break
    }
  }

  private place(matrix: Matrix): void {
    this.textMatrix = matrix
    this.x = this.y = this.lineX = this.lineY = 0
  }

  private move(x: number, y: number): void {
    this.x = this.lineX += x
    this.y = this.lineY += y
  }

  private show(glyphs: ReadonlyArray<Glyph | number>): void {
    const { font, letter, rise, scale, size, word } = this.state
    const matrix = multiply(this.state.ctm, this.textMatrix)
    const [a, b, c, d, e, f] = matrix
    const unit = font.isType3Font ? (font.fontMatrix?.[0] ?? 0.001) : 0.001
    const stretch = Math.hypot(a, b)
    const height = Math.hypot(c, d) * Math.abs(size)
    if (!Number.isFinite(height) || height === 0 || stretch === 0) return
    const angle = Math.atan2(b, a)
    const style = styleOf(font)
    let run = ""
    let href: string | undefined
    let from = this.x
    let to = this.x
    const flush = () => {
      const text = run.replace(unprintable, "")
      if (text.trim() !== "") {
        const x0 = a * from + c * (this.y + rise) + e
        const y = b * from + d * (this.y + rise) + f
        this.pieces.push({ text, x0, x1: x0 + (to - from) * stretch, y, size: height, angle, href, ...style })
      }
      run = ""
    }
    for (const glyph of glyphs) {
      if (typeof glyph === "number") {
        const shift = ((font.vertical ? 1 : -1) * glyph * size) / 1000
        if (font.vertical) this.y += shift
        else this.x += shift * scale
        continue
      }
      const gap = ((this.x - to) * stretch) / height
      if (run !== "" && (gap > 0.9 || gap < -0.4)) flush()
      else if (run !== "" && gap > 0.16 && !run.endsWith(" ")) run += " "
      const target = this.links.length === 0 ? undefined : this.linkAt(matrix)
      if (target !== href) {
        flush()
        href = target
      }
      if (run === "") from = this.x
      const blank = glyph.unicode.trim() === ""
      run += blank ? (run === "" || run.endsWith(" ") ? "" : " ") : plainText(glyph.unicode)
      const advance = glyph.width * unit * size
      if (font.vertical) {
        flush()
        this.y += ((glyph.vmetric?.[0] ?? -1000) * size) / 1000 + letter
      } else {
        const start = this.x
        this.x += (advance + letter + (glyph.isSpace ? word : 0)) * scale
        // Letters that are spaced out on purpose still form a word; blanks do not widen a piece.
        if (!blank) to = letter > 0 && letter < 0.5 * Math.abs(size) ? this.x : start + advance * scale
        if (blank && run === "") from = this.x
      }
    }
    flush()
  }

  private linkAt([a, b, c, d, e, f]: Matrix): string | undefined {
    const x = a * this.x + c * this.y + e
    const y = b * this.x + d * this.y + f
    return this.links.find((area) => x >= area.x0 - 1 && x < area.x1 && y >= area.y0 && y <= area.y1)?.href
  }

  /** Straight lines that are drawn, and bars so thin that they look like lines. */
  private path(paint: number, [data]: ReadonlyArray<ArrayLike<number> | null>): void {
    if (data == null || paint === OPS.endPath || this.rules.length > 5000) return
    const stroked = paint === OPS.stroke || paint === OPS.closeStroke || paint === OPS.fillStroke
    let points: Array<readonly [number, number]> = []
    const finish = () => {
      if (points.length > 1 && points.length < 12) this.rule(points, stroked)
      points = []
    }
    for (let at = 0; at < data.length; ) {
      const kind = data[at]
      if (kind === 3) {
        if (stroked && points[0] !== undefined) points.push(points[0])
        at += 1
        continue
      }
      if (kind === 2 || kind === 4) {
        points = []
        at += kind === 2 ? 7 : 5
        continue
      }
      if (kind === 0) finish()
      points.push(this.toPage(data[at + 1] ?? 0, data[at + 2] ?? 0))
      at += 3
    }
    finish()
  }

  private toPage(x: number, y: number): readonly [number, number] {
    const [a, b, c, d, e, f] = this.state.ctm
    return [a * x + c * y + e, b * x + d * y + f]
  }

  private rule(points: ReadonlyArray<readonly [number, number]>, stroked: boolean): void {
    const add = (from: readonly [number, number], to: readonly [number, number]) => {
      const [x0, x1] = from[0] < to[0] ? [from[0], to[0]] : [to[0], from[0]]
      const [y0, y1] = from[1] < to[1] ? [from[1], to[1]] : [to[1], from[1]]
      const straight = x1 - x0 < 3 || y1 - y0 < 3
      if (straight && Math.max(x1 - x0, y1 - y0) > 4) this.rules.push({ x0, y0, x1, y1 })
    }
    if (stroked) {
      points.slice(1).forEach((point, index) => {
        add(points[index] ?? point, point)
      })
      return
    }
    const xs = points.map(([x]) => x)
    const ys = points.map(([, y]) => y)
    add([Math.min(...xs), Math.min(...ys)], [Math.max(...xs), Math.max(...ys)])
  }
}

const quarter = (angle: number): number | undefined => {
  const turns = angle / (Math.PI / 2)
  return Math.abs(turns - Math.round(turns)) < 0.05 ? ((Math.round(turns) % 4) + 4) % 4 : undefined
}

const turned: ReadonlyArray<Matrix> = [
  [1, 0, 0, 1, 0, 0],
  [0, -1, 1, 0, 0, 0],
  [-1, 0, 0, -1, 0, 0],
  [0, 1, -1, 0, 0, 0]
]

/**
 * The page as it is read, one view for each direction of its writing, the one with the most text first. Slanted text is
 * a watermark and left out.
 */
export const readPage = (
  operators: Operators,
  base: Matrix,
  fonts: (id: string) => Font,
  links: ReadonlyArray<LinkArea>
): ReadonlyArray<Page> => {
  const upright = new Interpreter(base, fonts, links)
  upright.run(operators)
  const amounts = [0, 0, 0, 0]
  for (const { angle, text } of upright.pieces) {
    const turn = quarter(angle)
    if (turn !== undefined) amounts[turn] = (amounts[turn] ?? 0) + text.length
  }
  return [0, 1, 2, 3]
    .filter((turn) => (amounts[turn] ?? 0) > 0)
    .sort((one, other) => (amounts[other] ?? 0) - (amounts[one] ?? 0))
    .map((turn) => {
      const view = turn === 0 ? upright : new Interpreter(multiply(turned[turn] ?? identity, base), fonts, [])
      if (view !== upright) view.run(operators)
      return { pieces: view.pieces.filter(({ angle }) => quarter(angle) === 0), rules: view.rules }
    })
}
