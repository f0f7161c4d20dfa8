// Small things that many pages show.
import type { ComponentChildren } from 'preact'
import type { ApiProblem } from '../api/call.ts'
import type { SourceView } from '../api/types.ts'
import { messageOf } from './action.tsx'

export function nameOf(source: Pick<SourceView, 'label' | 'title' | 'url'>): string {
  return source.label || source.title || source.url.replace(/^https?:\/\/(www\.)?/, '')
}

export function Health({ health }: { readonly health: string }) {
  return <span class={`health ${health}`}>{health}</span>
}

export function Trouble({ problem }: { readonly problem: ApiProblem | null }) {
  if (!problem || problem.isPassing || problem.status === 401) return null
  return (
    <p class="error" role="alert">
      {messageOf(problem)}
    </p>
  )
}

interface RegionProps {
  readonly title: string
  readonly children: ComponentChildren
  readonly actions?: ComponentChildren
  readonly class?: string
}

/** A part of a page that a screen reader can jump to by its name. */
export function Region({ title, children, actions, ...rest }: RegionProps) {
  const id = `region-${title.replace(/\W+/g, '-').toLowerCase()}`
  return (
    <section class={`card ${rest.class ?? ''}`} aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {children}
    </section>
  )
}

export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="empty">{children}</p>
}

/** A page that has nothing to show yet says why, and what to do. */
export function EmptyPage({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="empty-page">
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** An address from outside: only http and https become links. */
export function Outside({ url, children }: { readonly url: string; readonly children?: ComponentChildren }) {
  const shown = children ?? url
  if (!/^https?:/i.test(url)) return <bdi>{shown}</bdi>
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" title={url}>
      <bdi>{shown}</bdi>
    </a>
  )
}
