/** Numbers of things in messages. */

/** `1 row`, `12,345 rows`. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  // The first `toLocaleString` loads the data of a language, which takes longer than anything else in a small command.
  `${number < 1000 ? number : number.toLocaleString("en-US")} ${number === 1 ? one : many}`
