"""The table's own Wi-Fi, the Wi-Fi that it joins, and the power of its machine."""
