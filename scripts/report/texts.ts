/** The texts of the console that an HTML report uses. */
import { findings } from "../../packages/console/web/texts/en/findings.ts";
import { report } from "../../packages/console/web/texts/en/report.ts";
import { severities } from "../../packages/console/web/texts/en/severities.ts";

export const texts = { findings, report, severities };
