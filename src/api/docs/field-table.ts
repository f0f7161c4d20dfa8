// The fields of a JSON Schema as rows of a table, and an example that fits it.
import { escapeHtml } from './escape-html.ts'

export interface Schema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly format?: string
  readonly $ref?: string
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
}

export type Named = Readonly<Record<string, Schema>>

/** Nothing for a schema without fields of its own. */
export function fieldTable(schema: Schema, named: Named): string {
  const { properties, required = [] } = resolved(schema, named)
  if (!properties) return ''
  const rows = Object.entries(properties).map(
    ([name, field]) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${kindOf(field)}</td><td>${required.includes(name) ? 'yes' : ''}</td><td>${escapeHtml(field.description ?? '')}</td></tr>`,
  )
  return `<table><thead><tr><th>Field</th><th>Kind</th><th>Needed</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

/** In words, with a link to a schema that has a name. */
export function kindOf(field: Schema): string {
  if (field.$ref) {
    const name = escapeHtml(nameOf(field.$ref))
    return `<a href="#schema-${name}">${name}</a>`
  }
  if (field.anyOf) return field.anyOf.map(kindOf).join(' or ')
  if (field.enum) return escapeHtml(field.enum.map(String).join(', '))
  if (field.const !== undefined) return escapeHtml(String(field.const))
  if (field.items) return `list of ${kindOf(field.items)}`
  const type = field.format ?? (Array.isArray(field.type) ? field.type.join(' or ') : (field.type ?? 'anything'))
  return escapeHtml(`${type}${rangeOf(field)}`)
}

function rangeOf({ type, minimum, maximum, maxLength }: Schema): string {
  if (maxLength !== undefined) return `, at most ${maxLength} characters`
  const isUseful = (type === 'integer' || type === 'number') && maximum !== undefined && maximum < 1e12
  return isUseful ? ` ${minimum ?? 0} to ${maximum}` : ''
}

const NESTED = 4

/** Required fields only, unless `whole`. */
export function exampleOf(schema: Schema, named: Named, whole: boolean, name = '', depth = 0): unknown {
  const known = resolved(schema, named)
  if (known.anyOf) return exampleOf(known.anyOf[0] ?? {}, named, whole, name, depth)
  if (known.const !== undefined) return known.const
  if (known.enum) return known.enum[0]
  if (known.properties && depth < NESTED) {
    const fields = Object.entries(known.properties).filter(([field]) => whole || known.required?.includes(field))
    return Object.fromEntries(fields.map(([field, of]) => [field, exampleOf(of, named, whole, field, depth + 1)]))
  }
  if (known.items) return whole && depth < NESTED ? [exampleOf(known.items, named, whole, name, depth + 1)] : []
  return plainExample(known, name)
}

function plainExample({ type, format, minimum, default: usual }: Schema, name: string): unknown {
  if (usual !== undefined) return usual
  if (format === 'date-time') return '2026-11-15T08:00:00.000Z'
  if (/url$/i.test(name)) return 'https://example.org/feed.xml'
  if (type === 'integer' || type === 'number') return Math.max(minimum ?? 0, 1)
  if (type === 'boolean') return true
  return type === 'object' ? {} : type === 'null' ? null : name === '' ? 'text' : name
}

function resolved(schema: Schema, named: Named): Schema {
  return schema.$ref ? (named[nameOf(schema.$ref)] ?? {}) : schema
}

function nameOf(ref: string): string {
  return ref.split('/').at(-1) ?? ref
}
