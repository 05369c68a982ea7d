/** A number of arguments that `String.fromCharCode` accepts on every platform. */
const sliceBytes = 8192;

/** Standard base64 of bytes, with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  if (bytes.toBase64 !== undefined) return bytes.toBase64();
  let binary = "";
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    const slice = bytes.subarray(at, at + sliceBytes) as unknown as number[]; // `apply` accepts any array-like
    binary += String.fromCharCode.apply(undefined, slice); // a spread takes seven times as long
  }
  return btoa(binary);
}

/** The bytes of standard base64; undefined when the text is not valid base64. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    if (Uint8Array.fromBase64 !== undefined) return Uint8Array.fromBase64(text);
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
    return bytes;
  } catch {
    return undefined;
  }
}
