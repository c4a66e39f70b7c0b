"""Set-ups and players that many tests share: tables, hands, phones, browsers, damaged files."""
