"""Set up a table, from new wires to the first game: wires, stickers, and the check of a box.

Laws: pure but for the file of a deck: sensor events come in, sentences go out, and none of them
holds a tag, a pin or a path. Every step can be left out, repeated, and returned to while no game is
under way.
"""
