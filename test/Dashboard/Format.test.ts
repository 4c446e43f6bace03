/** Times as the screens of the dashboard show them. */
import { afterEach, describe, expect, it, vi } from "vitest"
import { clock, moment, short } from "../../src/Web/Dashboard/Format.ts"

const at = new Date(2026, 2, 1, 7, 5, 9).getTime()

describe("times in the dashboard", () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it.each([
    [0, "UTC"],
    [-60, "UTC+1"],
    [-330, "UTC+5:30"],
    [210, "UTC-3:30"]
  ])("carry their zone, %i minutes from UTC as %s", (minutes, zone) => {
    vi.spyOn(Date.prototype, "getTimezoneOffset").mockReturnValue(minutes)
    expect(clock(at)).toBe(`07:05 ${zone}`)
    expect(moment(at)).toBe(`2026-03-01 07:05:09 ${zone}`)
    expect(short(at, at)).toBe(`07:05 ${zone}`)
    expect(short(at, at + 2 * 86_400_000)).toBe(`03-01 07:05 ${zone}`)
  })
})
