#!/bin/bash -e
# Install our packages, switch SPI on, write what the eight readers need into config.txt, and lay the
# owner's file on the card.
apt-get install --yes --no-install-recommends /var/tmp/table-companion.deb /var/tmp/table-companion-kiosk.deb
rm /var/tmp/table-companion.deb /var/tmp/table-companion-kiosk.deb
{
    echo "# >>> table companion: for its wiring profile; systemd/install writes this anew"
    echo "[all]"
    companion wiring --profile eight-readers | sed -n 's/^ *\(dt[a-z]*=[^ ]*\).*/\1/p'
    echo "# <<< table companion"
} >>/boot/firmware/config.txt
/opt/companion/current/bin/python -I -m companion.app.first_start empty >/boot/firmware/table-companion.txt
# No way in by a password that was drawn while this was built.
passwd --lock table
