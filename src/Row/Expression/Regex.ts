/** Regular expressions in expressions: searches count as steps of the evaluation, which has a deadline. */
import * as Values from "../../Values/LinearRegExp.ts"
import { step } from "./Limits.ts"

export class LinearRegExp extends Values.LinearRegExp {
  constructor(regex: RegExp) {
    super(regex, step)
  }
}
