/** Tests of class names and ids by the words in them. */
import { remember } from "../Values/Remember.ts"
import type { ClassTests, StartTag } from "./Tokenizer.ts"

/** Puts a hyphen between the words of a name: `postBody` becomes `post-Body`. */
export const withWords = (name: string): string =>
  /[a-z][A-Z]/.test(name) ? name.replace(/([a-z])(?=[A-Z])/g, "$1-") : name

/** Classes whose results are cached, since a site's pages share them, and their maximum length: longer substrings keep the page alive. */
const [maxClasses, longestClass] = [5_000, 12]

const testsOf = remember(maxClasses, (): ClassTests => ({ known: 0, passed: 0 }), longestClass)

/** Test of a start tag by class and id, or by class only. */
export type NameTest = (tag: StartTag, withId?: boolean) => boolean

let usedMarks = 0

/**
 * Makes a test that passes if a class name or the id matches `pattern`. `read` converts each name before the match. At most 30 such tests
 * can be made.
 */
export const nameTest = (pattern: RegExp, read: (name: string) => string = withWords): NameTest => {
  const mark = 1 << usedMarks++
  return (tag, withId = true) => {
    const { class: classes, id } = tag.attributes
    if (classes !== undefined) {
      tag.classTests ??= testsOf(classes)
      const tests = tag.classTests
      if ((tests.known & mark) === 0) {
        tests.known |= mark
        if (pattern.test(read(classes))) tests.passed |= mark
      }
      if ((tests.passed & mark) !== 0) return true
    }
    return withId && id !== undefined && pattern.test(read(id))
  }
}
