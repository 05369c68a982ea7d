/** Collects single bytes. Memory is allocated with the first byte. */
export class GrowingBytes {
  readonly #expectedBytes: number;
  #room: Uint8Array = new Uint8Array(0);
  #length = 0;

  constructor(expectedBytes: number) {
    this.#expectedBytes = expectedBytes;
  }

  push(byte: number): void {
    if (this.#length === this.#room.length) {
      const room = new Uint8Array(this.#room.length * 2 || this.#expectedBytes);
      room.set(this.#room);
      this.#room = room;
    }
    this.#room[this.#length++] = byte;
  }

  get bytes(): Uint8Array {
    return this.#room.subarray(0, this.#length);
  }
}
