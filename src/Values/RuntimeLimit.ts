/**
 * Tells from an error message which limit of the JavaScript engine was exceeded: call depth or string length. V8 has no error codes for
 * them.
 */
export const runtimeLimitOf = (message: string): "depth" | "length" | undefined =>
  /call stack/i.test(message) ? "depth" : /string length/i.test(message) ? "length" : undefined
