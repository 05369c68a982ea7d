/** For the threads of `@plimsoll/indexer`: the engine without feeds, which reading a layer does not need. It may change in any release. */
export { allEcosystems } from "../ecosystems/all.ts";
export { engineOf } from "../engine.ts";
