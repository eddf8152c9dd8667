import { z } from "zod";

/** The URL of a web server. */
export const HttpUrl = z.url({
  protocol: /^https?$/,
  error: "must be a URL such as https://support.example.com",
});

/** ssh's short form, `git@git.example.com:acme/support.git`. */
const SCP_FORM = /^[^\s@:/]+@[^\s@:/]+:\S+$/;
/** A scheme, and something to find there. */
const URL_FORM = /^[a-z][a-z\d+.-]*:\/\/\/?[^\s/]\S*$/i;

/** The URL of a git repository, in any scheme. git also accepts ssh's short form. */
export const RepoUrl = z.stringFormat(
  "repo-url",
  (text) => SCP_FORM.test(text) || (URL_FORM.test(text) && URL.canParse(text)),
  "must be a URL such as https://git.example.com/acme/support.git or git@git.example.com:acme/support.git, with %20 for a space",
);
