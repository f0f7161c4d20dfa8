// Builds the OpenAPI 3.1 document from the schemas that validation and answers use, so that it cannot disagree with them.
import { z } from 'zod'
import { problemAnswer } from '../../catalogue/shapes/answers.ts'
import { EVENT_TYPES } from '../../domain/event.ts'
import type { Route } from '../route.ts'

type Json = Record<string, unknown>

export interface Operation {
  readonly tags: readonly string[]
  readonly summary: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: Json
  readonly responses: Record<string, Json>
  readonly security?: readonly Json[]
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly description?: string
  readonly schema: Json
}

export interface OpenApi {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: Json
  readonly security: readonly Json[]
}

export function createOpenApi(routes: readonly Route[], version: string): OpenApi {
  const named: Json = {}
  const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => jsonSchema(schema, io, named)
  const problem = { 'application/problem+json': { schema: schemaOf(problemAnswer, 'output') } }
  const paths: OpenApi['paths'] = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = operationOf(route, schemaOf, problem)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tidings',
      version,
      description: `Sources in, posts and articles out. Event types: ${EVENT_TYPES.join(', ')}.`,
    },
    paths,
    components: { schemas: named, securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    security: [{ token: [] }],
  }
}

type SchemaOf = (schema: z.ZodType, io: 'input' | 'output') => Json

function operationOf(route: Route, schemaOf: SchemaOf, problem: Json): Operation {
  const responses: Record<string, Json> = {}
  for (const [status, answer] of Object.entries(route.answers)) responses[status] = responseOf(answer, schemaOf)
  responses.default = { description: 'A problem; its code says which', content: problem }
  const body = bodyOf(route, schemaOf)
  return {
    tags: [route.tag],
    summary: route.summary,
    parameters: [...pathParameters(route.path), ...queryParameters(route.query, schemaOf)],
    ...(body ? { requestBody: { required: route.mayOmitBody !== true, content: body } } : {}),
    responses,
    ...(route.access === 'anyone' ? { security: [] } : {}),
  }
}

function responseOf(answer: z.ZodType | string | null, schemaOf: SchemaOf): Json {
  if (answer === null) return { description: 'Done' }
  if (typeof answer === 'string') return { description: 'OK', content: { [answer]: {} } }
  return { description: 'OK', content: { 'application/json': { schema: schemaOf(answer, 'output') } } }
}

function bodyOf(route: Route, schemaOf: SchemaOf): Json | null {
  if (route.accepts === 'list') {
    const text = { schema: { type: 'string' } }
    return { 'text/xml': text, 'text/x-opml': text, 'text/plain': text, 'application/json': {} }
  }
  return route.body ? { 'application/json': { schema: schemaOf(route.body, 'input') } } : null
}

function pathParameters(path: string): Parameter[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    ...{ name, in: 'path', required: true, schema: { type: 'string' } },
  }))
}

function queryParameters(query: z.ZodType | undefined, schemaOf: SchemaOf): Parameter[] {
  if (!query) return []
  const { properties = {} } = schemaOf(query, 'input') as { properties?: Record<string, Json> }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    ...{ name, in: 'query', required: false, schema: withoutNull(schema) },
    ...(typeof description === 'string' ? { description } : {}),
  }))
}

/** A query parameter cannot be null; it is left out instead. */
function withoutNull(schema: Json): Json {
  const { anyOf, ...others } = schema
  if (!Array.isArray(anyOf)) return schema
  const choices = anyOf.filter((choice: Json) => choice.type !== 'null')
  return choices.length === 1 ? { ...others, ...choices[0] } : { ...others, anyOf: choices }
}

/** Schemas with an id are put into the components once, and referred to. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output', named: Json): Json {
  const inside = z.toJSONSchema(z.object({ it: schema }), { io, unrepresentable: 'any' })
  const text = JSON.stringify(inside).replaceAll('"#/$defs/', '"#/components/schemas/')
  const { $defs = {}, properties } = JSON.parse(text, (key, value) =>
    // Answers may get new fields later, so only inputs forbid unknown ones.
    io === 'output' && key === 'additionalProperties' && value === false ? undefined : value,
  ) as { $defs?: Json; properties: { it: Json } }
  Object.assign(named, $defs)
  return properties.it
}
