import type { ResultOf } from "../api/operation.ts";

/** An application as the management API shows it. */
export type ShownApplication = ResultOf<"GET /organization/{orgname}/applications">["applications"][number];
