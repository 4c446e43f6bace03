/** Dates in HTTP headers: the three forms of RFC 9110 (5.6.7), and others that servers send. */

/** The end of a date that names its zone; a day of ISO 8601 without a time is in UTC anyway. */
const zoned = /(?:\dz|\b(?![ap]m$)[a-z]{1,4}\)?|:\d\d(?:[.,]\d+)?[a-z\s]*[+-]\d\d:?\d\d|^\d{4}-\d\d-\d\d)$/i

/** Milliseconds since 1970; NaN if it is no date. Without a zone it is in UTC: `Date.parse` would take the zone of this machine. */
export const httpDateMillis = (text: string): number => {
  const date = text.trim()
  if (zoned.test(date)) return Date.parse(date)
  return Date.parse(/^\d{4}-\d\d-\d\dT/i.test(date) ? `${date}Z` : `${date} GMT`)
}
