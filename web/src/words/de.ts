// German: it says “du”, and names colours by nouns, so that nothing has to be declined.
import company from './de/company.json';
import counts from './de/counts.json';
import history from './de/history.json';
import home from './de/home.json';
import net from './de/net.json';
import suits from './de/suits.json';
import table from './de/table.json';
import time from './de/time.json';
import type { Catalogue } from './en.ts';

const catalogue: Catalogue = { company, counts, history, home, net, suits, table, time };
export default catalogue;
