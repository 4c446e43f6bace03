/** Every function that an expression may call, in one line each: for the reference. A test compares the names with what is known. */

export interface FunctionEntry {
  readonly name: string
  /** As it is written, with the `$`; what stands in brackets may be left out. */
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

/** In the order of the reference. The first group is ours, the others are JSONata's own. */
export const catalogue: ReadonlyArray<FunctionEntry & { readonly group: string }> = [
  ...of(
    "Web data",
    `
    $host(url) :: The host of an address, without its port.
    $canonicalUrl(url) :: The address without what does not make another page: campaign names, fragment, order of parameters.
    $sha256(text) :: Its SHA-256 in hex.
    $slug(text) :: Letters and digits joined by dashes, for names of files.
    $date(value) :: The instant of a text or of milliseconds, as ISO 8601 in UTC.
    $json(text) :: The value that a JSON text says; nothing when it is none.
  `
  ),
  ...of(
    "Texts",
    `
    $string(value[, pretty]) :: The value as text.
    $length(text) :: How many characters it has.
    $substring(text, start[, length]) :: A part of it; a negative start counts from the end.
    $substringBefore(text, chars) :: What stands before the first occurrence.
    $substringAfter(text, chars) :: What stands behind the first occurrence.
    $lowercase(text) :: In small letters.
    $uppercase(text) :: In capitals.
    $trim(text) :: Without space around it; space within becomes one blank.
    $pad(text, width[, char]) :: Filled up to a width, on the left when it is negative.
    $contains(text, pattern) :: Whether a text or /pattern/ occurs.
    $match(text, pattern[, limit]) :: The matches of a /pattern/: match, index and groups.
    $replace(text, pattern, replacement[, limit]) :: With every match replaced.
    $split(text, separator[, limit]) :: The parts between separators.
    $join(list[, separator]) :: Texts put together.
    $base64encode(text) :: As Base64.
    $base64decode(text) :: What a Base64 text says.
    $encodeUrl(text) :: An address with what is not allowed in it escaped.
    $encodeUrlComponent(text) :: Escaped as a part of an address.
    $decodeUrl(text) :: An address without escapes.
    $decodeUrlComponent(text) :: A part of an address without escapes.
  `
  ),
  ...of(
    "Numbers",
    `
    $number(value) :: The number that a text says.
    $floor(number) :: Rounded down.
    $ceil(number) :: Rounded up.
    $round(number[, digits]) :: Rounded, half to even.
    $abs(number) :: Without its sign.
    $sqrt(number) :: The square root.
    $power(base, exponent) :: Raised to a power.
    $random() :: A number from 0 to 1, the same again when the run is repeated.
    $sum(list) :: All added up.
    $count(list) :: How many there are.
    $max(list) :: The greatest.
    $min(list) :: The smallest.
    $average(list) :: The mean.
    $formatNumber(number, picture[, options]) :: By a picture like #,##0.00.
    $formatBase(number[, radix]) :: In another base.
    $formatInteger(number, picture) :: By a picture like w or 01.
    $parseInteger(text, picture) :: The whole number that a text says by a picture.
  `
  ),
  ...of(
    "Lists and mappings",
    `
    $append(list, list) :: One behind the other.
    $distinct(list) :: Without repetitions.
    $reverse(list) :: Last first.
    $sort(list[, function]) :: In order; the function says whether two are to be exchanged.
    $shuffle(list) :: In random order.
    $zip(list, …) :: Lists of the first, the second and so on of each.
    $map(list, function) :: What the function makes of each.
    $filter(list, function) :: Those for which it is true.
    $single(list[, function]) :: The only one for which it is true.
    $reduce(list, function[, start]) :: All folded into one.
    $keys(mapping) :: Its keys.
    $lookup(mapping, key) :: The value of a key.
    $merge(list) :: Mappings put together, the last one wins.
    $spread(mapping) :: A list of mappings of one key each.
    $sift(mapping, function) :: The keys for which it is true.
    $each(mapping, function) :: What the function makes of each value and key.
    $clone(value) :: A copy.
  `
  ),
  ...of(
    "Tests",
    `
    $boolean(value) :: False for nothing, null, 0, and what is empty.
    $not(value) :: The opposite.
    $exists(value) :: Whether there is a value.
    $type(value) :: Its type: null, number, string, boolean, array, object or function.
    $error([message]) :: Fails the row.
    $assert(condition[, message]) :: Fails the row unless the condition is true.
  `
  ),
  ...of(
    "Time",
    `
    $now([picture[, timezone]]) :: When the run began, as ISO 8601.
    $millis() :: The same in milliseconds.
    $toMillis(text[, picture]) :: Milliseconds of an instant.
    $fromMillis(number[, picture[, timezone]]) :: An instant of milliseconds, as ISO 8601.
  `
  )
]
