import fc from "fast-check";

/** The seed and the runs of a property test. The environment can set another seed and more runs, for a search by hand. */
export function fuzzRuns(numRuns: number): { readonly seed: number; readonly numRuns: number } {
  const { PLIMSOLL_FUZZ_SEED, PLIMSOLL_FUZZ_RUNS } = process.env;
  return { seed: Number(PLIMSOLL_FUZZ_SEED ?? 1), numRuns: Number(PLIMSOLL_FUZZ_RUNS ?? numRuns) };
}

/** A change of some bytes, at a position that is a fraction of the length. */
type Damage = (bytes: Uint8Array) => Uint8Array;

const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const nextTo = fc.constantFrom(0, 1, 0x7f, 0x80, 0xff);
/** Numbers that often break counts and offsets. */
const oddNumbers = fc.oneof(
  fc.constantFrom(0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0xffff, 0x10000, 12, 26, 100, 512, 4096),
  fc.nat(0xffff),
);

const setByte = fc.tuple(share, fc.oneof(nextTo, fc.nat(255))).map(
  ([at, value]): Damage =>
    (bytes) =>
      put(bytes, placeOf(bytes, at), Uint8Array.of(value)),
);
const setNumber = fc.tuple(share, fc.constantFrom(2, 4, 8), fc.boolean(), oddNumbers).map(
  ([at, width, isLittle, value]): Damage =>
    (bytes) =>
      put(bytes, placeOf(bytes, at) & ~1, numberBytes(value, width, { isLittle })),
);
const cut = share.map(
  (at): Damage =>
    (bytes) =>
      bytes.slice(0, placeOf(bytes, at)),
);
const move = fc.tuple(share, share, fc.nat(600)).map(
  ([from, to, length]): Damage =>
    (bytes) => {
      const start = placeOf(bytes, from);
      return put(bytes, placeOf(bytes, to), bytes.slice(start, start + length));
    },
);
const repeat = fc.tuple(share, fc.nat(600)).map(
  ([at, length]): Damage =>
    (bytes) => {
      const place = placeOf(bytes, at);
      return joined(bytes.subarray(0, place + length), bytes.subarray(place));
    },
);
const drop = fc.tuple(share, fc.nat(100)).map(
  ([at, length]): Damage =>
    (bytes) => {
      const place = placeOf(bytes, at);
      return joined(bytes.subarray(0, place), bytes.subarray(place + length));
    },
);

/** Damaged forms of valid bytes: bytes and numbers changed, parts moved, repeated, left out and cut off. */
export function damagedForms(sound: Uint8Array): fc.Arbitrary<Uint8Array> {
  const one = fc.oneof(
    { weight: 4, arbitrary: setByte },
    { weight: 4, arbitrary: setNumber },
    { weight: 1, arbitrary: cut },
    { weight: 2, arbitrary: move },
    { weight: 1, arbitrary: repeat },
    { weight: 1, arbitrary: drop },
  );
  return fc
    .array(one, { minLength: 1, maxLength: 12 })
    .map((damages) => damages.reduce((bytes, damage) => damage(bytes), sound));
}

function placeOf(bytes: Uint8Array, at: number): number {
  return Math.floor(at * bytes.length);
}

function put(bytes: Uint8Array, at: number, part: Uint8Array): Uint8Array {
  const changed = bytes.slice();
  changed.set(part.subarray(0, Math.max(0, changed.length - at)), at);
  return changed;
}

function numberBytes(value: number, width: number, { isLittle }: { readonly isLittle: boolean }): Uint8Array {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(value) << BigInt(64 - 8 * Math.min(width, 8)), false);
  const bytes = new Uint8Array(view.buffer).slice(0, width);
  return isLittle ? bytes.reverse() : bytes;
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  return new Uint8Array(Buffer.concat([one, other]));
}
