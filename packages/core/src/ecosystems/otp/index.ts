import { numericVersions } from "../../versions/numeric/version.ts";
import { appDetector, applicationDependencies } from "../erlang/app-detector.ts";
import { otpApplications } from "../erlang/otp-applications.ts";
import { defineLanguage } from "../language/define-language.ts";

/** The applications of Erlang/OTP. */
export const otp = defineLanguage({
  name: "otp",
  ecosystem: "OTP",
  repository: "otp",
  fileDetectors: [appDetector("otp-app", (name) => otpApplications.has(name))],
  versions: numericVersions,
  dependencies: applicationDependencies,
  purl: ["otp"],
  assesses: ["erlang"],
});
