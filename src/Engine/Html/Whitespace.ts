/** White space as HTML shows it. */

const uneven = /[\t\n\r\f]| {2}/
/** Only what is more than one space, so that most spaces need no replacing. */
const run = /[\t\n\r\f][ \t\n\r\f]*| [ \t\n\r\f]+/g

/** Runs become one space; most text has none, which is quicker to see than to replace. */
export const collapse = (text: string): string => (uneven.test(text) ? text.replace(run, " ") : text)
