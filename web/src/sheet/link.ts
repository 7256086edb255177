// A sheet as the fragment of a link: nothing of it reaches a server. `#1.CONTENT.SUM`: the version,
// the content as base64url of JSON, and a checksum, so that a link cut short is told from a whole one.
// Version 2 says more than version 1, and is written only where there is more to say. Beside the sheet a link
// may say by which name it is kept, so that it stays one sheet on all devices of whoever writes on it.

import { readContent, writeContent } from './content.ts';
import { MOST_ROUNDS, type Match } from './match.ts';
import { isId, LONGEST_ID } from './storage.ts';

const VERSIONS: readonly string[] = ['1', '2'];
const LONGEST = 64 * 1024;

export type LinkReading =
  | { ok: true; match: Match; id: string | null }
  | { ok: false; why: 'none' | 'version' | 'damaged' | 'content' };

export function writeLink(match: Match, id: string | null = null): string {
  const content = { ...writeContent(match), ...(id === null ? {} : { k: id }) };
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  return `#${VERSIONS['i' in content || 'b' in content ? 1 : 0]}.${toBase64(bytes)}.${checksum(bytes).toString(36)}`;
}

/** Why a sheet goes into no link that can be read again; null if it does. */
export function linkBar(match: Match): 'rounds' | 'length' | null {
  if (match.rounds.length > MOST_ROUNDS) return 'rounds';
  return writeLink(match, 'x'.repeat(LONGEST_ID)).length > LONGEST ? 'length' : null;
}

/** Read the fragment of an address. */
export function readLink(fragment: string): LinkReading {
  const text = fragment.replace(/^#/, '');
  if (text === '') return { ok: false, why: 'none' };
  const [version, body, sum, ...more] = text.split('.');
  if (!/^\d+$/.test(version ?? '')) return { ok: false, why: 'damaged' };
  if (!VERSIONS.includes(version ?? '')) return { ok: false, why: 'version' };
  const bytes = text.length > LONGEST || more.length > 0 ? null : fromBase64(body ?? '');
  if (bytes === null || checksum(bytes).toString(36) !== sum) return { ok: false, why: 'damaged' };
  const content = parsed(bytes);
  const match = readContent(content);
  return match === null ? { ok: false, why: 'content' } : { ok: true, match, id: nameIn(content) };
}

/** The name that a sheet is kept by where it was written. */
function nameIn(content: unknown): string | null {
  const { k } = content as { k?: unknown };
  return isId(k) ? k : null;
}

/** What is escaped in JSON, and as its group half a surrogate pair: no sign, but a name cut short may end in one. */
const HALF = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2})|[^])/g;

function parsed(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return JSON.parse(text.replaceAll(HALF, (whole: string, half?: string) => (half === undefined ? whole : '')));
  } catch {
    return null;
  }
}

function toBase64(bytes: Uint8Array): string {
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64(text: string): Uint8Array | null {
  if (!/^[\w-]+$/.test(text)) return null;
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(binary, (sign) => sign.charCodeAt(0));
  } catch {
    return null;
  }
}

/** CRC-32 as in ISO 3309. */
export function checksum(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
