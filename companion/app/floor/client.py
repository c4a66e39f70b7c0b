"""The MQTT client of a table and of a floor, with this project's settings of it.

Laws: it connects and comes back by itself, after a wait that grows to some seconds and is another
one in every program, so that a hundred tables do not come back at the same moment. Its threads are
its own; no call here waits for the network, but for `stop_client`, which waits half a second.
"""

import random
import threading

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from companion.floor.broker import Broker, make_tls_context

KEEPALIVE = 15
"""Seconds without a sign after which a broker gives a client up, once half as many have passed."""
CONNECT_TIMEOUT = 5.0
LONGEST_WAIT = 12.0
FAREWELL = 0.5


def make_client(broker: Broker, name: str) -> Client:
    """Return a client that is not started yet; Malformed if its certificate cannot be read."""
    client = Client(CallbackAPIVersion.VERSION2, name, protocol=MQTTProtocolVersion.MQTTv5)
    client.connect_timeout = CONNECT_TIMEOUT
    apart = random.uniform(0.6, 1.0)
    client.reconnect_delay_set(apart, LONGEST_WAIT * apart)  # type: ignore[arg-type]
    if broker.user:
        client.username_pw_set(broker.user, broker.password)
    if broker.uses_tls:
        client.tls_set_context(make_tls_context(broker))
    return client


def start_client(client: Client, broker: Broker) -> None:
    """Connect from now on, in a thread of the client."""
    client.connect_async(broker.host, broker.port, KEEPALIVE)
    client.loop_start()


def stop_client(client: Client) -> None:
    """Disconnect; a broker that does not answer is left alone."""
    client.disconnect()
    ending = threading.Thread(target=client.loop_stop, daemon=True)
    ending.start()
    ending.join(FAREWELL)
