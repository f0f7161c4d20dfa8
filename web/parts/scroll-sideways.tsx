// A wide table on a narrow screen. It can be reached with the keyboard, because only then the arrow keys scroll it.
import type { ComponentChildren } from 'preact'

export function ScrollSideways({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <div class="scroll-x" role="group" aria-label={name} tabIndex={0}>
      {children}
    </div>
  )
}
