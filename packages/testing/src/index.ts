export { findCorpus } from "./corpus.ts";
export {
  buildTar,
  buildTarWithoutEnd,
  concatBytes,
  longNameMember,
  type OddMember,
  paxMember,
} from "./tar-builder.ts";
