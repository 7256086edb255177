// English, and with it the shape of every other language.
import company from './en/company.json';
import counts from './en/counts.json';
import history from './en/history.json';
import home from './en/home.json';
import net from './en/net.json';
import suits from './en/suits.json';
import table from './en/table.json';
import time from './en/time.json';

const catalogue = { company, counts, history, home, net, suits, table, time };
export type Catalogue = typeof catalogue;
export default catalogue;
