// Notifications of the system that the page itself shows, while it is open in the background.

export interface Notice {
  title: string;
  body: string;
  /** Of several with the same tag only the newest is shown, whoever showed it. */
  tag: string;
  /** What is opened by it. */
  url: string;
}

type Surroundings = {
  Notification?: typeof Notification;
  navigator: { serviceWorker?: ServiceWorkerContainer };
};
const around = globalThis as unknown as Surroundings;

export const registration = (): Promise<ServiceWorkerRegistration | undefined> =>
  around.navigator.serviceWorker?.getRegistration() ?? Promise.resolve(undefined);

/** Show it, if the person has allowed notifications; whether it was shown. */
export async function showNotice({ title, body, tag, url }: Notice): Promise<boolean> {
  if (around.Notification?.permission !== 'granted') return false;
  const options = { body, tag, icon: '/icon-192.png', data: { url } };
  try {
    const worker = await registration();
    if (worker !== undefined) await worker.showNotification(title, options);
    else new Notification(title, options).onclick = () => focus();
    return true;
  } catch {
    return false; // phones show none without a worker
  }
}

/** Take it away again: the person has seen. */
export async function hideNotice(tag: string): Promise<void> {
  if (around.Notification?.permission !== 'granted') return;
  const shown = await registration().then((worker) => worker?.getNotifications({ tag }));
  for (const each of shown ?? []) each.close();
}
