import { type Static, type TSchema, type TUnsafe, Type } from "typebox";
import type { SerializedJson } from "./serialized-json.ts";

/** The schema of a result that may be serialized already, because another thread has made it. */
export function maybeSerialized<Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema> | SerializedJson> {
  return Type.Unsafe<Static<Schema> | SerializedJson>(schema);
}
