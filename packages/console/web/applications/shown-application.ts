import type { getOrganizationApplications } from "../api/generated/organization.ts";
import type { ResultOf } from "../api/operation.ts";

/** An application as the management API shows it. */
export type ShownApplication = ResultOf<typeof getOrganizationApplications>["applications"][number];
