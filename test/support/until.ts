// Waiting for a condition of something that runs by itself: sockets, other loops. Never for a rule.
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  limitMs = 20_000,
): Promise<void> {
  const giveUpAt = performance.now() + limitMs
  while (!(await condition())) {
    if (performance.now() > giveUpAt) throw new Error(`waited in vain until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
