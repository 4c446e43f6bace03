/** Document types (HTML standard, 13.2.5.53): their parts, and whether they put browsers into quirks mode. */

export interface Doctype {
  readonly name: string | undefined
  readonly publicId: string | undefined
  readonly systemId: string | undefined
  /** True if the document type is malformed. */
  readonly isBroken: boolean
}

const quoted = /[\t\n\f ]*(?:"([^"]*)("?)|'([^']*)('?))/y

/** Reads the text between `<!DOCTYPE` and `>`. `isOpen`: the page ends before the `>`. */
export const readDoctype = (source: string, isOpen: boolean): Doctype => {
  const [start = "", name = ""] = /^[\t\n\f ]*([^\t\n\f ]*)[\t\n\f ]*/.exec(source) ?? []
  const ids: Array<string | undefined> = []
  const made = (isBroken: boolean, isCut = isOpen): Doctype => ({
    name: name === "" ? undefined : name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
    publicId: isPublic ? ids[0] : undefined,
    systemId: isPublic ? ids[1] : ids[0],
    isBroken: isBroken || isCut
  })
  const keyword = source.slice(start.length, start.length + 6).toUpperCase()
  const isPublic = keyword === "PUBLIC"
  if (name === "") return made(true)
  if (start.length === source.length) return made(false)
  if (!isPublic && keyword !== "SYSTEM") return made(true)
  let at = start.length + 6
  for (let count = 0; count < (isPublic ? 2 : 1); count++) {
    quoted.lastIndex = at
    const found = quoted.exec(source)
    const rest = source.slice(at).replace(/[\t\n\f ]+/, "")
    // A public identifier may come without a system identifier.
    if (found === null) return made(count === 0 || /[^\t\n\f ]/.test(rest))
    ids.push(found[1] ?? found[3])
    if ((found[2] ?? found[4]) === "") return made(true)
    at = quoted.lastIndex
  }
  // After invalid text, the end of the page counts like a `>`.
  return made(false, isOpen && source.slice(at).replace(/[\t\n\f ]+/, "") === "")
}

/** Prefixes of public identifiers from the nineties. */
const oldPublic = new RegExp(
  String.raw`^(?:\+//silmaril//dtd html pro v0r11 19970101//` +
    String.raw`|-//(?:as|advasoft ltd)//dtd html 3\.0 aswedit \+ extensions//` +
    String.raw`|-//ietf//dtd html(?: (?:2\.0(?: (?:strict|level 1|level 2|strict level 1|strict level 2))?|2\.1e|3\.0|3\.2(?: final)?|3` +
    "|level [0-3]|strict(?: level [0-3])?))?//" +
    "|-//metrius//dtd metrius presentational//" +
    String.raw`|-//microsoft//dtd internet explorer [23]\.0 (?:html(?: strict)?|tables)//` +
    String.raw`|-//netscape comm\. corp\.//dtd (?:strict )?html//` +
    String.raw`|-//o'reilly and associates//dtd html (?:2\.0|extended 1\.0|extended relaxed 1\.0)//` +
    String.raw`|-//sq//dtd html 2\.0 hotmetal \+ extensions//` +
    String.raw`|-//softquad(?: software)?//dtd hotmetal pro (?:6\.0::19990601|4\.0::19971010)::extensions to html 4\.0//` +
    String.raw`|-//spyglass//dtd html 2\.0 extended//` +
    String.raw`|-//sun microsystems corp\.//dtd hotjava (?:strict )?html//` +
    String.raw`|-//w3c//dtd html (?:3 1995-03-24|3\.2(?: draft| final|s draft)?|4\.0 (?:frameset|transitional)|experimental (?:19960712|970421))//` +
    String.raw`|-//w3c//dtd w3 html//|-//w3o//dtd w3 html 3\.0//|-//webtechs//dtd mozilla html(?: 2\.0)?//)`
)

const oldNames = new Set(["-//w3o//dtd w3 html strict 3.0//en//", "-/w3c/dtd html 4.0 transitional/en", "html"])

/** True for quirks mode, in which a table does not end the paragraph around it. */
export const hasQuirks = ({ isBroken, name, publicId, systemId }: Doctype): boolean => {
  if (isBroken || name !== "html") return true
  const id = publicId?.toLowerCase() ?? ""
  if (oldPublic.test(id) || oldNames.has(id)) return true
  if (systemId?.toLowerCase() === "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd") return true
  return systemId === undefined && /^-\/\/w3c\/\/dtd html 4\.01 (?:frameset|transitional)\/\//.test(id)
}
