// The text format in which Prometheus reads figures, version 0.0.4.

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export type Labels<L extends string> = Readonly<Partial<Record<L, string>>>

/** One kind of figure with all its series. */
export interface Figure {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  lines(): string[]
}

export function textOf(figures: readonly Figure[]): string {
  const parts = figures.map((figure) => {
    const { name, help, type } = figure
    return [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${type}`, ...figure.lines()].join('\n')
  })
  return `${parts.join('\n\n')}\n`
}

/** Between the braces of a line, in the order of the names, so that equal labels are one series. */
export function labelText<L extends string>(names: readonly L[], labels: Labels<L>): string {
  return names
    .flatMap((name) =>
      labels[name] === undefined ? [] : [`${name}="${escaped(labels[name]).replaceAll('"', '\\"')}"`],
    )
    .join(',')
}

export function lineOf(name: string, labels: string, value: number): string {
  return `${name}${labels === '' ? '' : `{${labels}}`} ${String(value).replace('Infinity', 'Inf')}`
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}
