// The forms of the games, read in the browser, by name. A file that is written has those of its games in
// this place (web/export/scripts.py).

export const sheets = {};
