/** The calls of the management API as types, for clients in TypeScript. An import of these types loads no types of the server. */
import type { Called } from "./call.ts";
import { typedOperations } from "./operations.ts";

/** The calls of all operations but discovery, by their request. */
export type Calls = { readonly [Each in (typeof calls)[number] as Each["request"]]: Each };

/** Only its type is used: it is inferred, so that the compiler writes all of it into the declarations, without the types that it came from. */
const calls = callsOf(typedOperations);

function callsOf<Each extends Called<unknown>>(_operations: readonly Each[]): readonly NonNullable<Each["call"]>[] {
  return [];
}
