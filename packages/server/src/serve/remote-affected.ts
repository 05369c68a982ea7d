import type { Json, VulnerabilityJson } from "@plimsoll/core/report";
import type { AffectedSource } from "@plimsoll/notifier";
import { ruledVulnerabilitiesType } from "@plimsoll/scanner-api";
import type { RemoteService } from "./call-service.ts";
import { type BodyForm, openEntries } from "./service-documents.ts";

const path = "/indexer/api/v1/internal/affected_manifest";

/**
 * The affected manifests of a remote indexer, streamed. Our own indexer gets whole vulnerabilities with their rules. Others get the members that
 * the contract names, or the form of the reference, and may number the vulnerabilities of their response themselves.
 */
export function remoteAffected(indexer: RemoteService): AffectedSource {
  /** The place of the form that the indexer has accepted. */
  let accepted = 0;
  return {
    async *listAffected(vulnerabilities, options) {
      const forms = affectedForms(indexer, vulnerabilities as unknown as readonly VulnerabilityJson[]); // as the notifier sends them
      const ordered = [...forms.slice(accepted), ...forms.slice(0, accepted)];
      const onForm = (form: BodyForm) => {
        accepted = forms.indexOf(form);
      };
      const sent = new SentVulnerabilities(vulnerabilities as unknown as readonly VulnerabilityJson[]);
      for await (const entry of openEntries(indexer, { ...options, path, forms: ordered }, { onForm })) {
        const { section, name, value } = entry;
        if (name === undefined || value === null) continue;
        if (section === "vulnerabilities") sent.note(name, value as unknown as VulnerabilityJson); // as the contract says
        if (section === "vulnerable_manifests") yield* sent.affected(name, value as readonly string[]); // likewise
      }
      yield* sent.rest();
    },
  };
}

function affectedForms(indexer: RemoteService, whole: readonly VulnerabilityJson[]): readonly BodyForm[] {
  const ruled = { contentType: ruledVulnerabilitiesType, body: whole as unknown as Json };
  const summaries = whole.map(summaryOf) as unknown as Json;
  const reference = { path: `${path}/`, body: { vulnerabilities: whole as unknown as Json } };
  return [ruled, ...formsOf(indexer, "vulnerability_summaries", summaries), reference];
}

/** The members of a summary that the contract names. */
function summaryOf(vulnerability: VulnerabilityJson) {
  const { name, fixed_in_version, links, description, normalized_severity, distribution } = vulnerability;
  const { repository, package: about } = vulnerability;
  return { name, fixed_in_version, links, description, normalized_severity, package: about, distribution, repository };
}

type Affected = { readonly ids: readonly string[]; readonly manifests: readonly string[] };

/** The ids of the vulnerabilities that were sent, and those that the response has for them. */
class SentVulnerabilities {
  readonly #ids: ReadonlySet<string>;
  readonly #byContent: ReadonlyMap<string, readonly VulnerabilityJson[]>;
  /** Sent ids by those of the response. */
  readonly #known = new Map<string, readonly string[]>();
  /** Manifests with ids that are not known yet. */
  readonly #waiting: [manifest: string, id: string][] = [];

  constructor(sent: readonly VulnerabilityJson[]) {
    this.#ids = new Set(sent.map(({ id }) => id));
    this.#byContent = Map.groupBy(sent, contentOf);
  }

  /** Notes a vulnerability of the response. */
  note(id: string, vulnerability: VulnerabilityJson): void {
    if (this.#ids.has(id)) return;
    this.#known.set(id, this.#byContent.get(contentOf(vulnerability))?.map((sent) => sent.id) ?? []);
  }

  /** What is known of the vulnerabilities of a manifest. */
  *affected(manifest: string, ids: readonly string[]): Iterable<Affected> {
    const found = ids.flatMap((id) => this.#sentIds(id) ?? this.#wait(manifest, id));
    if (found.length > 0) yield { ids: found, manifests: [manifest] };
  }

  /** What became known after {@link affected}. */
  *rest(): Iterable<Affected> {
    for (const [manifest, id] of this.#waiting) {
      const ids = this.#sentIds(id) ?? [];
      if (ids.length > 0) yield { ids, manifests: [manifest] };
    }
  }

  #sentIds(id: string): readonly string[] | undefined {
    return this.#ids.has(id) ? [id] : this.#known.get(id);
  }

  #wait(manifest: string, id: string): readonly string[] {
    this.#waiting.push([manifest, id]);
    return [];
  }
}

/** What makes two vulnerabilities the same. Absent members and empty ones mean the same. */
function contentOf({
  name,
  fixed_in_version = "",
  package: about,
  distribution,
  repository,
}: VulnerabilityJson): string {
  const { did = "", version_id = "", version_code_name = "", version = "" } = distribution ?? {};
  const { name: from = "", key = "" } = repository ?? {};
  const { name: packageName = "" } = (about as VulnerabilityJson["package"] | undefined) ?? {};
  return JSON.stringify([name, fixed_in_version, packageName, did, version_id, version_code_name, version, from, key]);
}

/**
 * The forms of a request body of the contract: with the media type of the installation's vendor, and as plain JSON for a service of another
 * vendor. The contract names the first; a service may refuse the second with 415.
 * @param type the name in the media type: `manifest`
 */
export function formsOf({ vendor }: RemoteService, type: string, body: Json): readonly BodyForm[] {
  const plain = { body };
  return vendor === undefined ? [plain] : [{ contentType: `application/vnd.${vendor}.${type}.v1+json`, body }, plain];
}
