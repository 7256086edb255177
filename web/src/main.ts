import '@fontsource/bitter/latin-700.css';
import '@fontsource/source-sans-3/latin-400.css';
import '@fontsource/source-sans-3/latin-600.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { beReady } from './offline.svelte.ts';
import { router, type Route } from './router.svelte.ts';
import { settings, showTheme } from './settings.svelte.ts';
import './styles/tokens.css';
import './styles/base.css';
import { speak, wantedLanguage } from './words/language.svelte.ts';

const target = document.getElementById('app');
if (target === null) throw new Error('index.html has no element with the id "app"');

/** The pages that most come to, asked for beside the texts of the language and not after them. */
const asked: Partial<Record<Route['page'], () => Promise<unknown>>> = {
  home: () => import('./pages/Home.svelte'),
  invite: () => import('./pages/Invite.svelte'),
  table: () => import('./pages/AnyTable.svelte'),
};
void asked[router.route.page]?.().catch(() => undefined); // App asks again, and says so

showTheme();
await speak(wantedLanguage(settings.language));
beReady(() => router.route.page === 'table');
export default mount(App, { target });
