"""The simulated table: chips, fields, tags and wires, down to the register and the bit.

Law: faithful to the data sheets and to ISO 14443-3, not to any driver. No real time passes.

    from hardware.simulator.world import Make, SimulatedWires, World

    world = World(readers=8, host_ns=30_000, seed=1)     # 74HC138 on spidev 0.0; BCM 22, 27, 17
    world = World(5, wires=SimulatedWires("ce"))         # readers on 0.0, 0.1, 1.0, 1.1, 1.2
    world = World(make=Make(version=0x91, coll_pos="absolute"))   # or "fifo", the default

    card = world.put("04a1b2c3d4e5f6", reader=3)         # NTAG213; 4 bytes: MIFARE Classic 1K
    world = World(air=PhysicsAir())                      # couplings by geometry: `air/`
    card = world.lay("04a1b2c3d4e5f6", 3, pose_card(slot=0, pitch=15.5, turned=True))
    world.lift(card); world.tags_on(3); world.sleep(0.5)
    world.press(2); world.release(2); world.tap(2, seconds=2.5); world.is_lamp_lit(2)

A program meets the table through its wires:

    world.open_spi(3).xfer2([0x37 << 1 | 0x80, 0])       # SpiDev with a select of its own
    with world.install_stand_ins():                      # stands in for spidev and RPi.GPIO
        import mfrc522                                   # unmodified; finds this table
    world.pin_factory()                                  # gpiozero's mock pins on this table
    world.pins.drive(22, 1)                              # the decoder's A0, without any package
    world.clock.sleep, world.clock.monotonic             # in place of time.sleep and monotonic

Things go wrong on demand:

    undo = faults.silence_reader(world, 2, 0xFF); undo() # every fault returns how to undo it
    faults.frame_loss(world, 0, 0.05); faults.bit_errors(world, 0, 0.01)

To look inside: `world.bus.transfers`, `world.fields_on()`, `world.chips[3].regs`,
`world.field.antennas[3].frames`; `probe.Probe` is a bare host without a driver. Readers count
from 0, as their wires do.

What is not here: Crypto1 (a Classic card is selected and no more), passwords protecting NTAG
pages, speeds above 106 kbit/s, the pair Transmit and Receive (Transceive does both), the IRQ
pin, parity switched off, and the analogue settings except gain, modulation and transmit power.
"""
