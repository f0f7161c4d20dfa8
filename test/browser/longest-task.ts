/** The longest time in milliseconds that a script kept the page busy while it scrolled down. */
export const LONGEST_TASK_WHILE_SCROLLING = `new Promise((resolve) => {
  let longest = 0
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
  }).observe({ type: 'longtask' })
  let frames = 0
  const frame = () => {
    scrollBy(0, 300)
    if (++frames < 60) requestAnimationFrame(frame)
    else setTimeout(() => resolve(longest), 200)
  }
  requestAnimationFrame(frame)
})`
