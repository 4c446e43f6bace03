/** Formats of pages that steps below need (`readsFormat`): added to the step that fetches the pages, so that definitions do not repeat them. */
import { list, mapping, nameOf } from "../Step/Requirements.ts"
import type { Issue } from "./Issue.ts"
import type { Node } from "./Node.ts"

/** Sources whose rows never hold the content of a page. */
const withoutPages = new Set(["urls", "files", "feed", "activeCrawls", "usage"])

/** Steps whose rows hold only the fields that they name. */
const renaming = new Set(["select", "aggregate"])

/** The fields with the format added; undefined where they are known with the run only. `unnamed` are the formats of a step that names none. */
const withFormat = (
  config: unknown,
  [key, ...rest]: ReadonlyArray<string>,
  format: string,
  unnamed: ReadonlyArray<string>
): unknown => {
  if (typeof config === "string" && config.includes("${{")) return undefined
  if (key !== undefined) {
    const inner = withFormat(mapping(config)[key], rest, format, unnamed)
    return inner === undefined ? undefined : { ...mapping(config), [key]: inner }
  }
  if (config !== undefined && !Array.isArray(config)) return undefined
  const formats = config === undefined ? unnamed : list(config)
  return formats.some((each) => nameOf(each) === format) ? config : [...formats, format]
}

interface Found {
  /** The step that fetches the pages. */
  readonly node?: Node | undefined
  readonly issue?: string | undefined
}

const search = (node: Node, format: string, byId: ReadonlyMap<string, Node>): ReadonlyArray<Found> =>
  node.inputs.flatMap((id): ReadonlyArray<Found> => {
    const above = byId.get(id)
    if (above === undefined) return []
    const { config, step } = above
    if (step.formatsAt !== undefined) return [{ node: above }]
    if (withoutPages.has(step.key))
      return [
        { issue: `the rows of ${step.key} have no ${format}: fetch the pages above this step with \`- scrape: {}\`` }
      ]
    if (renaming.has(step.key) && !JSON.stringify(config ?? null).match(/html/i))
      return [
        { issue: `"${id}" above leaves out ${format}: move this step above it, or add \`${format}: ${format}\` to it` }
      ]
    return search(above, format, byId)
  })

/** The steps, with the formats that those below need; and the steps whose pages cannot have them. */
export const withPageFormats = (
  nodes: ReadonlyArray<Node>
): { readonly nodes: ReadonlyArray<Node>; readonly issues: ReadonlyArray<Issue> } => {
  const issues: Array<Issue> = []
  const changed = new Map<string, Node>()
  const byId = new Map(nodes.map((node) => [node.id, node]))
  for (const node of nodes) {
    const format = node.step.readsFormat?.(node.config)
    if (format === undefined) continue
    for (const { issue, node: fetching } of search(node, format, byId)) {
      if (issue !== undefined) issues.push({ path: ["steps", node.index, node.step.key], atKey: true, message: issue })
      if (fetching === undefined) continue
      const { config, id, step } = changed.get(fetching.id) ?? fetching
      const readers = nodes.filter(({ inputs }) => inputs.includes(id))
      // Services make Markdown where no format is named. Nothing sees it between the two steps.
      const isUnseen = readers.length === 1 && readers[0] === node && !JSON.stringify(node.config).includes("markdown")
      const asked = withFormat(config ?? undefined, step.formatsAt ?? [], format, isUnseen ? [] : ["markdown"])
      if (asked !== undefined) changed.set(id, { ...fetching, config: asked })
    }
  }
  return { nodes: nodes.map((node) => changed.get(node.id) ?? node), issues }
}
