// Whether the screen is as narrow as a phone. Rows are higher there, because their cells stand below each other.
import { useEffect, useState } from 'preact/hooks'

export function useIsNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(matchMedia('(max-width: 760px)').matches)
  useEffect(() => {
    const width = matchMedia('(max-width: 760px)')
    const change = () => setNarrow(width.matches)
    width.addEventListener('change', change)
    return () => width.removeEventListener('change', change)
  }, [])
  return isNarrow
}
