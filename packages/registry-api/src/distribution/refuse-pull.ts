import type { ImageRepository } from "@plimsoll/registry/access/queries/image-repositories";
import type { GateOpinion } from "@plimsoll/registry/security/pull-gate/decide-pull";
import { describeOpinion, noteOf } from "@plimsoll/registry/security/pull-gate/describe-opinion";
import { ifWritable } from "@plimsoll/store";
import type { Distribution, Exchange } from "./distribution.ts";
import { DistributionError } from "./distribution-error.ts";
import { emitRefusedPull } from "./emit-refused-pull.ts";
import { logUse } from "./log-usage.ts";

/** A pull that a gate refuses. */
export interface Refused {
  readonly repository: ImageRepository;
  /** The digest of the manifest. */
  readonly digest: string;
  /** The requested tag or digest. */
  readonly reference: string;
  readonly mediaType?: string;
  readonly refusal: GateOpinion;
}

/** Refuses a pull, logs it in the usage log, and emits its event. @throws DistributionError `DENIED` */
export async function refusePull(
  { registry, decisions }: Distribution,
  exchange: Exchange,
  { repository, digest, reference, mediaType, refusal }: Refused,
): Promise<never> {
  const details = noteOf(refusal);
  const message = describeOpinion(refusal, repository);
  const described = { repository, reference, note: { pull_gate: details }, mediaType: mediaType || undefined };
  await ifWritable(async () => {
    await logUse(registry.store.relaxed, exchange, { kind: "pull_repo_failed", ...described });
    const refused = { repository, digest, reference, message, note: details, now: exchange.now };
    await emitRefusedPull({ registry, decisions }, registry.store.relaxed, refused);
  });
  throw new DistributionError("DENIED", message, { detail: { digest, ...details } });
}
