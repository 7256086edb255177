// The part of the room's HTTP API that looks back.

import { ask, type Answer } from './api.ts';
import type {
  AccountInfo,
  Games,
  Hint,
  Kept,
  KeptSheet,
  KeptSheets,
  LessonInfo,
  LessonMade,
  NewLesson,
  RecordLook,
  Records,
  ReplayOutline,
  ReplayRound,
  Results,
  Shared,
  SheetLink,
  TableMade,
} from './wire.ts';

const part = encodeURIComponent;

export interface Choice {
  opponent: string;
  rules: string;
  result: string;
}

const query = (values: Record<string, string>): string =>
  new URLSearchParams(Object.entries(values).filter(([, value]) => value !== '')).toString();

export const historyApi = {
  games: (choice: Choice, before: string): Promise<Answer<Games>> =>
    ask('GET', `/api/games?${query({ ...choice, before })}`),
  results: (): Promise<Answer<Results>> => ask('GET', '/api/games/results'),
  csvPath: '/api/games.csv',
  zipPath: '/api/games.zip',
  replay: (id: string): Promise<Answer<ReplayOutline>> => ask('GET', `/api/replays/${part(id)}`),
  round: (id: string, round: number): Promise<Answer<ReplayRound>> =>
    ask('GET', `/api/replays/${part(id)}/${round}`),
  share: (match: string): Promise<Answer<Shared>> => ask('POST', `/api/tables/${part(match)}/share`),
  unshare: (match: string): Promise<Answer<object>> =>
    ask('POST', `/api/tables/${part(match)}/unshare`),
  look: (text: string, round: number): Promise<Answer<RecordLook>> =>
    ask('POST', '/api/records/look', { text, round }),
  keep: (text: string): Promise<Answer<Kept>> => ask('POST', '/api/records', { text, round: 1 }),
  records: (before: string): Promise<Answer<Records>> =>
    ask('GET', `/api/records?${query({ before })}`),
  recordPath: (id: string): string => `/api/records/${part(id)}`,
  sheets: (rules: string, before: string): Promise<Answer<KeptSheets>> =>
    ask('GET', `/api/sheets?${query({ rules, before })}`),
  keepSheet: (sheet: SheetLink): Promise<Answer<KeptSheet>> => ask('POST', '/api/sheets', sheet),
  dropSheet: (id: string): Promise<Answer<object>> => ask('POST', `/api/sheets/${part(id)}/drop`),
  drop: (id: string): Promise<Answer<object>> => ask('POST', `/api/records/${part(id)}/drop`),
};

export const practiceApi = {
  make: (lesson: NewLesson): Promise<Answer<LessonMade>> => ask('POST', '/api/lessons', lesson),
  info: (code: string): Promise<Answer<LessonInfo>> => ask('GET', `/api/lessons/${part(code)}`),
  start: (code: string, name: string): Promise<Answer<TableMade>> =>
    ask('POST', `/api/lessons/${part(code)}`, { name }),
  hint: (match: string): Promise<Answer<Hint>> => ask('POST', `/api/tables/${part(match)}/hint`),
};

export const accountApi = {
  info: (): Promise<Answer<AccountInfo>> => ask('GET', '/api/account'),
  open: (name: string, passphrase: string): Promise<Answer<AccountInfo>> =>
    ask('POST', '/api/account', { name, passphrase }),
  signIn: (name: string, passphrase: string, bring: boolean): Promise<Answer<AccountInfo>> =>
    ask('POST', '/api/account/sign-in', { name, passphrase, bring }),
  signOut: (): Promise<Answer<object>> => ask('POST', '/api/account/sign-out'),
  signOutOthers: (): Promise<Answer<AccountInfo>> => ask('POST', '/api/account/sign-out-others'),
  change: (old: string, fresh: string): Promise<Answer<AccountInfo>> =>
    ask('POST', '/api/account/passphrase', { old, new: fresh }),
  forget: (passphrase: string): Promise<Answer<object>> =>
    ask('POST', '/api/account/forget', { passphrase }),
};
