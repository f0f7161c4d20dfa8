// Loaded by `import` only.
export { readList } from '../app/read-list.ts'
