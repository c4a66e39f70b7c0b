"""One live table: a request is checked, journaled, applied to the state and shown in views."""
