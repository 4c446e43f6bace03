/** What a model wrote, as the JSON that was asked for or the list of what is wrong with it. */
import * as Either from "effect/Either"
import { isDeep } from "../../Api/Depth.ts"
import { maxDepth } from "../JsonBody.ts"
import type { AnswerSchema } from "./AnswerSchema.ts"

const parse = (text: string): Either.Either<unknown, string> =>
  Either.try({
    try: (): unknown => JSON.parse(text),
    catch: (cause) => `it is not JSON (${cause instanceof Error ? cause.message : String(cause)})`.slice(0, 200)
  })

/** Models that were told not to wrap their answer do it all the same. */
const unwrapped = (text: string): string => {
  const thought = text.lastIndexOf("</think>")
  const said = (thought === -1 ? text : text.slice(thought + "</think>".length)).trim()
  if (!said.startsWith("```")) return said
  const begin = said.indexOf("\n")
  const end = said.lastIndexOf("```")
  return begin === -1 || end <= begin ? said : said.slice(begin, end).trim()
}

/** JSON with prose around it: from the first bracket to the last of its kind. */
const embedded = (text: string): string | undefined => {
  const begin = text.search(/[{[]/)
  if (begin === -1) return undefined
  const end = text.lastIndexOf(text[begin] === "{" ? "}" : "]")
  return end <= begin ? undefined : text.slice(begin, end + 1)
}

const parseAnswer = (text: string): Either.Either<unknown, string> => {
  const said = unwrapped(text)
  return Either.orElse(parse(said), (fault) => {
    const within = embedded(said)
    return within === undefined ? Either.left(fault) : Either.mapLeft(parse(within), () => fault)
  })
}

/** The left side is meant for the model, which is told it once. */
export const readAnswer = (
  text: string,
  schema: AnswerSchema | undefined
): Either.Either<unknown, ReadonlyArray<string>> =>
  Either.flatMap(
    Either.mapLeft(parseAnswer(text), (fault) => [fault]),
    (answer) => {
      if (isDeep(answer, maxDepth)) return Either.left(["it is nested too deep"])
      const faults = schema?.faults(answer) ?? []
      return faults.length === 0 ? Either.right(answer) : Either.left(faults)
    }
  )
