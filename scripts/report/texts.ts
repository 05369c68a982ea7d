/** Of the console's sentences, those that a report as a file says. */
import { findings } from "../../packages/console/web/texts/en/findings.ts";
import { report } from "../../packages/console/web/texts/en/report.ts";
import { severities } from "../../packages/console/web/texts/en/severities.ts";

export const texts = { findings, report, severities };
