/** Former names of the flags of transforms, which `Step.make` still reads. */

export interface FormerFlags<PerRow> {
  /** @deprecated Use `perRow`. */
  readonly apart?: PerRow
  /** @deprecated Use `independent`. */
  readonly alone?: boolean | undefined
  /** @deprecated Use `expectsRows`. */
  readonly announces?: boolean | undefined
  /** @deprecated Use `takesFirst`. */
  readonly truncates?: boolean | undefined
  /** @deprecated Use `samples`. */
  readonly leavesOut?: boolean | undefined
}

const names = new Map([
  ["apart", "perRow"],
  ["alone", "independent"],
  ["announces", "expectsRows"],
  ["truncates", "takesFirst"],
  ["leavesOut", "samples"]
])

/** The step with the current names of its flags. */
export const withCurrentFlags = <Step extends { readonly behaviour: object }>(step: Step): Step => {
  const flags = Object.entries(step.behaviour)
  const current = flags.map(([name, value]) => [names.get(name) ?? name, value] as const)
  return flags.some(([name]) => names.has(name)) ? { ...step, behaviour: Object.fromEntries(current) } : step
}
