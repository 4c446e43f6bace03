/**
 * Adds the page formats that later steps need (`readsFormat`) to the step that fetches the pages, so that definitions do not repeat them.
 * For Sluice's own engine, requests a smaller format instead (`ownFormat`), if no other step can see the difference.
 */
import { list, mapping, nameOf } from "../Step/Requirements.ts"
import type { Issue } from "./Issue.ts"
import type { Node } from "./Node.ts"

/** Sources whose rows never contain page content. */
const withoutPages = new Set(["urls", "files", "feed", "activeCrawls", "usage"])

/** Steps whose rows contain only the fields that they name. */
const renaming = new Set(["select", "aggregate"])

/** Steps that pass on their input rows unchanged. */
const passing = new Set(["limit", "where", "sample"])

/** The config with the format added; undefined if its formats are not known before the run. `unnamed`: the formats if it names none. */
const withFormat = (
  config: unknown,
  [key, ...rest]: ReadonlyArray<string>,
  format: string | { readonly type: string },
  unnamed: ReadonlyArray<string>
): unknown => {
  if (typeof config === "string" && config.includes("${{")) return undefined
  if (key !== undefined) {
    const inner = withFormat(mapping(config)[key], rest, format, unnamed)
    return inner === undefined ? undefined : { ...mapping(config), [key]: inner }
  }
  if (config !== undefined && !Array.isArray(config)) return undefined
  const formats = config === undefined ? unnamed : list(config)
  return formats.some((each) => nameOf(each) === nameOf(format)) ? config : [...formats, format]
}

/** True if `node` is the only step that can see this part of the pages: the steps in between pass rows on and do not use the part. */
const isAlone = (node: Node, fetching: Node, part: RegExp, nodes: ReadonlyArray<Node>): boolean => {
  const readers = nodes.filter(({ inputs }) => inputs.includes(fetching.id))
  const [reader] = readers
  if (reader === undefined || readers.length > 1) return false
  if (reader === node) return true
  const isPassing = passing.has(reader.step.key) && !part.test(JSON.stringify([reader.config, reader.common]))
  return isPassing && isAlone(node, reader, part, nodes)
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

/** Adds the formats that later steps need; reports steps whose pages cannot have them. */
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
      // Services return Markdown if no format is named.
      const isUnseen = isAlone(node, fetching, /markdown/, nodes) && !JSON.stringify(node.config).includes("markdown")
      const add = (format: string | { readonly type: string }): unknown => {
        const added = withFormat(config ?? undefined, step.formatsAt ?? [], format, isUnseen ? [] : ["markdown"])
        return JSON.stringify(added) === JSON.stringify(config) ? undefined : added
      }
      const asked = add(format)
      if (asked === undefined) continue
      const takesOwn = step.takesOwnFormat?.(config) === true && isAlone(node, fetching, /html|fields/i, nodes)
      const own = takesOwn ? node.step.ownFormat?.(node.config) : undefined
      changed.set(id, { ...fetching, config: asked, ownConfig: own && add(own) })
    }
  }
  return { nodes: nodes.map((node) => changed.get(node.id) ?? node), issues }
}

/** The steps as they are run: Sluice's own engine gets the smaller formats that it supports (`ownFormat`). */
export const forService = (nodes: ReadonlyArray<Node>, isOwn: boolean): ReadonlyArray<Node> =>
  isOwn ? nodes.map(({ ownConfig, ...node }) => ({ ...node, config: ownConfig ?? node.config })) : nodes

/** Milliseconds that a run may take before it requests its last page. */
const longRun = 3_600_000

const withKey = (config: unknown, [key, ...rest]: ReadonlyArray<string>, value: unknown): unknown =>
  key === undefined ? value : { ...mapping(config), [key]: withKey(mapping(config)[key], rest, value) }

/** Makes steps use stored copies of pages, at most this old (milliseconds) when the run begins, instead of fetching the pages. */
export const withStoredPages = (nodes: ReadonlyArray<Node>, maxAge: number): ReadonlyArray<Node> =>
  nodes.map((node) => {
    const { formatsAt } = node.step
    if (formatsAt === undefined) return node
    return { ...node, config: withKey(node.config, [...formatsAt.slice(0, -1), "maxAge"], maxAge + longRun) }
  })
