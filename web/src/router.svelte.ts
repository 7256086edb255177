// Kinds of page, told apart by path; the server answers all of them with the same document.

export type Route =
  | { page: 'home' }
  | { page: 'table'; match: string }
  | { page: 'invite'; code: string }
  | { page: 'sheet' }
  | { page: 'games' | 'results' | 'account' | 'record' | 'practice' | 'notices' }
  | { page: 'mail'; act: 'confirm' | 'stop'; code: string }
  | { page: 'host' }
  | { page: 'group'; code: string }
  | { page: 'replay'; id: string }
  | { page: 'lesson'; code: string }
  | { page: 'rules' }
  | { page: 'question'; question: string }
  | { page: 'learn' }
  | { page: 'nowhere' };

export function routeOf(path: string): Route {
  try {
    return read(path);
  } catch {
    return { page: 'nowhere' }; // its percent signs mean nothing
  }
}

function read(path: string): Route {
  if (path === '/' || path === '/index.html' || /^\/device\/?$/.test(path)) return { page: 'home' };
  if (path === '/sheet' || path === '/sheet/') return { page: 'sheet' };
  if (/^\/host\/?$/.test(path)) return { page: 'host' };
  const group = /^\/c\/([^/]+)\/?$/.exec(path);
  if (group !== null) return { page: 'group', code: decodeURIComponent(group[1] ?? '') };
  const plain = PLAIN[path.replace(/(?<=.)\/$/, '')];
  if (plain !== undefined) return { page: plain };
  const replay = /^\/replay\/([^/]+)\/?$/.exec(path);
  if (replay !== null) return { page: 'replay', id: decodeURIComponent(replay[1] ?? '') };
  if (/^\/learn\/?$/.test(path)) return { page: 'learn' };
  const rules = /^\/rules(?:\/([a-z0-9-]+))?\/?$/.exec(path);
  if (rules !== null) {
    return rules[1] === undefined ? { page: 'rules' } : { page: 'question', question: rules[1] };
  }
  const mail = /^\/notices\/(confirm|stop)\/([^/]+)\/?$/.exec(path);
  if (mail !== null) {
    const act = mail[1] === 'stop' ? 'stop' : 'confirm';
    return { page: 'mail', act, code: decodeURIComponent(mail[2] ?? '') };
  }
  const lesson = /^\/lesson\/([^/]+)\/?$/.exec(path);
  if (lesson !== null) return { page: 'lesson', code: decodeURIComponent(lesson[1] ?? '') };
  const found = /^\/([ti])\/([^/]+)\/?$/.exec(path);
  if (found === null) return { page: 'nowhere' };
  const id = decodeURIComponent(found[2] ?? '');
  return found[1] === 't' ? { page: 'table', match: id } : { page: 'invite', code: id };
}

type Plain = 'games' | 'results' | 'account' | 'record' | 'practice' | 'notices';
const PLAIN: Record<string, Plain | undefined> = {
  '/games': 'games',
  '/games/results': 'results',
  '/account': 'account',
  '/replay': 'record',
  '/practice': 'practice',
  '/notices': 'notices',
};

class Router {
  path = $state(location.pathname);
  /** The page has gone there by itself, so whoever had the focus has not left it. */
  byItself = false;
  readonly route: Route = $derived(routeOf(this.path));

  constructor() {
    addEventListener('popstate', () => {
      this.byItself = false;
      this.path = location.pathname;
    });
  }

  /** Go on to where the room has brought this page; the way back does not lead here again. */
  follow(path: string): void {
    history.replaceState(null, '', path);
    this.byItself = true;
    this.path = path;
    scrollTo(0, 0);
  }

  go(path: string, fragment = ''): void {
    this.byItself = false;
    if (path !== location.pathname) history.pushState(null, '', path + fragment);
    this.path = path;
    scrollTo(0, 0);
  }
}

export const router = new Router();

/** For plain links: follow them without loading the page anew. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element).closest('a');
  if (link === null || link.origin !== location.origin || link.hasAttribute('download')) return;
  // What stands behind a question mark must reach the page.
  if (link.search !== '') return;
  if (routeOf(link.pathname).page === 'nowhere') return;
  // A place on this page is for the browser to find.
  if (link.hash !== '' && link.pathname === location.pathname) return;
  event.preventDefault();
  router.go(link.pathname, link.hash);
}
