/** Where a deployment shows the URL of its agent server. */
interface Shown {
  readonly url?: string | null | undefined;
  readonly source_config: { readonly custom_url?: string | null | undefined };
}

/** The URL of a deployment's agent server: `url`, else `custom_url`, which older services fill; null where it has none yet. */
export function urlOf({ url, source_config: { custom_url } }: Shown): string | null {
  return url || custom_url || null;
}
