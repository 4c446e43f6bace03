/** A plan as text: a tree of steps in a table, and a list of facts. */
import type { Plan, PlannedStep } from "../../Pipeline/Plan.ts"
import { cut } from "../Format.ts"
import { type Channel, type Paint, paint } from "../Terminal.ts"
import { amount, counted, credits, facts, type Surroundings } from "./Facts.ts"

const asked = ({ nouns, pages, requests }: PlannedStep): string => {
  const { page = "page", request = "request" } = nouns ?? {}
  if (requests.most === 0) return ""
  if (pages.most === 0) return counted(requests, request)
  return requests.least === pages.least && requests.most === pages.most
    ? counted(pages, page)
    : `${counted(requests, request)}, ${counted(pages, page)}`
}

/** Width of the table if the output is not a terminal. */
const unseen = 120

export const table = ({ steps }: Plan, service: string, channel: Channel, dye: Paint): ReadonlyArray<string> => {
  const head = ["step", "what", "where", "asks for", "rows", "credits"]
  const lines = tree(steps).map(({ stem, step }) => {
    const where =
      step.operation === undefined
        ? step.requests.most === 0
          ? "here"
          : "its API"
        : `${service}${step.operation.documented || service === "local" ? "" : " *"}`
    const merged = step.inputs.length > 1 ? `from ${step.inputs.join(" + ")}  ` : ""
    const own = `${merged}${step.id === step.key ? "" : `${step.key} `}`
    const what = step.runs ? `${own}${step.does}` : `${own}(left out by \`when\`)`
    return [
      `${stem}${step.id}`,
      what,
      step.pin === undefined ? where : "pinned",
      asked(step),
      step.givesRows ? amount(step.rows) : "",
      credits(step.price, step.purchases)
    ]
  })
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((line) => (line[column] ?? "").length)))
  const others = widths.reduce((sum, width, column) => sum + (column === 1 ? 0 : width + 2), 2)
  const room = Math.max(24, (channel.interactive ? channel.columns() : unseen) - others)
  widths[1] = Math.min(widths[1] ?? room, room)
  const row = (line: ReadonlyArray<string>) =>
    line
      .map((cell, column) =>
        column === 4 ? cell.padStart(widths[column] ?? 0) : cut(cell, widths[column] ?? 0).padEnd(widths[column] ?? 0)
      )
      .join("  ")
      .trimEnd()
  return [dye.dim(`  ${row(head)}`), ...lines.map((line) => `  ${row(line)}`)]
}

export interface Leaf {
  readonly step: PlannedStep
  /** Lines of the tree that are drawn before the step's id. */
  readonly stem: string
}

/** The steps as a tree. Each appears once, below its input; a step with several inputs appears below the last one in `steps`. */
export const tree = (steps: ReadonlyArray<PlannedStep>): ReadonlyArray<Leaf> => {
  const ids = steps.map(({ id }) => id)
  const above = ({ inputs }: PlannedStep): string | undefined => ids.findLast((id) => inputs.includes(id))
  const readers = (id: string) => steps.filter((step) => above(step) === id)
  const leaves: Array<Leaf> = []
  const grow = (step: PlannedStep, first: string, rest: string): void => {
    leaves.push({ step, stem: first })
    const below = readers(step.id)
    for (const [index, reader] of below.entries()) {
      const isLast = index === below.length - 1
      if (below.length === 1) grow(reader, rest, rest)
      else grow(reader, `${rest}${isLast ? "└ " : "├ "}`, `${rest}${isLast ? "  " : "│ "}`)
    }
  }
  for (const step of steps) if (step.inputs.length === 0) grow(step, "", "")
  return leaves
}

export const text = (plan: Plan, surroundings: Surroundings, channel: Channel): string => {
  const dye = paint(channel)
  const all = facts(plan, surroundings)
  const width = Math.max(...all.map(([name]) => name.length))
  return [
    `${dye.bold(plan.name)}  ${dye.dim(surroundings.file)}`,
    "",
    ...table(plan, surroundings.service, channel, dye),
    "",
    ...all.map(([name, said], index) => {
      const isRepeated = index > 0 && all[index - 1]?.[0] === name
      return `  ${dye.dim((isRepeated ? "" : name).padEnd(width))}  ${said}`
    }),
    ""
  ].join("\n")
}
