import { decodeBase64 } from "../bytes/base64.ts";
import { ScanError } from "../errors.ts";
import { inflateWasm } from "./inflate.wasm.ts";

/** What `packages/core/assembly/inflate.ts` exports; addresses and lengths are in bytes. */
interface InflateExports {
  readonly memory: WebAssembly.Memory;
  reset(): void;
  start(): void;
  inputEnd(): number;
  inputRoom(): number;
  addInput(length: number): void;
  endInput(): void;
  unreadStart(): number;
  unreadLength(): number;
  skipInput(length: number): void;
  inflate(): number;
  isFinished(): number;
  outputStart(): number;
  extendOutputCrc(crc: number, length: number): number;
}

const truncated = -6;

/** What is wrong, by what `inflate` returns. */
const damages: ReadonlyMap<number, string> = new Map([
  [-1, "a block of a type that does not exist"],
  [-2, "a stored block whose length does not match its complement"],
  [-3, "code lengths that make no code"],
  [-4, "a code without a meaning"],
  [-5, "a match that reaches before the beginning"],
]);

/** The compiled decoder. Declarations name no global that types of a consumer's platform may lack. */
export interface CompiledInflater {
  readonly module: unknown;
}

/** Compiles the decoder. */
export function compileInflater(): CompiledInflater {
  return { module: new WebAssembly.Module(decodeBase64(inflateWasm) ?? new Uint8Array(0)) };
}

/**
 * A DEFLATE decoder with its own memory, for one stream at a time. What it returns are views of that memory, good
 * until its next call.
 */
export class Inflater {
  readonly #wasm: InflateExports;
  readonly #memory: Uint8Array;

  constructor({ module }: CompiledInflater) {
    this.#wasm = new WebAssembly.Instance(module as WebAssembly.Module).exports as unknown as InflateExports; // tested against the source
    this.#memory = new Uint8Array(this.#wasm.memory.buffer);
  }

  /** Forgets everything, for another source. */
  reset(): void {
    this.#wasm.reset();
  }

  /** Takes input from `start` on; returns how many bytes there was room for. */
  add(chunk: Uint8Array, start: number): number {
    const end = this.#wasm.inputEnd();
    const taken = chunk.subarray(start, start + this.#wasm.inputRoom());
    this.#memory.set(taken, end);
    this.#wasm.addInput(taken.length);
    return taken.length;
  }

  /** Says that there is no more input. */
  endInput(): void {
    this.#wasm.inputEnd();
    this.#wasm.endInput();
  }

  /** The input that no DEFLATE stream has used. */
  unread(): Uint8Array {
    const start = this.#wasm.unreadStart();
    return this.#memory.subarray(start, start + this.#wasm.unreadLength());
  }

  /** Steps over unread input. */
  skip(length: number): void {
    this.#wasm.skipInput(length);
  }

  /** Begins a DEFLATE stream with the next unread byte. */
  start(): void {
    this.#wasm.start();
  }

  /** Whether the DEFLATE stream has come to its end. */
  get isFinished(): boolean {
    return this.#wasm.isFinished() !== 0;
  }

  /**
   * The next bytes of the stream; none when it is finished or the input runs short.
   * @throws ScanError `layer_truncated` when the input ended too early, `layer_corrupt`
   */
  inflate(): Uint8Array {
    const length = this.#wasm.inflate();
    if (length === truncated) throw new ScanError("layer_truncated", "gzip: the compressed bytes end too early");
    if (length < 0) throw new ScanError("layer_corrupt", `gzip: found ${damages.get(length) ?? length}`);
    const start = this.#wasm.outputStart();
    return this.#memory.subarray(start, start + length);
  }

  /** The CRC-32 of what `inflate` returned last, behind bytes whose CRC is `previous`. */
  crc32(output: Uint8Array, previous: number): number {
    return this.#wasm.extendOutputCrc(previous, output.length) >>> 0;
  }
}
