"""The laws that every game keeps, to be run on any game: by pytest, or `companion check-game`."""
