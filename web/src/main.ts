import '@fontsource/bitter/latin-700.css';
import '@fontsource/source-sans-3/latin-400.css';
import '@fontsource/source-sans-3/latin-600.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { showTheme } from './settings.svelte.ts';
import './styles/tokens.css';
import './styles/base.css';

const target = document.getElementById('app');
if (target === null) throw new Error('index.html has no element with the id "app"');

showTheme();
export default mount(App, { target });
