/* A language is a file and its line here. The names are those of the API's languages. */
export { ENGLISH as en } from './en.ts'
export { FRENCH as fr } from './fr.ts'
