/** White space as HTML shows it. */

const uneven = /[\t\n\r\f]| {2}/
const run = /[ \t\n\r\f]+/g

/** Runs become one space; most text has none, which is quicker to see than to replace. */
export const collapse = (text: string): string => (uneven.test(text) ? text.replace(run, " ") : text)
