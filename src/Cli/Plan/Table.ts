/** The steps of a plan, a line each. */
import type { Plan, PlannedStep } from "../../Pipeline/Plan.ts"
import type { Channel, Paint } from "../Terminal.ts"
import { amount, counted, credits } from "./Amount.ts"
import { tree } from "./Tree.ts"

const asked = ({ nouns, operation, pages, requests }: PlannedStep): string => {
  const { page = "page", request = "request" } = nouns ?? {}
  if (operation === undefined || requests.most === 0) return ""
  if (pages.most === 0) return counted(requests, request)
  return requests.least === pages.least && requests.most === pages.most
    ? counted(pages, page)
    : `${counted(requests, request)}, ${counted(pages, page)}`
}

const cut = (text: string, width: number): string => (text.length <= width ? text : `${text.slice(0, width - 1)}…`)

/** How wide the table may be where nobody looks. */
const unseen = 120

export const table = ({ steps }: Plan, service: string, channel: Channel, dye: Paint): ReadonlyArray<string> => {
  const head = ["step", "what", "where", "asks for", "rows", "credits"]
  const lines = tree(steps).map(({ stem, step }) => {
    const where =
      step.operation === undefined
        ? "here"
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
