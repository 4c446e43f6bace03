/** A PDF page as it is read: its text and its ruled lines, whichever way the page is turned. */
import { joinAccents } from "./PdfAccents.ts"
import type { Font } from "./PdfFont.ts"
import type { Levels } from "./PdfHints.ts"
import { Interpreter, type LinkArea, type Operators, type Piece } from "./PdfInterpreter.ts"
import { withoutLineNumbers } from "./PdfMargins.ts"
import { identity, type Matrix, multiply } from "./PdfMatrix.ts"
import type { Rule } from "./PdfRules.ts"

export interface Page {
  readonly pieces: ReadonlyArray<Piece>
  readonly rules: ReadonlyArray<Rule>
  /** Written in another direction than most of the page, as remarks at its edge are. */
  readonly turned: boolean
}

const quarter = (angle: number): number | undefined => {
  const turns = angle / (Math.PI / 2)
  return Math.abs(turns - Math.round(turns)) < 0.05 ? ((Math.round(turns) % 4) + 4) % 4 : undefined
}

/** Turns writing that runs down, upside down or up the page upright. */
const rotations: ReadonlyArray<Matrix> = [identity, [0, -1, 1, 0, 0, 0], [-1, 0, 0, -1, 0, 0], [0, 1, -1, 0, 0, 0]]

/**
 * The page as it is read, one view for each direction of its writing, the one with the most text first. Slanted text is
 * a watermark and left out.
 */
export const readPage = (
  operators: Operators,
  base: Matrix,
  fonts: (id: string) => Font,
  links: ReadonlyArray<LinkArea>,
  levels: Levels
): ReadonlyArray<Page> => {
  const upright = new Interpreter(base, fonts, links, levels)
  upright.run(operators)
  const amounts = [0, 0, 0, 0]
  for (const { angle, text } of upright.pieces) {
    const turn = quarter(angle)
    if (turn !== undefined) amounts[turn] = (amounts[turn] ?? 0) + text.length
  }
  return rotations
    .map((rotation, turn) => ({ rotation, amount: amounts[turn] ?? 0 }))
    .filter(({ amount }) => amount > 0)
    .sort((one, other) => other.amount - one.amount)
    .map(({ rotation }, index) => {
      const view = rotation === identity ? upright : new Interpreter(multiply(rotation, base), fonts, [], levels)
      if (view !== upright) view.run(operators)
      const pieces = joinAccents(view.pieces.filter(({ angle }) => quarter(angle) === 0))
      return { pieces: withoutLineNumbers(pieces), rules: view.rules, turned: index > 0 }
    })
}
