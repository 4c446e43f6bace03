/** Processor time of this process, for bounds that hold on a busy machine too. */

/** Milliseconds of processor time that a call takes. */
export const cpuMillis = (run: () => void): number => {
  const before = process.cpuUsage()
  run()
  const { system, user } = process.cpuUsage(before)
  return (system + user) / 1000
}
