/** YAML files that people write: values, the places of what is wrong with them, and the nearest known name. */
export { findClosest, suggest } from './closest.ts';
export {
  type DocumentProblem,
  type Path,
  readDocument,
  type SuggestKey,
  schemaProblems,
  type YamlDocument,
} from './document.ts';
