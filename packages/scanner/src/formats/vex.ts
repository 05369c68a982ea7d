/**
 * VEX in CycloneDX 1.6: the status of an image's vulnerabilities.
 *
 * @see https://cyclonedx.org/capabilities/vex/
 */
import { listBill } from "./components.ts";
import { cycloneDxComponent, cycloneDxDocument, metadataOf } from "./cyclonedx.ts";
import { componentReferences, cycloneDxVulnerabilities, vexAnalyses } from "./cyclonedx-vulnerabilities.ts";
import type { DocumentStamp, MatchedImage } from "./reported-image.ts";

/**
 * Formats the vulnerabilities of an image as a CycloneDX VEX document: each finding is `exploitable`, a suppressed one `not_affected` or
 * `resolved`, and an undecided one `in_triage`. It lists only the packages of these.
 *
 * @example
 * declare const report: ScanReport;
 * JSON.stringify(toVex(report, { toolVersion: "1.0.0", createdAt: Date.now() }));
 */
export function toVex(image: MatchedImage, stamp: DocumentStamp): object {
  const components = listBill(image.index);
  const references = componentReferences(components);
  const { packageVulnerabilities, suppressed, undecided } = image.vulnerabilities;
  const mentioned = new Set([
    ...Object.keys(packageVulnerabilities),
    ...suppressed.map(({ packageId }) => packageId),
    ...undecided.map(({ packageId }) => packageId),
  ]);
  const content = {
    metadata: metadataOf(image, stamp),
    components: components
      .filter((component) => mentioned.has(component.package.id))
      .map((component) => cycloneDxComponent(component, references)),
    vulnerabilities: cycloneDxVulnerabilities(image, references, vexAnalyses),
  };
  return cycloneDxDocument(content, { image, stamp });
}
