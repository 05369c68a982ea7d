import { ScanError } from "../../errors.ts";
import type { FeedDocument, FeedFolder } from "../../plugins/feed.ts";
import { feedDocuments } from "./feed-documents.ts";
import { type FeedFile, feedFiles } from "./feed-files.ts";
import { headOf } from "./other-form.ts";

/** A form of documents, and the feeds that read it. */
interface KnownForm {
  /** What the documents are: `records of OSV`. */
  readonly form: string;
  /** The feeds for such documents, those that read only one vendor's included. */
  readonly feeds: readonly string[];
  /** Feeds that read the form as well, but have more of their own. */
  readonly alsoReadBy?: readonly string[];
  /** By the first kilobyte. */
  readonly isForm: (head: string) => boolean;
}

const byWords = (...words: readonly RegExp[]) => ({ isForm: (head: string) => words.every((word) => word.test(head)) });

const forms: readonly KnownForm[] = [
  {
    form: "OVAL",
    feeds: ["azurelinux", "oracle", "photon", "redhat", "suse", "ubuntu"],
    ...byWords(/<oval_definitions/),
  },
  {
    form: "updates of an rpm repository",
    feeds: ["amazon", "bottlerocket", "fedora", "rocky"],
    ...byWords(/<updates\b/),
  },
  { form: "documents of CSAF", feeds: ["redhat"], alsoReadBy: ["ubuntu"], ...byWords(/"category"\s*:\s*"csaf_/) },
  {
    form: "security databases of apk",
    feeds: ["alpine", "chainguard", "wolfi"],
    ...byWords(/"(?:apkurl|distroversion|secfixes|urlprefix)"\s*:/),
  },
  { form: "vulnerability groups of Arch Linux", feeds: ["arch"], ...byWords(/"AVG-\d/) },
  { form: "errata of AlmaLinux", feeds: ["alma"], ...byWords(/"(?:updateinfo_id|bs_repo_id)"\s*:/) },
  { form: "records of NVD", feeds: ["nvd", "nvd-cpe"], ...byWords(/"(?:NVD_CVE|CVE_data_type|vulnStatus)"/) },
  { form: "scores of EPSS", feeds: ["epss"], ...byWords(/^(?:#model_version|cve,epss,)/) },
  { form: "the catalog of exploited vulnerabilities", feeds: ["kev"], ...byWords(/"catalogVersion"\s*:/) },
  { form: "records of CVE", feeds: ["cve"], ...byWords(/"dataType"\s*:\s*"CVE_RECORD"/) },
  {
    form: "records of OSV",
    feeds: ["osv"],
    alsoReadBy: ["bitnami", "ghsa", "govulndb", "openeuler", "pypa", "rustsec", "ubuntu"],
    ...byWords(/^\s*[[{]/, /"id"\s*:\s*"/, /"(?:affected|modified|schema_version)"\s*:/),
  },
  {
    form: "the Debian security tracker",
    feeds: ["debian"],
    ...byWords(/"CVE-\d{4}-\d+"\s*:\s*\{/, /"releases"\s*:\s*\{/),
  },
];

/** Files that are looked at, and documents of an archive. */
const [maxFiles, maxDocuments] = [10, 3];

/**
 * Says which feeds read documents that another feed was given: `it has records of OSV, which the feed osv reads`. Undefined if the form is not known, or is one of the
 * feed itself.
 * @param feed the name of the feed that could not read them
 */
export async function otherFeedFor(feed: string, source: FeedDocument | FeedFolder): Promise<string | undefined> {
  for (const file of feedFiles({ name: undefined, feed: source }).slice(0, maxFiles)) {
    for await (const head of headsIn(file)) {
      const known = forms.find(({ isForm }) => isForm(head));
      if (known === undefined) continue;
      const { form, feeds, alsoReadBy = [] } = known;
      if ([...feeds, ...alsoReadBy].includes(feed)) return undefined;
      const names = feeds.length === 1 ? `the feed ${feeds.join("")} reads` : `the feeds ${feeds.join(", ")} read`;
      return `it has ${form}, which ${names}`;
    }
  }
  return undefined;
}

/** The beginnings of a document, or of the first ones of an archive. What cannot be read has none. */
async function* headsIn(file: FeedFile): AsyncGenerator<string> {
  try {
    const head = await headOf(file);
    const isArchive = head.startsWith("PK") || head.slice(257, 262) === "ustar";
    if (!isArchive) return yield head;
    let count = 0;
    for await (const document of feedDocuments(file, () => true)) {
      if ("bytes" in document) yield new TextDecoder("latin1").decode(document.bytes.subarray(0, 1024));
      if (++count >= maxDocuments) return;
    }
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
  }
}
