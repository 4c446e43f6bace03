/** One thing that `doctor` has looked at. */
export interface Finding {
  readonly name: string
  /** `missing`: something works without it, or it is made when it is needed. `broken`: it is not as it should be. */
  readonly state: "ok" | "missing" | "broken"
  /** What was found. */
  readonly found: string
  /** What to do about it. */
  readonly todo?: string | undefined
  /** Nothing runs without it. */
  readonly essential: boolean
}

export const ok = (name: string, found: string): Finding => ({ name, state: "ok", found, essential: false })

export const missing = (name: string, found: string, todo?: string): Finding => ({
  name,
  state: "missing",
  found,
  todo,
  essential: false
})

/** Something is not as it should be, and works all the same. */
export const warned = (name: string, found: string, todo: string): Finding => ({
  name,
  state: "broken",
  found,
  todo,
  essential: false
})

/** Something essential does not work. */
export const broken = (name: string, found: string, todo: string): Finding => ({
  ...warned(name, found, todo),
  essential: true
})
