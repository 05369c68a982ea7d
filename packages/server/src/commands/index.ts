import type { IndexedImage } from "@plimsoll/scanner";
import { documentStamp } from "../cli/document-stamp.ts";
import type { ExitCode } from "../cli/exit-code.ts";
import { gitHubJobOf } from "../cli/github-job.ts";
import { indexFormats } from "../cli/output-format.ts";
import type { Session } from "../cli/session.ts";
import { openOutputs, writeResults } from "../cli/write-results.ts";
import { indexRenderers } from "../render/index-results.ts";
import { indexOptions } from "./index-options.ts";
import { judgeIndexing } from "./judge-indexing.ts";

/** `plimsoll index SOURCE`: lists what is in an image, without using advisories. */
export async function index(session: Session, word: string): Promise<ExitCode> {
  const { settings, palette, io } = session;
  const platform = session.platform();
  const outputs = await openOutputs(settings.output, { formats: indexFormats, several: platform === "all" });
  const stamp = { ...documentStamp(io), job: gitHubJobOf(outputs, io) };
  const source = await session.source(word);
  await using scanner = await session.openToRead({ indexesAtOnce: true });
  const images: IndexedImage[] = [];
  for await (const image of scanner.indexAll(source, indexOptions(session, platform))) images.push(image);
  session.progress.clear();
  await writeResults(
    outputs,
    indexRenderers(images, { palette, several: platform === "all", now: io.now(), stamp }),
    io,
  );
  return judgeIndexing(session, images);
}
