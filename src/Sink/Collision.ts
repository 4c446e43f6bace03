/** Decides whether two writes of one pipeline can produce the same file, by their path templates alone. */
import * as NodePath from "node:path"
import { fold, perRun, spellSeq } from "./Destination.ts"

/** The fields of a write that decide where its files are. */
export interface Target {
  readonly path: string
  readonly mode: string
  /** Names in the path whose values come from rows. */
  readonly partitions: ReadonlyArray<string>
}

/** One character, a value of the run that is the same in both paths, any text that a row gives, or one digit or more of a part number. */
type Token = { readonly kind: "text" | "run"; readonly text: string } | { readonly kind: "row" | "digit" | "seq" }

/** A part number has at least so many. */
const leastDigits = spellSeq(1).length

const placeholder = /\{([A-Za-z]\w*)\}|\$\{\{[\s\S]*?\}\}/g

/** Stands for the output folder, which is not known before the run. */
const outputFolder = `${NodePath.sep}{{out}}`

const tokensOf = (segment: string, partitions: ReadonlyArray<string>): ReadonlyArray<Token> => {
  const tokens: Array<Token> = []
  const literal = (text: string) => {
    for (const character of fold(text)) tokens.push({ kind: "text", text: character })
  }
  let end = 0
  for (const match of segment.matchAll(placeholder)) {
    literal(segment.slice(end, match.index))
    end = match.index + match[0].length
    const name = match[1]
    if (name === "seq") {
      for (let digit = 1; digit < leastDigits; digit++) tokens.push({ kind: "digit" })
      tokens.push({ kind: "seq" })
    } else if (name !== undefined && partitions.includes(name)) tokens.push({ kind: "row" })
    else tokens.push({ kind: "run", text: match[0] })
  }
  literal(segment.slice(end))
  return tokens
}

const isNumber = (token: Token): token is Extract<Token, { readonly kind: "digit" | "seq" | "row" }> =>
  token.kind === "digit" || token.kind === "seq"

/** True when both can stand for the same piece of a name. */
const agree = (a: Token, b: Token): boolean => {
  if (a.kind === "row" || b.kind === "row") return true
  if (isNumber(a)) return isNumber(b) || (b.kind === "text" && /\d/.test(b.text))
  if (isNumber(b)) return agree(b, a)
  return a.kind === b.kind && a.text === b.text
}

const repeats = ({ kind }: Token): boolean => kind === "row" || kind === "seq"

/** True when some name fits both: every pair of positions is visited at most once. */
const canBeSame = (a: ReadonlyArray<Token>, b: ReadonlyArray<Token>): boolean => {
  const seen = new Set<number>()
  const open: Array<readonly [number, number]> = [[0, 0]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [i, j] = next
    if (i === a.length && j === b.length) return true
    const [one, other] = [a[i], b[j]]
    const place = i * (b.length + 1) + j
    if (one === undefined || other === undefined || seen.has(place) || !agree(one, other)) continue
    seen.add(place)
    open.push([i + 1, j + 1])
    if (repeats(one)) open.push([i, j + 1])
    if (repeats(other)) open.push([i + 1, j])
  }
  return false
}

const segmentsOf = ({ mode, partitions, path }: Target): ReadonlyArray<ReadonlyArray<Token>> => {
  const template = mode === "perRun" ? perRun(path) : path
  // A slash inside ${{ }} does not separate folders.
  const values: Array<string> = []
  const named = template.replace(/\$\{\{[\s\S]*?\}\}/g, (value) => `\0${values.push(value) - 1}\0`)
  return NodePath.resolve(outputFolder, named)
    .split(/[/\\]/)
    .map((segment) =>
      tokensOf(
        segment.replace(/\0(\d+)\0/g, (_, index: string) => values[Number(index)] ?? ""),
        partitions
      )
    )
}

/** True when a file of one can have the path of a file of the other. */
export const collide = (one: Target, other: Target): boolean => {
  if (one.path === "-" || other.path === "-") return one.path === other.path
  const [a, b] = [segmentsOf(one), segmentsOf(other)]
  return a.length === b.length && a.every((segment, index) => canBeSame(segment, b[index] ?? []))
}
