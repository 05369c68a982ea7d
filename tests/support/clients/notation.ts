import { outputOf } from "../client-program.ts";
import type { Login } from "../registry-logins.ts";
import { type ClientPlace, type ClientProgram, whyNotRun } from "./registry-client.ts";
import { skopeo } from "./skopeo.ts";

/** notation: it signs what skopeo pushed, and pulls by verifying the signature. */
export const notation: ClientProgram = { whyNot: () => whyNotRun("notation") ?? skopeo.whyNot(), open };

async function open(place: ClientPlace) {
  const { folder, scheme, env: given } = place;
  const env = { ...given, HOME: folder.path, XDG_CONFIG_HOME: folder.path };
  const pusher = await skopeo.open(place);
  const plain = `--insecure-registry=${scheme === "http"}`;
  let user: Readonly<Record<string, string>> = {}; // it stores credentials only with a helper program
  const run = (...words: readonly string[]) => outputOf("notation", words, { env: { ...env, ...user } });
  await run("cert", "generate-test", "--default", "signer.example");
  folder.write("notation/trustpolicy.json", JSON.stringify(trustPolicy));
  return {
    run,
    login(login: Login) {
      user = { NOTATION_USERNAME: login.username, NOTATION_PASSWORD: login.secret };
      return pusher.login(login);
    },
    logout() {
      user = {};
      return pusher.logout();
    },
    async push(reference: string) {
      await pusher.push(reference);
      await run("sign", plain, reference);
    },
    async pull(reference: string) {
      return /sha256:[0-9a-f]{64}/.exec(await run("verify", plain, reference))?.[0] ?? "";
    },
    [Symbol.asyncDispose]: () => pusher[Symbol.asyncDispose](),
  };
}

/** Trusts the certificate that it made itself, for every repository. */
const trustPolicy = {
  version: "1.0",
  trustPolicies: [
    {
      name: "own",
      registryScopes: ["*"],
      signatureVerification: { level: "strict" },
      trustStores: ["ca:signer.example"],
      trustedIdentities: ["*"],
    },
  ],
};
