/** What a level means at its station; the pipeline says from which level on. */
interface Level {
  readonly station: string
  readonly level: number
}

interface Given {
  readonly with: Readonly<Record<string, { readonly watch: number; readonly warning: number }>>
}

/** The row with a field more; nothing, and so no row, for a station without limits. */
export const warning = (row: Level, { with: limits }: Given) => {
  const limit = limits[row.station]
  if (limit === undefined) return undefined
  const stage = row.level >= limit.warning ? "warning" : row.level >= limit.watch ? "watch" : "calm"
  return { ...row, stage, margin: Number((limit.warning - row.level).toFixed(2)) }
}
