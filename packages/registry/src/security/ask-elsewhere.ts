import { attachedKinds } from "@plimsoll/core/internal";
import { listCountsOf, type StoredCounts } from "../content/queries/finding-counts.ts";
import type { ImageManifestRow } from "../content/queries/manifest-content.ts";
import { referrerTagsOf } from "../content/referrer-tags.ts";
import type { Deps } from "../deps.ts";
import type { QuestionWithRows } from "../ports/large-images.ts";
import type { SerializedJson } from "../values/serialized-json.ts";
import type { SecurityDeps } from "./image-security.ts";
import { attachedSize, listIndexesOf } from "./queries/attached.ts";

/** What reading a report needs that another thread may read. */
export interface AskingDeps extends SecurityDeps, Pick<Deps, "largeImages"> {}

/** From these sizes on, an image is large: its report takes some tenths of a second. */
const [largeDocumentBytes, manyFindings] = [1024 * 1024, 2_000] as const;

/** How many indexes that list an image are looked at for attached documents. */
const mostIndexes = 20;

/**
 * The answer of another thread to a question about large images. Undefined if none of the images is large, or there is no such thread: the
 * caller then answers itself.
 */
export async function askElsewhere(
  deps: AskingDeps,
  question: QuestionWithRows,
  signal: AbortSignal,
): Promise<SerializedJson | undefined> {
  for (const manifest of question.kind === "diff" ? [question.before, question.after] : [question.manifest])
    if (await isLarge(deps, manifest)) return deps.largeImages.answer(question, { now: deps.now, signal });
  return undefined;
}

async function isLarge({ db, now }: SecurityDeps, manifest: ImageManifestRow): Promise<boolean> {
  if (manifest.is_index === 1) return false;
  const [counts] = await listCountsOf(db, [manifest.id]);
  if (counts !== undefined && findingsOf(counts) >= manyFindings) return true;
  const subjects = [manifest.digest, ...(await listIndexesOf(db, manifest.id, mostIndexes))];
  const tags = subjects.flatMap((digest) => attachedKinds.flatMap((kind) => referrerTagsOf(digest, kind.tags)));
  const wanted = { repositoryId: manifest.repository_id, subjects, tags, now };
  return (await attachedSize(db, wanted)) >= largeDocumentBytes;
}

function findingsOf({ critical, high, medium, low, negligible, unknown }: StoredCounts): number {
  return [critical, high, medium, low, negligible, unknown].reduce<number>((sum, count) => sum + (count ?? 0), 0);
}
