/** Reference of the functions that expressions may call, one line each. A test compares it with the functions that exist. */

export interface FunctionEntry {
  readonly name: string
  /** Call with the `$`; arguments in brackets are optional. */
  readonly call: string
  readonly summary: string
}

const of = (group: string, lines: string): ReadonlyArray<FunctionEntry & { readonly group: string }> =>
  lines
    .trim()
    .split("\n")
    .map((line) => {
      const [call = "", summary = ""] = line.trim().split(" :: ")
      return { group, name: call.slice(1).split("(", 1)[0] ?? "", call, summary }
    })

/** In reference order. The first group consists of Sluice's own functions, the others of JSONata's. */
export const catalogue: ReadonlyArray<FunctionEntry & { readonly group: string }> = [
  ...of(
    "Web data",
    `
    $host(url) :: The host of a URL, without its port.
    $canonicalUrl(url) :: The URL without parts that do not identify the page: tracking parameters, fragment, order of parameters.
    $sha256(string) :: SHA-256 in hexadecimal.
    $slug(string) :: Letters and digits joined by dashes, for file names.
    $date(value[, options]) :: A date string or milliseconds as ISO 8601 in UTC. With options, a date as pages write it in any language (5 mars 2024, 2 days ago); nothing if the value is not a date. Options: language of the page, order (DMY, MDY, YMD), timezone, now.
    $price(text[, hint[, locale]]) :: The price in a text as { amount, currency }: 1.299,00 € is 1299 and EUR. The hint is another text that names the currency if the first does not.
    $css(html, selector) :: The text of the first element that a CSS selector matches in the HTML; nothing when none does.
    $data(html, path) :: A value in the structured data of a page (JSON-LD, microdata, RDFa), by type and path: $data(rawHtml, "Product.offers.price").
    $json(string) :: The parsed JSON; nothing when the string is not JSON.
  `
  ),
  ...of(
    "Strings",
    `
    $string(value[, pretty]) :: The value as a string.
    $length(string) :: Number of characters.
    $substring(string, start[, length]) :: Part of a string; a negative start counts from the end.
    $substringBefore(string, chars) :: The part before the first occurrence.
    $substringAfter(string, chars) :: The part after the first occurrence.
    $lowercase(string) :: In lower case.
    $uppercase(string) :: In upper case.
    $trim(string) :: Without white space at both ends, and with single spaces inside.
    $pad(string, width[, char]) :: Filled to a width; on the left when the width is negative.
    $contains(string, pattern) :: True when a string or /pattern/ occurs.
    $match(string, pattern[, limit]) :: The matches of a /pattern/: match, index and groups.
    $replace(string, pattern, replacement[, limit]) :: With every match replaced.
    $split(string, separator[, limit]) :: The parts between separators.
    $join(array[, separator]) :: Strings joined to one.
    $base64encode(string) :: Encoded as Base64.
    $base64decode(string) :: Decoded from Base64.
    $encodeUrl(string) :: A URL with characters escaped that URLs must not contain.
    $encodeUrlComponent(string) :: Escaped as a part of a URL.
    $decodeUrl(string) :: A URL without escapes.
    $decodeUrlComponent(string) :: A part of a URL without escapes.
  `
  ),
  ...of(
    "Numbers",
    `
    $number(value[, locale]) :: The value as a number. With a locale, or "" for none, a number as pages write it: 1.299,50 or 1.2k; nothing if the value is not a number.
    $floor(number) :: Rounded down.
    $ceil(number) :: Rounded up.
    $round(number[, digits]) :: Rounded, half to even.
    $abs(number) :: The absolute value.
    $sqrt(number) :: The square root.
    $power(base, exponent) :: The power.
    $random() :: A number from 0 to 1, the same when the run is repeated.
    $sum(array) :: The sum.
    $count(array) :: Number of values.
    $max(array) :: The maximum.
    $min(array) :: The minimum.
    $average(array) :: The mean.
    $formatNumber(number, picture[, options]) :: Formatted with a picture like #,##0.00.
    $formatBase(number[, radix]) :: In another base.
    $formatInteger(number, picture) :: Formatted with a picture like w or 01.
    $parseInteger(string, picture) :: The integer that a string contains, read with a picture.
  `
  ),
  ...of(
    "Arrays and objects",
    `
    $append(array, array) :: Two arrays joined.
    $distinct(array) :: Without duplicates.
    $reverse(array) :: In reverse order.
    $sort(array[, function]) :: Sorted; the function returns true when its two arguments must be swapped.
    $shuffle(array) :: In random order.
    $zip(array, …) :: Arrays of the first values, the second values, and so on.
    $map(array, function) :: The result of the function for each value.
    $filter(array, function) :: The values for which the function returns true.
    $single(array[, function]) :: The only value for which the function returns true.
    $reduce(array, function[, start]) :: The values combined to one.
    $keys(object) :: Its keys.
    $lookup(object, key) :: The value of a key.
    $merge(array) :: Objects merged; the last value of a key wins.
    $spread(object) :: An array of objects with one key each.
    $sift(object, function) :: The keys and values for which the function returns true.
    $each(object, function) :: The result of the function for each value and key.
    $clone(value) :: A copy.
  `
  ),
  ...of(
    "Tests",
    `
    $boolean(value) :: False for nothing, null, 0 and empty values, else true.
    $not(value) :: The opposite.
    $exists(value) :: True when there is a value.
    $type(value) :: Its type: null, number, string, boolean, array, object or function.
    $error([message]) :: Fails the row.
    $assert(condition[, message]) :: Fails the row unless the condition is true.
  `
  ),
  ...of(
    "Time",
    `
    $now([picture[, timezone]]) :: The start of the run, as ISO 8601; time zones as in $fromMillis.
    $millis() :: The start of the run, in milliseconds.
    $toMillis(string[, picture]) :: A time as milliseconds since 1970; nothing for a day that does not exist.
    $fromMillis(number[, picture[, timezone]]) :: Milliseconds since 1970 as ISO 8601; the time zone is +05:30, +0530, Z or a name like Europe/Berlin, UTC by default.
  `
  )
]
