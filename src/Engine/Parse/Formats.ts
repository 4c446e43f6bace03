/** The formats that are made of a file. */
export const formats: ReadonlyArray<string> = ["markdown", "html", "rawHtml", "links", "images", "summary"]
