/** The texts of the console that an HTML report uses. */
import { findings, report, severities } from "../../packages/console/web/texts/en/findings.ts";

export const texts = { findings, report, severities };
