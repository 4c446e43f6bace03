/** Where things are on a PDF page: affine maps, as the format writes them. */

export type Matrix = readonly [number, number, number, number, number, number]

export const multiply = (m: Matrix, n: Matrix): Matrix => [
  m[0] * n[0] + m[2] * n[1],
  m[1] * n[0] + m[3] * n[1],
  m[0] * n[2] + m[2] * n[3],
  m[1] * n[2] + m[3] * n[3],
  m[0] * n[4] + m[2] * n[5] + m[4],
  m[1] * n[4] + m[3] * n[5] + m[5]
]

export const identity: Matrix = [1, 0, 0, 1, 0, 0]

/** From operands, which come as six numbers or as one list of them. */
export const asMatrix = (args: unknown): Matrix => {
  const values = Array.from((args ?? []) as ArrayLike<unknown>)
  const flat = (values.length === 1 ? Array.from((values[0] ?? []) as ArrayLike<unknown>) : values).map(Number)
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = flat
  return [a, b, c, d, e, f]
}
