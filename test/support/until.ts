// Waits for a condition of something that runs by itself: sockets, other loops. Rules are tested with a clock instead.
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  limitMs = 90_000,
): Promise<void> {
  const giveUpAt = performance.now() + limitMs
  while (!(await condition())) {
    if (performance.now() > giveUpAt) throw new Error(`waited in vain until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
