// The pages that explain: one part of the script for all three, with their words.

import type { Component } from 'svelte';
import { need } from '../words/language.svelte.ts';

export type GuidePage = 'rules' | 'question' | 'learn';

type Page = Component<{ question: string }>;

export async function open(page: GuidePage): Promise<Page> {
  await Promise.all([need('guide'), page === 'learn' ? null : need('rules')]);
  switch (page) {
    case 'rules':
      return (await import('./Rules.svelte')).default as unknown as Page;
    case 'question':
      return (await import('./Question.svelte')).default;
    case 'learn':
      return (await import('./Learn.svelte')).default as unknown as Page;
  }
}
