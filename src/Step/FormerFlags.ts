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

/** The step with the current names of its flags, which win over former ones. */
export const withCurrentFlags = <Step extends { readonly behaviour: object }>(step: Step): Step => {
  const { behaviour } = step
  const former = [...names].filter(([name]) => Object.hasOwn(behaviour, name))
  if (former.length === 0) return step
  // Keeps the methods of a class.
  const renamed = Object.assign(Object.create(Object.getPrototypeOf(behaviour)), behaviour)
  for (const [name, current] of former) {
    renamed[current] ??= renamed[name]
    delete renamed[name]
  }
  return { ...step, behaviour: renamed }
}
