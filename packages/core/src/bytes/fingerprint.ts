/**
 * A 128-bit fingerprint of text as 32 hex digits: four 32-bit multiply-and-mix hashes of the UTF-16 units. It is not
 * cryptographic: texts that an attacker may choose need a digest instead.
 */
export function fingerprintText(text: string): string {
  const lanes = [0x9e3779b9, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f].map((seed) => mix(text, seed));
  return lanes.map((lane) => lane.toString(16).padStart(8, "0")).join("");
}

function mix(text: string, seed: number): number {
  let hash = seed ^ text.length;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x5bd1e995);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
