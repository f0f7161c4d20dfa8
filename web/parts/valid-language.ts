// uPlot formats numbers in navigator.language when it is loaded. Some systems put a locale there that is no language tag,
// such as en-US@posix, and the page would not start.
try {
  new Intl.NumberFormat(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en' })
}
