import { decodeBase64 } from "../bytes/base64.ts";
import { ScanError } from "../errors.ts";
import { inflateWasm } from "./inflate.wasm.ts";

/** The exports of `packages/core/assembly/inflate.ts`; addresses and lengths are in bytes. */
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

/** The error by the return value of `inflate`. */
const damages: ReadonlyMap<number, string> = new Map([
  [-1, "a block of a type that does not exist"],
  [-2, "a stored block whose length does not match its complement"],
  [-3, "code lengths that are not a Huffman code"],
  [-4, "a code without a symbol"],
  [-5, "a match that begins before the first byte"],
]);

/** The compiled decoder. `module` is `unknown` so that the published types do not need WebAssembly's. */
export interface CompiledInflater {
  readonly module: unknown;
}

let compiled: CompiledInflater | undefined;

/** The compiled decoder. Compiling takes longer than decoding a small file, so that a thread does it once, when the first file needs it. */
export function compileInflater(): CompiledInflater {
  compiled ??= { module: new WebAssembly.Module(decodeBase64(inflateWasm) ?? new Uint8Array(0)) };
  return compiled;
}

/**
 * A DEFLATE decoder with its own memory, for one stream at a time. Arrays that it returns are views of that memory and are
 * valid until its next call.
 */
export class Inflater {
  readonly #wasm: InflateExports;
  readonly #memory: Uint8Array;

  constructor({ module }: CompiledInflater) {
    this.#wasm = new WebAssembly.Instance(module as WebAssembly.Module).exports as unknown as InflateExports; // tested against the source
    this.#memory = new Uint8Array(this.#wasm.memory.buffer);
  }

  /** Prepares the decoder for another source. */
  reset(): void {
    this.#wasm.reset();
  }

  /** Adds input from `start` on; returns the number of bytes that there was room for. */
  add(chunk: Uint8Array, start: number): number {
    const end = this.#wasm.inputEnd();
    const input = chunk.subarray(start, start + this.#wasm.inputRoom());
    this.#memory.set(input, end);
    this.#wasm.addInput(input.length);
    return input.length;
  }

  /** States that there is no more input. */
  endInput(): void {
    this.#wasm.inputEnd(); // moves the unread input to the front, so that there is room behind it
    this.#wasm.endInput();
  }

  /** The input that the decoder has not used. */
  unread(): Uint8Array {
    const start = this.#wasm.unreadStart();
    return this.#memory.subarray(start, start + this.#wasm.unreadLength());
  }

  /** Steps over unread input. */
  skip(length: number): void {
    this.#wasm.skipInput(length);
  }

  /** Starts a DEFLATE stream at the next unread byte. */
  start(): void {
    this.#wasm.start();
  }

  /** Whether the DEFLATE stream has ended. */
  get isFinished(): boolean {
    return this.#wasm.isFinished() !== 0;
  }

  /**
   * Decodes the next bytes of the stream; none when it is finished or more input is needed.
   * @throws ScanError `layer_truncated` when the input ended too early, `layer_corrupt`
   */
  inflate(): Uint8Array {
    const length = this.#wasm.inflate();
    if (length === truncated) throw new ScanError("layer_truncated", "DEFLATE: the compressed bytes end too early");
    if (length < 0) throw new ScanError("layer_corrupt", `DEFLATE: found ${damages.get(length) ?? length}`);
    const start = this.#wasm.outputStart();
    return this.#memory.subarray(start, start + length);
  }

  /** Extends the CRC-32 `previous` by the output that `inflate` returned last. */
  crc32(output: Uint8Array, previous: number): number {
    return this.#wasm.extendOutputCrc(previous, output.length) >>> 0;
  }
}
