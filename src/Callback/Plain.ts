/** Text that is safe to show on a terminal. */

/**
 * Controls but tabs and newlines, line separators, and characters that are not shown: format characters, which also change the order in
 * which text is shown, tags and fillers. Joiners and the selector of emoji stay, because Arabic, Indic scripts and emoji need them; so do
 * the format characters of Arabic and Syriac that are shown as signs.
 */
const unsafe =
  /(?!\u200c|\u200d|\ufe0f|[\t\n\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2])[\p{Cc}\u2028\u2029\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** Text without what would steer a terminal, or make it show something else than what is written. */
export const plain = (text: string): string => text.replace(unsafe, "")
