// For commands, which read a list of sources before they send it in parts.
export { readList } from '../sources/list/read-list.ts'
