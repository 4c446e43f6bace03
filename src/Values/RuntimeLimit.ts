/** The limit of the JavaScript engine that a message is about: nesting, or the length of a string. V8 has no codes for its errors. */
export const runtimeLimitOf = (message: string): "depth" | "length" | undefined =>
  /call stack/i.test(message) ? "depth" : /string length/i.test(message) ? "length" : undefined
