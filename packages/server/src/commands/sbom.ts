import type { IndexedImage } from "@plimsoll/scanner";
import { documentStamp } from "../cli/document-stamp.ts";
import type { ExitCode } from "../cli/exit-code.ts";
import { gitHubJobOf } from "../cli/github-job.ts";
import { sbomFormats } from "../cli/output-format.ts";
import type { Session } from "../cli/session.ts";
import { openOutputs, writeResults } from "../cli/write-results.ts";
import { sbomRenderers } from "../render/sbom-results.ts";
import { indexOptions } from "./index-options.ts";
import { judgeIndexing } from "./judge-indexing.ts";

/** `plimsoll sbom SOURCE`: writes the bill of materials of an image. */
export async function sbom(session: Session, word: string): Promise<ExitCode> {
  const { settings, io } = session;
  const platform = session.platform();
  const several = platform === "all";
  const outputs = await openOutputs(settings.output, { formats: sbomFormats, several });
  const stamp = { ...documentStamp(io), job: gitHubJobOf(outputs, io) };
  const source = await session.source(word);
  await using scanner = await session.openToRead({ indexesAtOnce: true });
  const images: IndexedImage[] = [];
  for await (const image of scanner.indexAll(source, indexOptions(session, platform))) images.push(image);
  session.progress.clear();
  await writeResults(outputs, sbomRenderers(images, { several, stamp }), io);
  return judgeIndexing(session, images);
}
