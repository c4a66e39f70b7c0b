"""Pages as single files: a record that checks itself, and the judge, opened without any table."""
