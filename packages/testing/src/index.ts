export { findCorpus } from "./corpus.ts";
