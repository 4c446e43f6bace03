/** A plan as people read it. */
import type { Plan } from "../../Pipeline/Plan.ts"
import { type Channel, paint } from "../Terminal.ts"
import { facts, type Surroundings } from "./Facts.ts"
import { table } from "./Table.ts"

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
