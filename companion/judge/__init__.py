"""The judge: settle a dispute that is entered as a case, at this table or at any other."""
