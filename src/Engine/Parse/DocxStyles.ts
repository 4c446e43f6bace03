/** Formatting of DOCX text that hides or raises it: properties of runs, and styles. */
import { addHeirs, attribute, type TextStyles } from "./Xml.ts"

export const isOff = (tag: string): boolean => /w:val="(?:0|false|off)"/.test(tag)

/** Returns the first element with that name in run properties, ignoring the old properties of a tracked change. */
export const propertyIn = (properties: string, name: string): string | undefined =>
  new RegExp(`<w:${name}(?=[\\s/>])[^<>]*>`).exec(properties.split("<w:rPrChange", 1)[0] ?? "")?.[0]

export const isRaised = (properties: string): boolean => /"superscript"/.test(propertyIn(properties, "vertAlign") ?? "")

/** True if the mark of a paragraph is deleted. `properties`: of the paragraph, without old ones. */
export const isMarkDeleted = (properties: string): boolean => {
  const start = properties.indexOf("<w:rPr>")
  const mark = start === -1 ? "" : properties.slice(start, Math.max(start, properties.lastIndexOf("</w:rPr>")))
  return /<w:(?:del|moveFrom)[\s/>]/.test(mark)
}

/** Returns the styles that hide or raise text, by themselves or through the styles that they are based on. */
export const textStylesOf = (xml: string): TextStyles => {
  const hidden = new Set<string>()
  const raised = new Set<string>()
  if (!/<w:vanish|"superscript"/.test(xml)) return { hidden, raised }
  const based = new Map<string, string>()
  for (const piece of xml.split("</w:style>")) {
    const style = piece.slice(Math.max(0, piece.lastIndexOf("<w:style ")))
    const id = attribute(style.slice(0, style.indexOf(">")), "w:styleId") ?? ""
    const vanish = propertyIn(style, "vanish")
    if (vanish !== undefined && !isOff(vanish)) hidden.add(id)
    if (isRaised(style)) raised.add(id)
    const base = /<w:basedOn\s[^<>]*w:val="([^"]*)"/.exec(style)?.[1]
    if (base !== undefined) based.set(id, base)
  }
  for (const set of [hidden, raised]) addHeirs(set, based)
  return { hidden, raised }
}
