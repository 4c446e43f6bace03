/** Makes small PDF files from their objects. */

/** Parts of a small file that differ from a page of 595 by 842 points with Helvetica as `F1`. */
export interface Parts {
  /** More entries of the catalog, the page, its resources, its font. */
  readonly catalog?: string
  readonly page?: string
  readonly resources?: string
  readonly font?: string
  /** Objects from number 6 on. */
  readonly objects?: ReadonlyArray<string>
}

export const stream = (content: string, entries = ""): string =>
  `<< ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`

/** A file with one page that draws the content. */
export const pdf = (content: string, parts: Parts = {}): readonly [string, Buffer] => {
  const { catalog = "", font = "", objects = [], page = "", resources = "" } = parts
  const all = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> ${resources} >> ${page} >>`,
    stream(content),
    `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica ${font} >>`,
    ...objects
  ]
  const body = all.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join("")
  const end = `trailer\n<< /Size ${all.length + 1} /Root 1 0 R >>\n%%EOF`
  return ["a.pdf", Buffer.from(`%PDF-1.5\n${body}${end}`, "latin1")]
}

/** A file with lines of text, one below the other. */
export const lines = (...shown: ReadonlyArray<string>) =>
  pdf(`BT /F1 11 Tf 72 760 Td ${shown.map((line) => `(${line}) Tj 0 -14 Td`).join(" ")} ET`)

/** A file with a form: labels with a field beside each. */
export const form = (...fields: ReadonlyArray<readonly [label: string, entries: string]>) => {
  const ids = fields.map((_, at) => `${at + 7} 0 R`).join(" ")
  const shown = fields.map(([label], at) => `BT /F1 11 Tf 72 ${700 - 30 * at} Td (${label}:) Tj ET`).join("\n")
  return pdf(shown, {
    catalog: `/AcroForm << /Fields [${ids}] /NeedAppearances true >>`,
    page: `/Annots [${ids}]`,
    objects: [
      stream("", "/Type /XObject /Subtype /Form /BBox [0 0 15 15]"),
      ...fields.map(
        ([, entries], at) =>
          `<< /Type /Annot /Subtype /Widget /Rect [140 ${697 - 30 * at} 300 ${712 - 30 * at}] /P 3 0 R ${entries} >>`
      )
    ]
  })
}
