/** Whether a text is an address, on every version of Node. */
import * as Option from "effect/Option"

const parse = Option.liftThrowable((text: string, base: string | undefined) => new URL(text, base))

/** Of these alone the platform's own answer holds. */
const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text)

/**
 * As `URL.canParse`: that of Node 20 takes a text in Latin-1 for UTF-8 once it was called some thousand times, and then
 * `https://münchen.de/` is no address any more.
 */
export const canParse = (text: string, base?: string): boolean =>
  isAscii(text) && isAscii(base ?? "") ? URL.canParse(text, base) : Option.isSome(parse(text, base))
