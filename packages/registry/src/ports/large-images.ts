import type { Severity } from "@plimsoll/core/severity";
import type { ImageRepository } from "../access/queries.ts";
import type { Row } from "../store/tables/all.ts";
import type { SerializedJson } from "../values/serialized-json.ts";
import type { ReportFormat } from "./scanning.ts";

type Manifest = Row<"image_manifest">;

/** How an image of a list was named. */
interface NamedImage {
  readonly digest: string;
  readonly platform?: string;
  readonly platforms?: string[];
}

type FindingColumn = "risk" | "severity" | "name" | "score" | "package" | "findings";

/** Which findings of an image are asked for, and the page of them. */
export interface WantedFindings {
  readonly list?: "findings" | "upgrades" | "packages" | "suppressed" | undefined;
  readonly find?: string | undefined;
  readonly severity?: Severity | undefined;
  readonly fixed?: boolean | undefined;
  readonly exploited?: boolean | undefined;
  readonly upgrade?: string | undefined;
  readonly order?: FindingColumn | `-${FindingColumn}` | undefined;
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
}

/** A question about one or two images, with rows of the database. It has only values that can be sent to another thread. */
export type QuestionWithRows =
  | { readonly kind: "security"; readonly manifest: Manifest; readonly vulnerabilities: boolean }
  | { readonly kind: "findings"; readonly manifest: Manifest; readonly wanted: WantedFindings }
  | { readonly kind: "report" | "licenses"; readonly manifest: Manifest }
  | {
      readonly kind: "document";
      readonly repository: ImageRepository;
      readonly manifest: Manifest;
      readonly format: ReportFormat;
    }
  | { readonly kind: "diff"; readonly before: Manifest; readonly after: Manifest; readonly about: NamedImage }
  | { readonly kind: "decision" | "gate"; readonly repository: ImageRepository; readonly manifest: Manifest };

/** A question about one or two images, for `answerImageQuestion` in another thread. */
export interface ImageQuestion {
  readonly kind: "security" | "findings" | "report" | "licenses" | "document" | "diff" | "decision" | "gate";
}

/** How a question is answered. */
export interface AnswerOptions {
  /** The time of the request, in epoch milliseconds. */
  readonly now: number;
  readonly signal: AbortSignal;
}

/**
 * Answers questions about images whose reports are so large that computing them would hold up the thread which answers requests: its own slices of
 * work are short, but the pauses in which V8 collects the garbage of such a report are not.
 */
export interface LargeImages {
  /** Undefined: the thread of the caller answers. @throws RegistryError as the function that answers the question in this thread */
  answer(question: ImageQuestion, options: AnswerOptions): Promise<SerializedJson> | undefined;
}
