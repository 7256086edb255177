export const HOME = {
  title: 'Lost Cities',
  lead: 'Two players, a few expeditions, sixty cards.',
  name: 'Your name',
  nameMissing: 'Please enter a name first.',
  against: 'Against',
  friend: 'A friend, by link',
  program: 'A program',
  opponent: 'Opponent',
  rules: 'Rules',
  preset: 'Kind of game',
  colours: 'Colours',
  rounds: 'Rounds',
  open: 'open end',
  asPreset: 'as the kind of game',
  seat: 'Your seat',
  seats: { chance: 'By chance', '0': 'First', '1': 'Second' },
  choose: 'Colours, rounds, seat and more',
  own: 'More rules',
  ownHint: 'Written as on the command line, such as own_discard=yes stall=40.',
  written: 'Rules as written:',
  make: { friend: 'Make the table', program: 'Play' },
  making: 'Setting up …',
  tables: 'My tables',
  new: 'A new table',
  yourTurn: 'your turn',
  device: 'Continue from another device',
  deviceHint: 'On the device where you play, open the menu and choose “Move to another device”.',
  code: 'Code',
  useCode: 'Take my seat here',
  insecure:
    'This room is reached over plain HTTP. That is fine on your own network; anyone on it could listen.',
  note: 'An unofficial work. The game is by Reiner Knizia, published by KOSMOS; none of their artwork is used.',
};

export const PRESETS: Record<string, string> = {
  room: 'The room: three rounds, the start alternates',
  tutorial: 'The tutorial: the start alternates',
  blog: 'The blog: the leader starts the next round',
  site: 'The site: rounds as you choose, the leader starts',
  travel: 'The travel deck: open end, the leader starts',
  long: 'The long game: six colours',
};

export const PHASES: Record<string, string> = {
  waiting: 'waiting for a friend',
  dealing: 'dealing',
  playing: 'in play',
  between: 'between rounds',
  over: 'over',
};

export const INVITE = {
  title: (host: string): string => `${host} invites you to a match`,
  take: 'Take the seat',
  taken: 'The seat at this table is already taken.',
  yours: 'You already sit at this table.',
  open: 'Go to the table',
  nowhere: 'No invitation here',
  opening: 'Looking at the invitation …',
};

export const NOWHERE = {
  title: 'There is nothing here',
  text: 'The address may have a letter wrong.',
  home: 'To the start',
};
