import { type Static, type TSchema, type TUnsafe, Type } from "typebox";

/**
 * The JSON of a result that is serialized already, in parts outside the heap of V8.
 * @example
 * new SerializedJson([Buffer.from("[1,"), Buffer.from("2]")]).parse(); // [1, 2]
 */
export class SerializedJson {
  readonly parts: readonly Uint8Array[];

  constructor(parts: readonly Uint8Array[]) {
    this.parts = parts;
  }

  get lengthBytes(): number {
    return this.parts.reduce((sum, { length }) => sum + length, 0);
  }

  /** The parts as a body. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    yield* this.parts;
  }

  /** The value; for results that are known to be short. */
  parse(): unknown {
    return JSON.parse(Buffer.concat(this.parts).toString());
  }
}

/** The schema of a result that may be serialized already, because another thread has made it. */
export function maybeSerialized<Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema> | SerializedJson> {
  return Type.Unsafe<Static<Schema> | SerializedJson>(schema);
}
