// English, and with it the shape of every other language.
import company from './en/company.json';
import history from './en/history.json';
import home from './en/home.json';
import net from './en/net.json';
import suits from './en/suits.json';
import table from './en/table.json';

const catalogue = { company, history, home, net, suits, table };
export type Catalogue = typeof catalogue;
export default catalogue;
