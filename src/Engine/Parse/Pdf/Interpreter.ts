/** Interprets the drawing operators of a PDF page, and returns the positions of text and of ruled lines. */
import { getResolvedPDFJS } from "unpdf"
import type { Box } from "../Tree.ts"
import { isAccent } from "./Accents.ts"
import { textOfString } from "./ActualText.ts"
import type { FieldText } from "./Annotations.ts"
import { drawnOrder, type Font, type FontFacts, factsOf, plainText, unprintable } from "./Fonts.ts"
import { asMatrix, identity, type LinkArea, type Matrix, multiply, type Piece } from "./Geometry.ts"
import { trackingOf } from "./LetterSpacing.ts"
import { type Rule, rulesOf } from "./Rules.ts"
import type { Tags } from "./Structure.ts"

const { OPS } = await getResolvedPDFJS()

/** Maximum ruled lines that are read from a page. Only pages with drawings have more. */
const maxRules = 5000

interface Glyph {
  readonly unicode: string
  readonly originalCharCode: number
  readonly width: number
  readonly isSpace: boolean
  readonly vmetric?: ReadonlyArray<number>
}

export interface Operators {
  readonly fnArray: ReadonlyArray<number>
  readonly argsArray: ReadonlyArray<ReadonlyArray<unknown> | null>
}

/** Kinds of content that are drawn on a page, whether or not the text is readable. */
export interface Ink {
  readonly letters: boolean
  readonly drawings: boolean
  /** True if space is reserved for a large image. The images themselves are not decoded, so pdf.js does not list them. */
  readonly picture: boolean
}

/** Minimum width and height of a scan, in points. */
const minPicture = 100

const isPicture = (args: unknown): boolean => {
  const [a, b, c, d] = asMatrix(args)
  return Math.hypot(a, b) >= minPicture && Math.hypot(c, d) >= minPicture
}

/** Minimum height of a strip of a scan, in points. */
const minStrip = 8

const everywhere = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const
const nowhere = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] as const

/** Character of a glyph. If a standard font lacks a character, pdf.js returns a space, and the character map decides. */
const unicodeOf = ({ isSpace, originalCharCode, unicode }: Glyph, font: Font): string =>
  unicode === " " && !isSpace ? (font.toUnicode?._map?.[originalCharCode] ?? unicode) : unicode

/** Invisible characters in replacement texts: word separators, direction marks, byte order marks. */
const zeroWidth = /[\u200b\u200e\u200f\u2060\ufeff]/g

const isLetter = (glyph: Glyph | number): boolean => typeof glyph !== "number" && !glyph.isSpace

export const inkOf = ({ argsArray, fnArray }: Operators): Ink => {
  let [letters, drawings, picture] = [false, false, false]
  for (const [index, op] of fnArray.entries()) {
    const first: unknown = argsArray[index]?.[0]
    if (op === OPS.showText) letters ||= Array.isArray(first) && first.some(isLetter)
    // A path used only for clipping is invisible.
    else if (op === OPS.constructPath) drawings ||= first !== OPS.endPath
    else if (op === OPS.shadingFill) drawings = true
    else if (op === OPS.transform) picture ||= isPicture(argsArray[index])
  }
  return { letters, drawings, picture }
}

/** Marked content that has begun and not ended. */
interface MarkedContent {
  readonly level: number | undefined
  readonly isShown: boolean
  /** Text that replaces the pieces drawn in the marked content, which begin at index `from`. */
  readonly replaces?: { readonly text: string; readonly from: number } | undefined
}

const unmarked: MarkedContent = { level: undefined, isShown: true }

interface GraphicsState {
  ctm: Matrix
  font: Font
  size: number
  letter: number
  word: number
  scale: number
  leading: number
  rise: number
  mode: number
}

/** Text that is neither filled nor stroked (`3 Tr`). */
const invisibleMode = 3

/** Properties of a page that the interpreter needs: coordinates, fonts, tags, and what is visible. */
export interface Surface {
  /** Matrix from the coordinates of the file to those of the displayed page. */
  readonly base: Matrix
  /** Visible rectangle of the page; text outside it is left out. */
  readonly area: Box
  readonly fonts: (id: string) => Font
  readonly tags: Tags
  /** True if optional content is shown. `content` is pdf.js's description of it. */
  readonly isShown: (content: unknown) => boolean
}

/** Executes operators and collects text and ruled lines. */
export class Interpreter {
  readonly pieces: Array<Piece & { readonly angle: number }> = []
  readonly rules: Array<Rule> = []
  private readonly surface: Surface
  private readonly links: ReadonlyArray<LinkArea>
  private readonly known = new Map<Font, FontFacts>()
  private marked: Array<MarkedContent> = []
  private stack: Array<GraphicsState> = []
  private state: GraphicsState
  private textMatrix: Matrix = identity
  private x = 0
  private y = 0
  private lineX = 0
  private lineY = 0

  /** Ids of the annotations that the file draws. */
  readonly drawn = new Set<string>()
  private readonly replaced: ReadonlySet<string>
  private isReplaced = false

  /** Sum of image areas in square points; overlapping images count twice. */
  pictured = 0
  /** True if text of the page was left out, because it is outside the visible area or in a layer that is switched off. */
  withholds = false

  constructor(surface: Surface, links: ReadonlyArray<LinkArea>, fields: ReadonlyArray<FieldText>) {
    this.replaced = new Set(fields.flatMap(({ id, replaces }) => (replaces ? [id] : [])))
    this.surface = surface
    this.links = links
    this.state = { ctm: surface.base, font: {}, size: 1, letter: 0, word: 0, scale: 1, leading: 0, rise: 0, mode: 0 }
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
        this.picture()
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
        state.font = this.surface.fonts(String(first))
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
      case OPS.setTextRenderingMode:
        state.mode = Number(first)
        break
      case OPS.beginAnnotation:
        this.drawn.add(String(first))
        this.isReplaced = this.replaced.has(String(first))
        break
      case OPS.endAnnotation:
        this.isReplaced = false
        break
      case OPS.showText:
        if (!this.isReplaced) this.show(first as ReadonlyArray<Glyph | number>)
        break
      case OPS.beginMarkedContent:
        this.marked.push({ ...this.content, replaces: undefined })
        break
      case OPS.beginMarkedContentProps:
        this.marked.push(this.opened(first, args[1]))
        break
      case OPS.endMarkedContent: {
        const { replaces } = this.marked.pop() ?? unmarked
        if (replaces !== undefined) this.replace(replaces)
        break
      }
      case OPS.constructPath:
        this.path(Number(first), args[1] as ReadonlyArray<ArrayLike<number> | null>)
        break
    }
  }

  private get content(): MarkedContent {
    return this.marked.at(-1) ?? unmarked
  }

  /** Opens marked content. Its properties hold an id, or an array of an id and a replacement text. */
  private opened(name: unknown, properties: unknown): MarkedContent {
    const { isShown, level } = this.content
    if (name === "OC") return { level, isShown: isShown && this.surface.isShown(properties) }
    const [id, stated] = Array.isArray(properties) ? properties : [properties]
    const tag = this.surface.tags.get(Number(id ?? -1))
    const text = typeof stated === "string" ? textOfString(stated) : tag?.text
    const replaces = text === undefined ? undefined : { text, from: this.pieces.length }
    return { level: tag?.level ?? level, isShown, replaces }
  }

  /** Replaces the text drawn since index `from` by a replacement text. Does nothing if nothing was drawn. */
  private replace({ from, text }: { readonly text: string; readonly from: number }): void {
    const drawn = this.pieces.splice(from)
    const [first] = drawn
    const words = text.replace(unprintable, "").replace(zeroWidth, "").replace(/\s+/g, " ")
    if (first === undefined || words.trim() === "") return
    const line = drawn.filter(({ y }) => Math.abs(y - first.y) < 0.5 * first.size)
    const x0 = Math.min(...line.map((piece) => piece.x0))
    this.pieces.push({ ...first, text: drawnOrder(words), x0, x1: Math.max(...line.map(({ x1 }) => x1)) })
  }

  /** Counts the unit square of a transform as an image: images are not decoded, so pdf.js lists only their transforms. */
  private picture(): void {
    const [a, b, c, d] = this.state.ctm
    const [width, height] = [Math.hypot(a, b), Math.hypot(c, d)]
    if (width >= minPicture && height >= minStrip) this.pictured += width * height
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
    const { ligatures, style } = this.factsOf(font)
    const { isShown, level } = this.content
    const hidden = this.state.mode === invisibleMode || undefined
    const [first, last] = this.visible(matrix)
    const wordGap = 0.16 + this.trackingIn(glyphs)
    let run = ""
    let href: string | undefined
    let from = this.x
    let to = this.x
    const flush = () => {
      const text = run.replace(unprintable, "")
      const x0 = a * from + c * (this.y + rise) + e
      const x1 = x0 + (to - from) * stretch
      const y = b * from + d * (this.y + rise) + f
      if (!isShown && text.trim() !== "") this.withholds = true
      else if (text.trim() !== "" && Number.isFinite(x1) && Number.isFinite(y)) {
        const raised = rise === 0 ? undefined : rise * Math.hypot(c, d)
        this.pieces.push({ text, x0, x1, y, size: height, angle, href, level, rise: raised, hidden, ...style })
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
      const overlaps = gap < -0.1 && (isAccent(run.slice(-1)) || isAccent(glyph.unicode))
      if (run !== "" && (gap > 0.9 || gap < -0.4 || overlaps)) flush()
      else if (run !== "" && gap > wordGap && !run.endsWith(" ")) run += " "
      const target = this.links.length === 0 ? undefined : this.linkAt(matrix)
      if (target !== href) {
        flush()
        href = target
      }
      if (run === "") from = this.x
      const advance = glyph.width * unit * size
      const isOutside = this.x + advance * scale < first || this.x > last
      if (isOutside) this.withholds ||= !glyph.isSpace
      const letters = isOutside
        ? " "
        : (ligatures.get(glyph.originalCharCode) ?? plainText(unicodeOf(glyph, font), font))
      const blank = letters === " " || letters.trim() === ""
      if (!blank) run += letters
      else if (run !== "" && !run.endsWith(" ")) run += " "
      if (font.vertical) {
        flush()
        this.y += ((glyph.vmetric?.[0] ?? -1000) * size) / 1000 + letter
      } else {
        const start = this.x
        this.x += (advance + letter + (glyph.isSpace ? word : 0)) * scale
        // Letter-spaced text still forms one word; blanks do not widen a piece.
        if (!blank) to = letter > 0 && letter < 0.5 * Math.abs(size) ? this.x : start + advance * scale
        if (blank && run === "") from = this.x
      }
    }
    flush()
  }

  /**
   * Range of x, in text space, in which horizontal text is visible: empty for a line above or below the visible area; unlimited for rotated
   * text.
   */
  private visible([a, b, c, d, e, f]: Matrix): readonly [first: number, last: number] {
    const { area } = this.surface
    const { rise, size } = this.state
    if (Math.abs(b) > 0.01 * Math.abs(a) || a <= 0) return everywhere
    const y = d * (this.y + rise) + f
    const height = Math.abs(d * size)
    if (y - 0.7 * height > area.y1 || y + 0.2 * height < area.y0) return nowhere
    const start = c * (this.y + rise) + e
    return [(area.x0 - start) / a, (area.x1 - start) / a]
  }

  /** Letter spacing that is written as offsets between single letters, in units of the font size. */
  private trackingIn(glyphs: ReadonlyArray<Glyph | number>): number {
    const gaps: Array<number> = []
    let before: Glyph | undefined
    let gap = 0
    for (const glyph of glyphs) {
      if (typeof glyph === "number") gap -= (glyph / 1000) * this.state.scale
      else {
        const isBlank = glyph.unicode.trim() === ""
        if (before !== undefined && !isBlank) {
          if (gap < 0.1 || (glyph.unicode >= "0" && glyph.unicode <= "9")) return 0
          gaps.push(gap)
        }
        before = isBlank ? undefined : glyph
        gap = 0
      }
    }
    return trackingOf(gaps)
  }

  private factsOf(font: Font): FontFacts {
    const known = this.known.get(font) ?? factsOf(font)
    this.known.set(font, known)
    return known
  }

  private linkAt([a, b, c, d, e, f]: Matrix): string | undefined {
    const x = a * this.x + c * this.y + e
    const y = b * this.x + d * this.y + f
    return this.links.find((area) => x >= area.x0 - 1 && x < area.x1 && y >= area.y0 && y <= area.y1)?.href
  }

  private path(paint: number, [data]: ReadonlyArray<ArrayLike<number> | null>): void {
    if (data == null || paint === OPS.endPath || this.rules.length > maxRules) return
    const stroked = paint === OPS.stroke || paint === OPS.closeStroke || paint === OPS.fillStroke
    const [a, b, c, d, e, f] = this.state.ctm
    // Pushed one by one, because a path may draw a whole map: too many rules for one call of push.
    for (const rule of rulesOf(data, stroked, (x, y) => [a * x + c * y + e, b * x + d * y + f])) this.rules.push(rule)
  }
}
