/** Secrets that a test plants, and the search for them in what a program writes. */

/** A recognizable secret. */
export type Planted = Readonly<Record<string, string>>;

/** Every form in which a secret may appear: plain, in URLs, in hex, and in base64 at each of its three alignments. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const aligned = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    return text.slice(shift === 0 ? 0 : shift + 1, -1); // without the characters that depend on what is around it
  });
  const inUrls = aligned.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  return [...new Set([secret, encodeURIComponent(secret), bytes.toString("hex"), ...aligned, ...inUrls])];
}

/** The names of the secrets that a text contains in any form, each with what is around it. */
export function findPlanted(text: string, planted: Planted): readonly string[] {
  const lower = text.toLowerCase();
  return Object.entries(planted).flatMap(([name, secret]) => {
    const at = formsOf(secret)
      .map((form) => lower.indexOf(form.toLowerCase()))
      .find((index) => index >= 0);
    return at === undefined ? [] : [`${name}: ${text.slice(Math.max(0, at - 60), at + 20)}`];
  });
}
