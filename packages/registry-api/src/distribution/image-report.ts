import { askElsewhere } from "@plimsoll/registry/security/ask-elsewhere";
import { shownImageReport } from "@plimsoll/registry/security/image-security";
import { type Endpoint, type OfReference, sendLongJson } from "./distribution.ts";
import { DistributionError } from "./distribution-error.ts";
import { getManifestOf } from "./manifests.ts";

/**
 * `GET /v2/<name>/_plimsoll/report/<reference>`: the scanner's report of an image, for callers who may pull it. An extension of the
 * protocol: `{ "digest", "status", "reason"?, "report"? }`, where `report` is the `vulnerability_report` of the scanner API, and
 * is there when the status is `scanned`.
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/extensions/README.md
 */
export const getImageReport: Endpoint<OfReference> = async (distribution, exchange, repository) => {
  const { store, settings } = distribution.registry;
  const manifest = await getManifestOf(distribution, exchange, repository);
  if (!settings.features.securityScanner) {
    throw new DistributionError("UNSUPPORTED", "the feature securityScanner is off in this registry", { status: 404 });
  }
  const gone = new AbortController();
  exchange.response.once("close", () => gone.abort());
  const context = { ...distribution.registry, db: store.db, now: exchange.now };
  const elsewhere = await askElsewhere(context, { kind: "report", manifest }, gone.signal);
  await sendLongJson(exchange.response, elsewhere ?? (await shownImageReport(context, manifest, gone.signal)));
};
