// Fills ${NAME} and ${NAME:default} in the values of a file from the environment. `$${` stands for a literal `${`.

export type Filled =
  | { readonly kind: 'literal' }
  | { readonly kind: 'filled'; readonly text: string }
  | { readonly kind: 'broken'; readonly problem: string }

const PLACEHOLDER = /\$\$\{|\$\{([^{}]*)\}|\$\{/g
const CONTENT = /^([A-Za-z_][A-Za-z0-9_]*)(?::(.*))?$/s

export function fillPlaceholders(text: string, env: Readonly<Record<string, string | undefined>>): Filled {
  if (!text.includes('${')) return { kind: 'literal' }
  const problems: string[] = []
  const filled = text.replace(PLACEHOLDER, (whole: string, content?: string) => {
    if (whole === '$${') return '${'
    const [, name, fallback] = CONTENT.exec(content ?? '') ?? []
    if (name === undefined) {
      problems.push(`expected \${NAME} or \${NAME:default}, got "${whole}"`)
      return ''
    }
    const value = env[name] ?? fallback
    if (value === undefined) problems.push(`the environment variable ${name} is not set and \${${name}} has no default`)
    return value ?? ''
  })
  return problems.length === 0 ? { kind: 'filled', text: filled } : { kind: 'broken', problem: problems.join('; ') }
}
