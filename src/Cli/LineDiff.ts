/** Compares two texts line by line, as a unified diff. */
import { jsdiff } from "../Packages.ts"
import { withLineEnd } from "../Values/Text.ts"

/** Maximum added and removed lines of a minimal diff. With more, all lines are replaced: time grows with the square of their number. */
const maxEdits = 4000

const replaced = (before: string, after: string) => {
  const [old, fresh] = [before, after].map((text) => text.split("\n").slice(0, -1))
  const lines = [...(old ?? []).map((line) => `-${line}`), ...(fresh ?? []).map((line) => `+${line}`)]
  return { oldStart: 1, oldLines: old?.length ?? 0, newStart: 1, newLines: fresh?.length ?? 0, lines }
}

/** Range in a hunk's header. An empty range names the line before it. */
const range = (start: number, length: number): string => `${length === 0 ? start - 1 : start},${length}`

/** Hunks of a unified diff with three lines of context; empty if the texts are equal. */
export const lineDiff = (old: string, fresh: string): ReadonlyArray<string> => {
  const [before, after] = [withLineEnd(old), withLineEnd(fresh)]
  const options = { context: 3, maxEditLength: maxEdits }
  const patch = jsdiff().structuredPatch("", "", before, after, undefined, undefined, options)
  return (patch?.hunks ?? [replaced(before, after)]).flatMap(({ lines, newLines, newStart, oldLines, oldStart }) => [
    `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`,
    ...lines
  ])
}
