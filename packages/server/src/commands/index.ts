import type { IndexedImage } from "@plimsoll/scanner";
import { type ExitCode, exitCodes } from "../cli/exit-code.ts";
import type { Session } from "../cli/session.ts";
import { openOutputs, writeResults } from "../cli/write-results.ts";
import { imageName } from "../render/image-header.ts";
import { indexRenderers } from "../render/index-results.ts";
import { indexOptions } from "./index-options.ts";

/** `plimsoll index SOURCE`: what is in the image, without any advisory data. */
export async function index(session: Session, word: string): Promise<ExitCode> {
  const { settings, palette, io } = session;
  const outputs = await openOutputs(settings.output);
  const platform = session.platform();
  const source = await session.source(word);
  await using scanner = await session.openToRead({ indexesAtOnce: true });
  const images: IndexedImage[] = [];
  for await (const image of scanner.indexAll(source, indexOptions(session, platform))) images.push(image);
  session.progress.clear();
  await writeResults(outputs, indexRenderers(images, { palette, several: platform === "all" }), io);
  const partial = images.filter((image) => image.report.coverage.status === "partial");
  if (!settings.strict || partial.length === 0) return exitCodes.ok;
  for (const image of partial) session.warn(`--strict: ${imageName(image)} could not be read whole`);
  return exitCodes.scan;
}
