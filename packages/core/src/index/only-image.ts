import { ScanError } from "../errors.ts";
import type { ImageSource } from "../image/image-source.ts";

/**
 * The result for the only image of a source.
 * @throws ScanError `no_such_platform` when the source holds several images, `not_found` when it holds none
 * @example
 * declare const source: ImageSource;
 * const engine = createEngine({ ecosystems: allEcosystems });
 * const { report } = await onlyImage(indexSource(engine, source, { platform: "all" }), source);
 */
export async function onlyImage<Result>(
  results: AsyncIterable<Result>,
  source: Pick<ImageSource, "name">,
): Promise<Result> {
  let only: { readonly result: Result } | undefined;
  for await (const result of results) {
    if (only !== undefined) {
      throw new ScanError("no_such_platform", `${source.name} holds several images: name a platform, or scan them all`);
    }
    only = { result };
  }
  if (only === undefined) throw new ScanError("not_found", `${source.name} holds no image`);
  return only.result;
}
