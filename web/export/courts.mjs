// The second courts of the games by name. A file that is written has those of its games in this place
// (web/export/scripts.py); a game that is not among them is not judged again.

export const courts = {};
