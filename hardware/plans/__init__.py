"""Plans for the maker of a table: jig, tray, labels, wiring picture and parts list.

Law: every length is in millimetres and every picture is drawn at its true scale, or says that it is
not.
"""
