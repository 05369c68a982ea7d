import type { ByteOrder } from "../bytes/byte-order.ts";
import type { ByteParts } from "../bytes/byte-parts.ts";

/** A part of a program, in the file and in memory. */
export interface ProgramPart {
  /** Where its first byte is in the file. */
  readonly offset: number;
  /** In the file; what headers claim beyond the end of it is not there. */
  readonly sizeBytes: number;
  /** Where its first byte is in memory. */
  readonly address: number;
}

/** A part with a name. */
export interface Section extends ProgramPart {
  readonly name: string;
}

/** A part that is loaded into memory. */
export interface Segment extends ProgramPart {
  readonly isWritable: boolean;
  readonly isExecutable: boolean;
}

/** What the headers of a program say of it. */
export interface Program {
  /** The bytes that offsets count in. */
  readonly bytes: ByteParts;
  readonly order: ByteOrder;
  readonly sections: readonly Section[];
  readonly segments: readonly Segment[];
}
