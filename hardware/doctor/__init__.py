"""`companion doctor`: is everything soldered, powered, allowed and alive?"""
