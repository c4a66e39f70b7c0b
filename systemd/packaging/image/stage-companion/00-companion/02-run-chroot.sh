#!/bin/bash -e
# Install our package, switch SPI on, and write what the eight readers need into config.txt.
apt-get install --yes --no-install-recommends /tmp/table-companion.deb
rm /tmp/table-companion.deb
{
    echo "# >>> table companion: for its wiring profile; systemd/install writes this anew"
    echo "[all]"
    companion wiring eight-readers | sed -n 's/^ *\(dt[a-z]*=[^ ]*\).*/\1/p'
    echo "# <<< table companion"
} >>/boot/firmware/config.txt
# The table makes a Wi-Fi of its own when none is known: the radio must not be blocked for want of a country.
raspi-config nonint do_wifi_country "${WPA_COUNTRY:-GB}" || rfkill unblock wifi || true
