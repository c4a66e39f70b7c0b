"""The simulated table: chips, fields, tags and wires, down to the register and the bit.

Law: faithful to the data sheets and to ISO 14443-3, not to any driver. No real time passes.

    from hardware.simulator.world import Make, Wires, World

    world = World(readers=8, host_ns=30_000, seed=1)     # 74HC138 on spidev 0.0; BCM 22, 27, 17
    world = World(5, wires=Wires("ce"))                  # readers on 0.0, 0.1, 1.0, 1.1, 1.2
    world = World(make=Make(version=0x91, coll_pos="absolute"))   # or "fifo", the default

    card = world.put("04a1b2c3d4e5f6", reader=3)         # NTAG213; 4 bytes: MIFARE Classic 1K
    world.lift(card); world.lying(3); world.sleep(0.5)
    world.press(seat=2); world.release(2); world.lamp(2)

A program meets the table through its wires:

    world.spi(3).xfer2([0x37 << 1 | 0x80, 0])            # SpiDev with a select of its own
    with world.installed():                              # stands in for spidev and RPi.GPIO
        import mfrc522                                   # unmodified; finds this table
    world.pins.drive(22, 1)                              # the decoder's A0, without any package
    world.clock.sleep, world.clock.monotonic             # in place of time.sleep and monotonic

To look inside: `world.bus.transfers`, `world.fields_on()`, `world.chips[3].regs`,
`world.field.antennas[3].frames`. Readers count from 0, as their wires do.
"""
