import type { KeyValueStorage } from '../state/storage.ts';

/** The parts of the page's address and history that a token is taken from. */
export interface TokenSource {
  readonly hash: string;
  /** Removes the fragment from the address, so that it is not copied or bookmarked with it. */
  clear(): void;
}

const storageKey = 'gymwright.token';

/**
 * The token that authorises this tab: from the address's fragment at first, from the tab's own storage after a reload. Cookies
 * would be shared with every other port of this host.
 */
export function takeToken(source: TokenSource, tabStorage: KeyValueStorage): string | null {
  const fromAddress = new URLSearchParams(source.hash.replace(/^#/, '')).get('token');
  if (fromAddress === null || fromAddress === '') return tabStorage.getItem(storageKey);
  tabStorage.setItem(storageKey, fromAddress);
  source.clear();
  return fromAddress;
}
