/** The language of a text whose page does not say; the detector is loaded when the first such page comes. */

let detector: Promise<typeof import("eld/extrasmall")> | undefined

/** An excerpt is enough to tell, less than this is not. */
const longest = 500
const shortest = 40

/** Its code (`en`); undefined when the text is too short or could be several. */
export const detectLanguage = (text: string): Promise<string | undefined> => {
  if (text.length < shortest) return Promise.resolve(undefined)
  detector ??= import("eld/extrasmall")
  return detector.then(({ default: eld }) => {
    const { language, isReliable } = eld.detect(text.slice(0, longest))
    return language !== "" && isReliable() ? language : undefined
  })
}
