/** Environment of child processes. */

/** The variables with these names, as far as they are set. Children get only some, because the environment contains secrets. */
export const variables = (names: ReadonlyArray<string>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    })
  )
