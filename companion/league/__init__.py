"""A league of people: who meets whom at which table, what they score, and how that is proven."""
